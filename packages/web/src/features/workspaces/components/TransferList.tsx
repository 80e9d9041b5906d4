import { useToken } from '../../../lib/contracts/token.ts'
import { Account } from '../../../lib/names/Account.tsx'
import { Age } from '../../../ui/Age.tsx'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { TransactionLink } from '../../../ui/HashLink.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { type Entry, useWorkspaceList } from '../api/workspaces.ts'
import { PagedList } from './PagedList.tsx'

/** Ether and tokens that it sent or got. */
export function TransferList({ id }: { id: string }) {
  const query = useWorkspaceList(id, 'Transfers')
  return (
    <PagedList title="Transfers" query={query} keyOf={(transfer) => JSON.stringify(transfer)}>
      {(transfer) => <TransferRow transfer={transfer} />}
    </PagedList>
  )
}

function TransferRow({
  transfer: { transactionHash, timestamp, kind, token, from, to, tokenId, amount },
}: {
  transfer: Entry<'Transfers'>
}) {
  const { data: known } = useToken(token ?? undefined)
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
      <TransactionLink hash={transactionHash} />
      <Badge>{kind === 'native' ? 'ether' : kind}</Badge>
      <Account address={from} />
      <span className="text-soft">
        <Icon name="right" size={12} />
      </span>
      <Account address={to} />
      <span className="ml-auto flex items-center gap-3">
        {token === null ? (
          <Amount value={BigInt(amount)} />
        ) : (
          <Amount value={BigInt(amount)} token={{ symbol: known?.symbol ?? '', decimals: known?.decimals ?? 0 }} />
        )}
        {tokenId !== null && <span className="number">#{tokenId}</span>}
        <span className="w-16 text-right text-xs">
          <Age at={Date.parse(timestamp)} />
        </span>
      </span>
    </div>
  )
}
