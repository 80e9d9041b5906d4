import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import { shorten } from '../../../format/hash.ts'
import { useFollow, useFollowed, useUnfollow } from '../../../lib/state/follows.ts'
import { losses } from '../../../lib/state/losses.ts'
import { Button } from '../../../ui/Button.tsx'
import { AddressDialog } from '../../../ui/forms/AddressDialog.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { GroupEntries, GroupFrame, type GroupView } from './DifferenceGroup.tsx'

/** The accounts and slots that always read the head of the live chain. */
export function Followed(view: GroupView) {
  const query = useFollowed()
  const [isOpen, setOpen] = useState(false)
  const unfollow = useUnfollow()
  const targets = query.data && targetsOf(query.data)
  return (
    <GroupFrame
      kind="followed"
      note="Always read from the head of the live chain"
      count={targets && formatInteger(targets.length)}
      actions={
        <Button needs="admin" onClick={() => setOpen(true)}>
          Follow
        </Button>
      }
    >
      <Loaded query={query} what="followed accounts" rows={1}>
        {() => (
          <GroupEntries
            kind="followed"
            items={targets ?? []}
            keyOf={({ address, slots }) => address + (slots ? '.slots' : '')}
            empty="Nothing followed. Follow an account to see what it does on the live chain."
            {...view}
          >
            {(target) => (
              <div className="flex min-w-0 items-center gap-2">
                <Account address={target.address} className="grow" />
                <span className="hex text-followed text-xs" title={target.slots?.slice(0, 20).join('\n')}>
                  {describeTarget(target)}
                </span>
                <Remove onClick={() => unfollow.mutate(target)} />
              </div>
            )}
          </GroupEntries>
        )}
      </Loaded>
      {isOpen && <FollowDialog onClose={() => setOpen(false)} />}
    </GroupFrame>
  )
}

type Target = { address: Address; slots?: Hex[] }

const targetsOf = ({ accounts, slots }: { accounts: Address[]; slots: Record<string, Hex[]> }): Target[] => [
  ...accounts.map((address) => ({ address })),
  ...Object.entries(slots).map(([address, keys]) => ({ address: address as Address, slots: keys })),
]

function describeTarget({ slots }: Target): string {
  if (!slots) return 'whole account'
  return slots.length === 1 ? `slot ${shorten(slots[0] ?? '')}` : formatCount(slots.length, 'slot')
}

function Remove({ onClick }: { onClick: () => void }) {
  return (
    <Button needs="admin" tone="quiet" aria-label="Unfollow" title="Unfollow" onClick={onClick}>
      <Icon name="close" size={12} />
    </Button>
  )
}

function FollowDialog({ onClose }: { onClose: () => void }) {
  const follow = useFollow()
  return (
    <AddressDialog
      title="Follow account"
      explanation={losses.follow}
      submit="Follow"
      action={follow}
      onSubmit={(address) => follow.mutate({ address }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
