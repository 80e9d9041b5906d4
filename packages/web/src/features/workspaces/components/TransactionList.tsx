import { formatInteger } from '../../../lib/format/amount.ts'
import { Account } from '../../../lib/names/Account.tsx'
import { Age } from '../../../ui/Age.tsx'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { TransactionLink } from '../../../ui/HashLink.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { useWorkspaceList } from '../api/workspaces.ts'
import { PagedList } from './PagedList.tsx'

/** The transactions that had to do with it, also by calls inside them. */
export function TransactionList({ id }: { id: string }) {
  const query = useWorkspaceList(id, 'Transactions')
  return (
    <PagedList title="Transactions" query={query} keyOf={({ transactionHash }) => transactionHash}>
      {({ transactionHash, timestamp, status, from, to, function: fn, value, gasUsed, revert }) => (
        <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
          <TransactionLink hash={transactionHash} />
          <Badge title={fn?.signature}>{fn?.name ?? (to ? 'call' : 'create')}</Badge>
          {status === 'failed' && (
            <Badge tone="bad">{revert?.reason ? `reverted: ${revert.reason}` : 'reverted'}</Badge>
          )}
          <span className="flex min-w-0 items-center gap-1.5">
            <Account address={from} />
            <span className="text-soft">
              <Icon name="right" size={12} />
            </span>
            {to ? <Account address={to} /> : <span className="text-soft">new contract</span>}
          </span>
          <span className="ml-auto flex items-center gap-3">
            {BigInt(value) > 0n && <Amount value={BigInt(value)} />}
            <span className="number hidden text-soft text-xs sm:block">{formatInteger(BigInt(gasUsed))} gas</span>
            <span className="w-16 text-right text-xs">
              <Age at={Date.parse(timestamp)} />
            </span>
          </span>
        </div>
      )}
    </PagedList>
  )
}
