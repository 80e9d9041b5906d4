import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { TransactionRow } from '../../../lib/chain/TransactionRow.tsx'
import { type RawTransaction, transactionFrom } from '../../../lib/chain/transaction.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

const shown = 25

type Found = { txs: RawTransaction[]; receipts: { timestamp: Hex; status: Hex }[] }

/** The newest transactions in which an address called or was called; a workspace lists all of them. */
export function RecentTransactions({ address }: { address: Address }) {
  const query = useQuery({
    queryKey: ['head', 'transactionsOf', address.toLowerCase()],
    queryFn: () => rpc<Found>('ots_searchTransactionsBefore', address, '0x0', shown),
  })
  return (
    <Panel title="Transactions" note={`the newest ${shown} on this network; a workspace lists all`}>
      <Loaded query={query} what="transactions" rows={4}>
        {({ txs, receipts }) =>
          txs.length === 0 ? (
            <Empty title="None on this network yet" />
          ) : (
            <div className="divide-y divide-line">
              {txs.map((raw, index) => (
                <TransactionRow
                  key={raw.hash}
                  transaction={transactionFrom(raw)}
                  timestamp={Number(receipts[index]?.timestamp ?? 0) * 1000}
                  failed={Number(receipts[index]?.status ?? 1) === 0}
                  showBlock
                />
              ))}
            </div>
          )
        }
      </Loaded>
    </Panel>
  )
}
