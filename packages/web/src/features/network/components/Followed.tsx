import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { shorten } from '../../../lib/format/hash.ts'
import { Account } from '../../../lib/names/Account.tsx'
import { AddressDialog } from '../../../ui/AddressDialog.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useFollowAccount, useFollowed, useUnfollow } from '../api/follows.ts'

/** What reads the live chain's head, whatever the base is. */
export function Followed() {
  const query = useFollowed()
  const [isOpen, setOpen] = useState(false)
  const unfollow = useUnfollow()
  return (
    <Panel title="Followed" note="reads live" actions={<Button onClick={() => setOpen(true)}>Follow</Button>}>
      <Loaded query={query} what="the followed set" rows={2}>
        {({ accounts, slots }) => {
          const bySlot = Object.entries(slots) as [Address, Hex[]][]
          if (accounts.length + bySlot.length === 0)
            return (
              <Empty title="Nothing is followed">Followed accounts and slots always read the live chain’s head.</Empty>
            )
          return (
            <ul className="max-h-80 divide-y divide-line overflow-y-auto">
              {accounts.map((address) => (
                <li key={address} className="flex h-9 items-center gap-2 px-3">
                  <Account address={address} className="grow" />
                  <Badge tone="accent">whole account</Badge>
                  <Remove onClick={() => unfollow.mutate({ address })} />
                </li>
              ))}
              {bySlot.map(([address, keys]) => (
                <li key={address} className="flex min-h-9 items-center gap-2 px-3 py-1.5">
                  <Account address={address} className="grow" />
                  <span className="hex text-soft text-xs" title={keys.join('\n')}>
                    {keys.length === 1 ? shorten(keys[0] ?? '') : `${keys.length} slots`}
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
    <Button tone="quiet" aria-label="Unfollow" title="Unfollow" onClick={onClick}>
      <Icon name="close" size={12} />
    </Button>
  )
}

function FollowDialog({ onClose }: { onClose: () => void }) {
  const follow = useFollowAccount()
  return (
    <AddressDialog
      title="Follow an account"
      explanation="Balance, nonce, code and every slot then come from the live chain’s head. What was changed of it here is given back, and later changes last until their block is sealed."
      submit="Follow"
      busy={follow.isPending}
      onSubmit={(address) => follow.mutate(address, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
