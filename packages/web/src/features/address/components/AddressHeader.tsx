import { useNavigate } from '@tanstack/react-router'
import type { Address } from 'viem'
import { useAddWorkspace, workspaceIdOf } from '../../../lib/contracts/addWorkspace.ts'
import { useToken } from '../../../lib/contracts/token.ts'
import { checksummed } from '../../../lib/format/hash.ts'
import { useName } from '../../../lib/names/names.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { useAccount, useAccountAction } from '../api/account.ts'

/** Which address it is, and what can be done to it as a whole. */
export function AddressHeader({ address }: { address: Address }) {
  const { data: account } = useAccount(address)
  const { data: token } = useToken(address)
  const name = useName(address)
  const whole = checksummed(address)
  const act = useAccountAction()
  const navigate = useNavigate()
  const addWorkspace = useAddWorkspace()
  const isContract = account !== undefined && account.code !== '0x'
  return (
    <PageTitle
      tab={name ?? whole.slice(0, 10)}
      title={name ?? (isContract ? 'Contract' : 'Address')}
      note={
        <>
          <span className="hex min-w-0 break-all">{whole}</span>
          <CopyButton text={whole} what="the address" />
          {account && <Badge>{isContract ? 'contract' : 'wallet'}</Badge>}
          {token && <Badge tone="accent">token {token.symbol}</Badge>}
          {account?.isFollowed && <Badge tone="good">followed</Badge>}
          {account?.isImpersonated && <Badge tone="accent">impersonated</Badge>}
        </>
      }
      actions={
        account && (
          <>
            <Button
              busy={act.isPending}
              onClick={() =>
                act.mutate(
                  account.isFollowed
                    ? { change: () => rpc('dev_unfollowAccount', address), done: 'No longer followed' }
                    : { change: () => rpc('dev_followAccount', address), done: 'Follows the live chain' },
                )
              }
            >
              {account.isFollowed ? 'Unfollow' : 'Follow'}
            </Button>
            <Button
              busy={act.isPending}
              onClick={() =>
                act.mutate(
                  account.isImpersonated
                    ? {
                        change: () => rpc('dev_stopImpersonatingAccount', address),
                        done: 'It needs a signature again',
                      }
                    : {
                        change: () => rpc('dev_impersonateAccount', address),
                        done: 'It may send without a signature now',
                      },
                )
              }
            >
              {account.isImpersonated ? 'Stop impersonating' : 'Impersonate'}
            </Button>
            <Button
              busy={act.isPending}
              onClick={() =>
                act.mutate({ change: () => rpc('dev_resyncAccount', address), done: 'Reads the live chain again' })
              }
            >
              Resync
            </Button>
            <Button
              tone="primary"
              busy={addWorkspace.isPending}
              onClick={() =>
                addWorkspace.mutate(
                  { name: name ?? `${whole.slice(0, 8)}…`, address },
                  {
                    onSuccess: (added) => void navigate({ to: '/workspace/$id', params: { id: workspaceIdOf(added) } }),
                  },
                )
              }
            >
              Make a workspace
            </Button>
          </>
        )
      }
    />
  )
}
