import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { formatCount } from '../../../format/amount.ts'
import { shorten } from '../../../format/hash.ts'
import { useFollow, useFollowed, useUnfollow } from '../../../lib/state/follows.ts'
import { losses } from '../../../lib/state/losses.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { AddressDialog } from '../../../ui/forms/AddressDialog.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

/** The accounts and slots that always read the head of the live chain. */
export function Followed() {
  const query = useFollowed()
  const [isOpen, setOpen] = useState(false)
  const unfollow = useUnfollow()
  return (
    <Panel
      title="Followed"
      note="Reads the live chain"
      actions={
        <Button needs="admin" onClick={() => setOpen(true)}>
          Follow
        </Button>
      }
    >
      <Loaded query={query} what="followed accounts" rows={2}>
        {({ accounts, slots }) => {
          const bySlot = Object.entries(slots) as [Address, Hex[]][]
          if (accounts.length + bySlot.length === 0)
            return (
              <Empty title="Nothing followed">
                Followed accounts and slots always read the head of the live chain.
              </Empty>
            )
          return (
            <ul className="max-h-80 divide-y divide-line overflow-y-auto">
              {accounts.map((address) => (
                <li key={address} className="flex h-9 items-center gap-2 px-3">
                  <Account address={address} className="grow" />
                  <Badge tone="followed">account</Badge>
                  <Remove onClick={() => unfollow.mutate({ address })} />
                </li>
              ))}
              {bySlot.map(([address, keys]) => (
                <li key={address} className="flex min-h-9 items-center gap-2 px-3 py-1.5">
                  <Account address={address} className="grow" />
                  <span className="hex text-soft text-xs" title={keys.join('\n')}>
                    {keys.length === 1 ? shorten(keys[0] ?? '') : formatCount(keys.length, 'slot')}
                  </span>
                  <Remove onClick={() => unfollow.mutate({ address, slots: keys })} />
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
      {isOpen && <FollowDialog onClose={() => setOpen(false)} />}
    </Panel>
  )
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
