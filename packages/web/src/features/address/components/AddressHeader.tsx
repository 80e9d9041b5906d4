import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { checksummed } from '../../../format/hash.ts'
import { useAbi } from '../../../lib/contracts/abi.ts'
import { useAddWorkspace } from '../../../lib/contracts/addWorkspace.ts'
import { useToken } from '../../../lib/contracts/token.ts'
import { useName, useWorkspaceOf } from '../../../lib/names/names.ts'
import { useFollow, useResync, useUnfollow } from '../../../lib/state/follows.ts'
import { useImpersonate, useStopImpersonating } from '../../../lib/state/impersonation.ts'
import { losses } from '../../../lib/state/losses.ts'
import { useWatchAccount } from '../../../lib/watch/watches.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { type AccountState, useAccount } from '../api/account.ts'

type Props = {
  address: Address
  /** More that is known of it, beside its type. */
  badges: ReactNode
}

/** Which address it is, and the actions on the whole account. */
export function AddressHeader({ address, badges }: Props) {
  const { data: account } = useAccount(address)
  const { data: token } = useToken(address)
  const name = useName(address)
  const whole = checksummed(address)
  const isContract = account !== undefined && account.code !== '0x'
  const { data: abi } = useAbi(isContract ? address : undefined)
  const workspace = useWorkspaceOf(address)
  return (
    <PageTitle
      tab={name ?? whole.slice(0, 10)}
      title={name ?? abi?.name ?? (isContract ? 'Contract' : 'Wallet')}
      note={
        <>
          <span className="hex min-w-0 break-all">{whole}</span>
          <CopyButton text={whole} what="address" />
          {account && <Badge>{isContract ? 'contract' : 'wallet'}</Badge>}
          {badges}
          {abi?.source === 'import' && abi.name && <Badge tone="good">recognised as {abi.name}</Badge>}
          {token && <Badge tone="accent">{token.symbol} token</Badge>}
          {account?.isFollowed && <Badge tone="followed">followed</Badge>}
          {account?.isImpersonated && <Badge tone="accent">impersonated</Badge>}
        </>
      }
      actions={
        account && (
          <>
            <WatchButton address={address} />
            <AccountActions address={address} account={account} />
            {!workspace && <CreateWorkspace address={address} name={name ?? abi?.name ?? `${whole.slice(0, 8)}…`} />}
          </>
        )
      }
    />
  )
}

function WatchButton({ address }: { address: Address }) {
  const [isWatched, toggle] = useWatchAccount(address)
  return (
    <Button
      aria-pressed={isWatched}
      title="Shows a notification in this browser when a transaction from or to this address is sealed or fails"
      onClick={toggle}
    >
      {isWatched ? 'Watching' : 'Watch'}
    </Button>
  )
}

function AccountActions({ address, account }: { address: Address; account: AccountState }) {
  const follow = useFollow()
  const unfollow = useUnfollow()
  const impersonate = useImpersonate()
  const stop = useStopImpersonating()
  const resync = useResync()
  return (
    <>
      {account.isFollowed ? (
        <Button needs="admin" busy={unfollow.isPending} onClick={() => unfollow.mutate({ address })}>
          Unfollow
        </Button>
      ) : (
        <ConfirmButton
          title="Follow the live chain?"
          explanation={losses.follow}
          busy={follow.isPending}
          onConfirm={() => follow.mutate({ address })}
        >
          Follow
        </ConfirmButton>
      )}
      {account.isImpersonated ? (
        <Button needs="admin" busy={stop.isPending} onClick={() => stop.mutate(address)}>
          Stop impersonating
        </Button>
      ) : (
        <Button needs="admin" busy={impersonate.isPending} onClick={() => impersonate.mutate(address)}>
          Impersonate
        </Button>
      )}
      <ConfirmButton
        title="Resync with the live chain?"
        explanation={losses.resync}
        busy={resync.isPending}
        onConfirm={() => resync.mutate(address)}
      >
        Resync
      </ConfirmButton>
    </>
  )
}

function CreateWorkspace({ address, name }: { address: Address; name: string }) {
  const add = useAddWorkspace()
  return (
    <Button needs="admin" tone="primary" busy={add.isPending} onClick={() => add.mutate({ name, address })}>
      Create workspace
    </Button>
  )
}
