import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { TransactionLink } from '../../../components/HashLink.tsx'
import { SlotHistory } from '../../../components/SlotHistory.tsx'
import { formatCount, groupDigits } from '../../../format/amount.ts'
import { shorten } from '../../../format/hash.ts'
import { type StorageEntry, useStorage } from '../../../lib/contracts/storage.ts'
import { useFollow, useResyncSlot, useUnfollow } from '../../../lib/state/follows.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { InlineForm } from '../../../ui/forms/InlineForm.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useSetVariable } from '../api/storage.ts'

type Props = {
  id: string
  address: Address
  /** Of the only variable to show. */
  path: string | undefined
  onPath: (path: string | undefined) => void
}

/** The variables of a contract by its storage layout; without a layout, the slots written on this network. */
export function StorageTree({ id, address, path, onPath }: Props) {
  const [text, setText] = useState(path ?? '')
  const [isOnlyDifferent, setOnlyDifferent] = useState(false)
  const query = useStorage(id, path, address)
  return (
    <Panel
      title="Storage"
      note={query.data?.layout ? `Layout: ${query.data.layout.contract}` : 'Slots written on this network'}
    >
      <InlineForm submit="Show" className="border-line border-b p-3" onSubmit={() => onPath(text.trim() || undefined)}>
        <div className="min-w-0 max-w-xl grow">
          <TextField
            label="Path"
            hint="balances[0x…] or users[3].name; leave empty to show all"
            className="hex"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      </InlineForm>
      <label className="flex min-h-8 items-center gap-2 border-line border-b px-3 py-1.5 text-sm">
        <input type="checkbox" checked={isOnlyDifferent} onChange={({ target }) => setOnlyDifferent(target.checked)} />
        Only values that differ from the live chain
      </label>
      <Loaded query={query} what="storage" rows={6}>
        {({ entry, entries, next }) => {
          const all = entry ? [entry] : entries
          const shown = isOnlyDifferent ? differentOf(all) : all
          if (isOnlyDifferent && shown.length === 0) return <Empty title="No value here differs from the live chain" />
          return shown.length === 0 ? (
            <Empty title="No storage layout, and no slots written on this network">
              Import the contract with its storage layout to see its variables.
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

/** Those whose value, or a part of it, differs from the live chain's. */
function differentOf(entries: readonly StorageEntry[]): StorageEntry[] {
  return entries.flatMap((entry) => {
    if (!entry.parts) return entry.upstreamValue === null ? [] : [entry]
    const different = differentOf(entry.parts.entries)
    return different.length === 0 ? [] : [{ ...entry, parts: { ...entry.parts, entries: different } }]
  })
}

const origins = { local: 'frozen', followed: 'followed' } as const

function Entry({ entry, address, depth }: { entry: StorageEntry; address: Address; depth: number }) {
  const { path, name, type, slot, value, origin, upstreamValue, length, parts, lastWriter } = entry
  const [isOpen, setOpen] = useState(depth < 1)
  const [isEditing, setEditing] = useState(false)
  const [showsHistory, setShowsHistory] = useState(false)
  const follow = useFollow()
  const unfollow = useUnfollow()
  const resync = useResyncSlot()
  const target = { address, slots: [slot] }
  const children = parts?.entries ?? []
  return (
    <li data-path={path}>
      <div
        className="grid items-center gap-x-4 gap-y-0.5 py-1 pr-3 hover:bg-raised md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_16rem]"
        style={{ paddingLeft: depth * 18 + 10 }}
      >
        <span className="flex min-w-0 items-center gap-2">
          <button
            type="button"
            aria-label={`${isOpen ? 'Collapse' : 'Expand'} ${path}`}
            className={`grid size-6 shrink-0 place-items-center rounded text-soft ${children.length === 0 ? 'invisible' : ''}`}
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
            {value === null ? (length === null ? '' : formatCount(Number(length), 'element')) : readable(value)}
          </span>
          {origin !== 'upstream' && (
            <Badge tone={origin === 'followed' ? 'followed' : 'frozen'}>{origins[origin]}</Badge>
          )}
          {upstreamValue !== null && (
            <Badge tone="drifted" title={`Value on the live chain: ${upstreamValue}`}>
              Live chain: {upstreamValue.length > 42 ? shorten(upstreamValue) : readable(upstreamValue)}
            </Badge>
          )}
          {lastWriter && (
            <span className="text-soft text-xs">
              last changed by <TransactionLink hash={lastWriter as Hex} />
            </span>
          )}
        </span>
        <span className="flex items-center justify-end gap-1">
          {origin !== 'upstream' && value !== null && (
            <Button tone="quiet" aria-expanded={showsHistory} onClick={() => setShowsHistory(!showsHistory)}>
              History
            </Button>
          )}
          {value !== null && (
            <Button needs="admin" tone="quiet" onClick={() => setEditing(!isEditing)}>
              Edit
            </Button>
          )}
          {origin === 'local' && value !== null && (
            <Button needs="admin" tone="quiet" busy={resync.isPending} onClick={() => resync.mutate({ address, slot })}>
              Resync
            </Button>
          )}
          {value !== null && (
            <Button
              needs="admin"
              tone="quiet"
              busy={follow.isPending || unfollow.isPending}
              onClick={() => (origin === 'followed' ? unfollow.mutate(target) : follow.mutate(target))}
            >
              {origin === 'followed' ? 'Unfollow' : 'Follow'}
            </Button>
          )}
        </span>
      </div>
      {showsHistory && <SlotHistory address={address} slot={slot as Hex} name={entry.path} variable={entry} />}
      {isEditing && <VariableForm entry={entry} address={address} onClose={() => setEditing(false)} />}
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

/** Groups the digits of long numbers. */
const readable = (value: string) => (/^-?\d{5,}$/.test(value) ? groupDigits(value) : value)

function More() {
  return <li className="px-3 py-2 text-soft text-xs">More entries exist. Enter a path to find one.</li>
}

/** Edits one variable. */
function VariableForm({ entry, address, onClose }: { entry: StorageEntry; address: Address; onClose: () => void }) {
  const [text, setText] = useState(entry.value ?? '')
  const set = useSetVariable(address, entry)
  return (
    <InlineForm
      submit="Set"
      tone="primary"
      busy={set.isPending}
      className="border-line border-y bg-page px-3 py-2"
      onSubmit={() => set.mutate(text.trim(), { onSuccess: onClose })}
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
