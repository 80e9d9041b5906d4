import { useState } from 'react'
import { type Address, hexToBigInt } from 'viem'
import { formatInteger } from '../../../format/amount.ts'
import { useFollow, useUnfollow } from '../../../lib/state/follows.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { InlineForm } from '../../../ui/forms/InlineForm.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { slotKey, useAccount, useSlot } from '../api/account.ts'

const firstSlots = ['0', '1', '2', '3', '4', '5', '6', '7']

/** The first slots, and any other that is entered. */
export function StorageReader({ address }: { address: Address }) {
  const [slots, setSlots] = useState<readonly string[]>(firstSlots)
  const [wanted, setWanted] = useState('')
  return (
    <Panel title="Raw slots">
      <InlineForm
        submit="Read slot"
        className="border-line border-b p-3"
        onSubmit={() => {
          if (wanted && !slots.includes(wanted)) setSlots([wanted.trim(), ...slots])
          setWanted('')
        }}
      >
        <div className="min-w-0 max-w-xl grow">
          <TextField
            label="Slot"
            hint="number or 32-byte key"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </div>
      </InlineForm>
      <ul className="divide-y divide-line">
        {slots.map((slot) => (
          <SlotRow key={slot} address={address} slot={slot} />
        ))}
      </ul>
    </Panel>
  )
}

function SlotRow({ address, slot }: { address: Address; slot: string }) {
  const query = useSlot(address, slot)
  const { data: account } = useAccount(address)
  const follow = useFollow()
  const unfollow = useUnfollow()
  const target = { address, slots: [slot] }
  const key = `0x${slotKey(slot).slice(2).padStart(64, '0')}`
  const isFollowed = account?.followedSlots.some((one) => one === key) ?? false
  return (
    <li className="grid items-center gap-x-3 px-3 py-1.5 sm:grid-cols-[minmax(3rem,10rem)_minmax(0,1fr)_auto]">
      <span className="hex truncate text-soft text-xs" title={key}>
        {slot}
      </span>
      {query.isError ? (
        <Problem error={query.error} />
      ) : (
        <span className="hex min-w-0 break-all text-xs">
          {query.data ?? '…'}
          {query.data && hexToBigInt(query.data) < 2n ** 128n && (
            <span className="number ml-2 font-sans text-soft">{formatInteger(hexToBigInt(query.data))}</span>
          )}
        </span>
      )}
      <span className="flex items-center gap-2">
        {isFollowed && <Badge tone="followed">followed</Badge>}
        <Button
          needs="admin"
          tone="quiet"
          // Before the account is known, it could offer the wrong one of both.
          disabled={account === undefined}
          busy={follow.isPending || unfollow.isPending}
          onClick={() => (isFollowed ? unfollow.mutate(target) : follow.mutate(target))}
        >
          {isFollowed ? 'Unfollow' : 'Follow'}
        </Button>
      </span>
    </li>
  )
}
