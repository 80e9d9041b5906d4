import { Link } from '@tanstack/react-router'
import type { Address } from 'viem'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import { sameAddress, shorten } from '../../../format/hash.ts'
import { type StorageEntry, useStorage } from '../../../lib/contracts/storage.ts'
import { useDrift } from '../../../lib/state/drift.ts'
import { functionOf, useOverrides } from '../../../lib/state/overrides.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import type { Overview } from '../api/workspaces.ts'

type Props = { overview: Overview; address: Address }

/** The values that differ from the live chain at the base block: frozen, followed or overridden. */
export function OwnState({ overview: { workspace, account, contract }, address }: Props) {
  const { data: storage } = useStorage(workspace.id, undefined, address)
  const { data: drifted } = useDrift(address)
  const { data: overrides = [] } = useOverrides(address)
  const { local, followed = false, followedSlots = 0 } = account ?? {}
  const hasCode = contract !== null && contract.code !== 'none'
  const fields = (['balance', 'nonce', 'code'] as const).filter(
    (field) => local?.[field] && (field !== 'code' || hasCode),
  )
  const slots = leavesOf(storage?.entries ?? []).filter(({ origin }) => origin === 'local')
  const moved = new Set(
    (drifted ?? []).filter((one) => sameAddress(one.address, address)).map(({ slot, field }) => slot ?? field),
  )
  const isEmpty = fields.length + slots.length + overrides.length + followedSlots === 0 && !followed
  return (
    <Panel title="Local changes" note="Values that are not read from the live chain at the base block">
      {isEmpty && <Empty title="No local changes">All values are read from the live chain at the base block.</Empty>}
      <ul className="divide-y divide-line">
        {fields.map((field) => (
          <Row key={field} name={field} kind="frozen" isMoved={moved.has(field)} />
        ))}
        {slots.slice(0, shown).map(({ path, slot, value, upstreamValue }) => (
          <Row key={path} name={path} value={value} live={upstreamValue} kind="frozen" isMoved={moved.has(slot)} />
        ))}
        {slots.length > shown && (
          <li className="px-3 py-2 text-xs">
            <Link
              to="/address/$address"
              params={{ address }}
              search={{ tab: 'state' }}
              className="text-accent hover:underline"
            >
              and {slots.length - shown} more frozen values
            </Link>
          </li>
        )}
        {followed && <Row name="Whole account" kind="followed" />}
        {!followed && followedSlots > 0 && <Row name={formatCount(followedSlots, 'slot')} kind="followed" />}
        {overrides.map((override) => (
          <Row
            key={override.id}
            name={functionOf(override).name}
            value={override.returnValues.join(', ')}
            kind={override.enabled ? 'overridden' : 'override disabled'}
          />
        ))}
      </ul>
    </Panel>
  )
}

const shown = 6

const tones = {
  frozen: 'frozen',
  followed: 'followed',
  overridden: 'overridden',
  'override disabled': 'neutral',
} as const

type RowProps = {
  name: string
  value?: string | null
  live?: string | null
  kind: keyof typeof tones
  isMoved?: boolean
}

function Row({ name, value, live, kind, isMoved = false }: RowProps) {
  return (
    <li className="flex min-h-9 items-center gap-2 px-3 py-1.5">
      <span className="hex max-w-1/2 shrink-0 truncate text-xs" title={name}>
        {name.startsWith('0x') ? shorten(name) : name}
      </span>
      {value && (
        <span className="hex min-w-0 truncate text-soft text-xs" title={value}>
          {readable(value)}
        </span>
      )}
      {live && (
        <span className="hex min-w-0 truncate text-drifted text-xs" title={live}>
          live chain: {readable(live)}
        </span>
      )}
      <span className="ml-auto flex shrink-0 gap-1">
        {isMoved && <Badge tone="drifted">drifted</Badge>}
        <Badge tone={tones[kind]}>{kind}</Badge>
      </span>
    </li>
  )
}

const readable = (value: string) => (/^\d+$/.test(value) ? formatInteger(BigInt(value)) : value)

/** The values inside structs, arrays and mappings. */
function leavesOf(entries: readonly StorageEntry[]): StorageEntry[] {
  return entries.flatMap((entry) => (entry.parts ? leavesOf(entry.parts.entries) : [entry]))
}
