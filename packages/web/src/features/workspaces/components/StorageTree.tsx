import { useState } from 'react'
import { type Address, type Hex, hexToBigInt, numberToHex } from 'viem'
import { shorten } from '../../../lib/format/hash.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type StorageEntry, useStorage } from '../api/details.ts'

/** The variables of a contract as its layout types them; without one the slots that were written here. */
export function StorageTree({ id, address }: { id: string; address: Address }) {
  const [text, setText] = useState('')
  const [path, setPath] = useState<string>()
  const query = useStorage(id, path)
  return (
    <Panel
      title="Storage"
      note={query.data?.layout ? `as ${query.data.layout.contract} lays it out` : 'slots written here'}
    >
      <form
        className="flex items-end gap-2 border-line border-b p-3"
        onSubmit={(event) => {
          event.preventDefault()
          setPath(text.trim() || undefined)
        }}
      >
        <div className="min-w-0 max-w-xl grow">
          <TextField
            label="Path"
            hint="such as balances[0x…] or users[3].name; empty: all"
            className="hex"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Button type="submit" className="h-8">
          Show
        </Button>
      </form>
      <Loaded query={query} what="the storage" rows={6}>
        {({ entry, entries }) => {
          const shown = entry ? [entry] : entries
          return shown.length === 0 ? (
            <Empty title="Nothing was written here, and no storage layout is known">
              Import the contract with its storageLayout to see its variables by name.
            </Empty>
          ) : (
            <ul className="overflow-x-auto py-1">
              {shown.map((one) => (
                <Entry key={one.path} entry={one} address={address} depth={0} />
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Panel>
  )
}

const origins = { upstream: 'live chain', local: 'changed here', followed: 'followed' } as const

function Entry({ entry, address, depth }: { entry: StorageEntry; address: Address; depth: number }) {
  const { path, name, type, slot, value, origin, upstreamValue, length, parts } = entry
  const [isOpen, setOpen] = useState(depth < 1)
  const [isEditing, setEditing] = useState(false)
  const follow = useAction(
    (method: 'dev_followSlots' | 'dev_unfollowSlots') => rpc(method, address, [slot]),
    (_, method) =>
      method === 'dev_followSlots' ? 'The slot follows the live chain' : 'The slot is no longer followed',
  )
  const children = parts?.entries ?? []
  return (
    <li>
      <div
        className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 pr-3 hover:bg-raised"
        style={{ paddingLeft: depth * 18 + 10 }}
      >
        <button
          type="button"
          aria-label={`${isOpen ? 'Fold' : 'Unfold'} ${path}`}
          className={`rounded p-0.5 text-soft ${children.length === 0 ? 'invisible' : ''}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={12} />
        </button>
        <span className="hex min-w-0 break-all font-medium text-xs" title={path}>
          {name}
        </span>
        <span className="min-w-0 break-all text-soft text-xs">{type}</span>
        <span className="hex min-w-0 break-all text-xs">{value ?? (length === null ? '' : `${length} elements`)}</span>
        {origin !== 'upstream' && <Badge tone={origin === 'followed' ? 'good' : 'warn'}>{origins[origin]}</Badge>}
        {upstreamValue !== null && (
          <Badge tone="bad" title="What the live chain has there">
            drifted: {upstreamValue.length > 24 ? shorten(upstreamValue) : upstreamValue}
          </Badge>
        )}
        <span className="ml-auto flex items-center gap-1">
          <span className="hex hidden text-2xs text-soft md:block" title={slot}>
            {shorten(slot)}
          </span>
          {value !== null && (
            <Button tone="quiet" onClick={() => setEditing(!isEditing)}>
              Edit
            </Button>
          )}
          <Button
            tone="quiet"
            busy={follow.isPending}
            onClick={() => follow.mutate(origin === 'followed' ? 'dev_unfollowSlots' : 'dev_followSlots')}
          >
            {origin === 'followed' ? 'Unfollow' : 'Follow'}
          </Button>
        </span>
      </div>
      {isEditing && <SlotForm entry={entry} address={address} onClose={() => setEditing(false)} />}
      {isOpen && children.length > 0 && (
        <ul>
          {children.map((one) => (
            <Entry key={one.path} entry={one} address={address} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  )
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
    <form
      className="flex items-end gap-2 border-line border-y bg-page px-3 py-2"
      onSubmit={(event) => {
        event.preventDefault()
        write.mutate(text.trim(), { onSuccess: onClose })
      }}
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
      <Button type="submit" tone="primary" className="h-8" busy={write.isPending}>
        Set
      </Button>
    </form>
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
