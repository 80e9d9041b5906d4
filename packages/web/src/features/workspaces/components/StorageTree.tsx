import { useState } from 'react'
import { type Address, type Hex, hexToBigInt, numberToHex } from 'viem'
import { type StorageEntry, useStorage } from '../../../lib/contracts/storage.ts'
import { groupDigits } from '../../../lib/format/amount.ts'
import { shorten } from '../../../lib/format/hash.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { InlineForm } from '../../../ui/InlineForm.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

type Props = {
  id: string
  address: Address
  /** Of the variable that is shown alone. */
  path: string | undefined
  onPath: (path: string | undefined) => void
}

/** The variables of a contract as its layout types them; without one the slots that were written here. */
export function StorageTree({ id, address, path, onPath }: Props) {
  const [text, setText] = useState(path ?? '')
  const query = useStorage(id, path)
  return (
    <Panel
      title="Storage"
      note={query.data?.layout ? `as ${query.data.layout.contract} lays it out` : 'slots written here'}
    >
      <InlineForm submit="Show" className="border-line border-b p-3" onSubmit={() => onPath(text.trim() || undefined)}>
        <div className="min-w-0 max-w-xl grow">
          <TextField
            label="Path"
            hint="such as balances[0x…] or users[3].name; empty: all"
            className="hex"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      </InlineForm>
      <Loaded query={query} what="the storage" rows={6}>
        {({ entry, entries, next }) => {
          const shown = entry ? [entry] : entries
          return shown.length === 0 ? (
            <Empty title="Nothing was written here, and no storage layout is known">
              Import the contract with its storageLayout to see its variables by name.
            </Empty>
          ) : (
            <ul className="divide-y divide-line/60">
              {shown.map((one) => (
                <Entry key={one.path} entry={one} address={address} depth={0} />
              ))}
              {next && <More />}
            </ul>
          )
        }}
      </Loaded>
    </Panel>
  )
}

const origins = { upstream: 'live chain', local: 'frozen', followed: 'followed' } as const
const saidOf = {
  follow: 'The slot follows the live chain',
  unfollow: 'The slot is no longer followed',
  resync: 'The slot reads the live chain again, until it is written',
} as const

/** Follows a slot, gives that up, or only gives its local value back: who stops to follow reads the live chain until the next write. */
function useSlotAction(address: Address, slot: Hex) {
  return useAction(
    async (what: keyof typeof saidOf) => {
      if (what !== 'unfollow') await rpc('dev_followSlots', address, [slot])
      if (what !== 'follow') await rpc('dev_unfollowSlots', address, [slot])
    },
    (_, what) => saidOf[what],
  )
}

function Entry({ entry, address, depth }: { entry: StorageEntry; address: Address; depth: number }) {
  const { path, name, type, slot, value, origin, upstreamValue, length, parts } = entry
  const [isOpen, setOpen] = useState(depth < 1)
  const [isEditing, setEditing] = useState(false)
  const act = useSlotAction(address, slot)
  const children = parts?.entries ?? []
  return (
    <li data-path={path}>
      <div
        className="grid items-center gap-x-4 gap-y-0.5 py-1 pr-3 hover:bg-raised md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_13rem]"
        style={{ paddingLeft: depth * 18 + 10 }}
      >
        <span className="flex min-w-0 items-center gap-2">
          <button
            type="button"
            aria-label={`${isOpen ? 'Fold' : 'Unfold'} ${path}`}
            className={`rounded p-0.5 text-soft ${children.length === 0 ? 'invisible' : ''}`}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'down' : 'right'} size={12} />
          </button>
          <span className="hex min-w-0 truncate font-medium text-xs" title={`${path}\n${slot}`}>
            {name.length > 24 ? name.replace(/0x[0-9a-f]{40,64}/i, (hex) => shorten(hex)) : name}
          </span>
          <span className="min-w-0 truncate text-soft text-xs" title={type}>
            {type}
          </span>
        </span>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 pl-6 md:pl-0">
          <span className="hex min-w-0 break-all text-xs">
            {value === null ? (length === null ? '' : `${length} elements`) : readable(value)}
          </span>
          {origin !== 'upstream' && <Badge tone={origin === 'followed' ? 'good' : 'warn'}>{origins[origin]}</Badge>}
          {upstreamValue !== null && (
            <Badge tone="bad" title={`The live chain has ${upstreamValue}`}>
              live chain: {upstreamValue.length > 42 ? shorten(upstreamValue) : readable(upstreamValue)}
            </Badge>
          )}
        </span>
        <span className="flex items-center justify-end gap-1">
          {value !== null && (
            <Button tone="quiet" onClick={() => setEditing(!isEditing)}>
              Edit
            </Button>
          )}
          {origin === 'local' && value !== null && (
            <Button tone="quiet" busy={act.isPending} onClick={() => act.mutate('resync')}>
              Resync
            </Button>
          )}
          {value !== null && (
            <Button
              tone="quiet"
              busy={act.isPending}
              onClick={() => act.mutate(origin === 'followed' ? 'unfollow' : 'follow')}
            >
              {origin === 'followed' ? 'Unfollow' : 'Follow'}
            </Button>
          )}
        </span>
      </div>
      {isEditing && <SlotForm entry={entry} address={address} onClose={() => setEditing(false)} />}
      {isOpen && children.length > 0 && (
        <ul className="divide-y divide-line/60 border-line/60 border-t">
          {children.map((one) => (
            <Entry key={one.path} entry={one} address={address} depth={depth + 1} />
          ))}
          {parts?.next && <More />}
        </ul>
      )}
    </li>
  )
}

/** Long numbers in groups; everything else as it is. */
const readable = (value: string) => (/^-?\d{5,}$/.test(value) ? groupDigits(value) : value)

function More() {
  return <li className="px-3 py-2 text-soft text-xs">There are more: enter the path of the one that you look for.</li>
}

/** Writes a value into its part of its slot; what shares the slot stays. */
function SlotForm({ entry, address, onClose }: { entry: StorageEntry; address: Address; onClose: () => void }) {
  const [text, setText] = useState(entry.value ?? '')
  const write = useAction(
    async (value: string) => {
      const word = hexToBigInt(await rpc<Hex>('eth_getStorageAt', address, entry.slot, 'latest'))
      return rpc(
        'dev_setStorageAt',
        address,
        entry.slot,
        numberToHex(packed(word, wordFrom(value), entry), { size: 32 }),
      )
    },
    () => `${entry.path} is set`,
  )
  return (
    <InlineForm
      submit="Set"
      tone="primary"
      busy={write.isPending}
      className="border-line border-y bg-page px-3 py-2"
      onSubmit={() => write.mutate(text.trim(), { onSuccess: onClose })}
    >
      <div className="min-w-0 max-w-xl grow">
        <TextField
          label={entry.path}
          hint={entry.type}
          className="hex"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </InlineForm>
  )
}

function wordFrom(text: string): bigint {
  if (text === 'true' || text === 'false') return text === 'true' ? 1n : 0n
  try {
    return BigInt(text)
  } catch {
    throw new Error(`${JSON.stringify(text)} is neither a number, nor 0x-hex, nor true or false`)
  }
}

function packed(word: bigint, value: bigint, { offset, bytes, path }: StorageEntry): bigint {
  const size = 1n << BigInt(bytes * 8)
  if (value >= size || value < -size / 2n) throw new Error(`${path} has ${bytes} bytes: ${value} does not fit`)
  const shift = BigInt(offset * 8)
  return (word & ~((size - 1n) << shift)) | (BigInt.asUintN(bytes * 8, value) << shift)
}
