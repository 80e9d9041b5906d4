import type { Address } from 'viem'
import { RawTransactionRow } from '../../../components/TransactionRow.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTransactionsOf } from '../api/transactions.ts'

const shown = 25

/** The latest transactions in which an address called or was called. */
export function RecentTransactions({ address }: { address: Address }) {
  const query = useTransactionsOf(address, shown)
  return (
    <Panel title="Transactions" note={`Latest ${shown} on this network. Create a workspace to see all of them.`}>
      <Loaded query={query} what="transactions" rows={4}>
        {(transactions) =>
          transactions.length === 0 ? (
            <Empty title="No transactions on this network yet" />
          ) : (
            <div className="divide-y divide-line">
              {transactions.map(({ transaction, timestamp, failed }) => (
                <RawTransactionRow key={transaction.hash} {...{ transaction, timestamp, failed }} showBlock />
              ))}
            </div>
          )
        }
      </Loaded>
    </Panel>
  )
}
