import type { Address } from 'viem'
import { useRecentBlocks } from '../../../lib/chain/activity.ts'
import { TransactionRow } from '../../../lib/chain/TransactionRow.tsx'
import { sameAddress } from '../../../lib/format/hash.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

const searchedBlocks = 50

/** What the newest blocks hold of an address; a workspace keeps all of it. */
export function RecentTransactions({ address }: { address: Address }) {
  const query = useRecentBlocks(searchedBlocks)
  return (
    <Panel title="Transactions" note={`in the last ${searchedBlocks} blocks; a workspace shows all`}>
      <Loaded query={query} what="transactions" rows={4}>
        {(blocks) => {
          const rows = blocks.flatMap(({ transactions, timestamp }) =>
            transactions
              .filter(({ from, to }) => sameAddress(from, address) || sameAddress(to, address))
              .map((transaction) => ({ transaction, timestamp })),
          )
          if (rows.length === 0) return <Empty title="None" />
          return (
            <div className="divide-y divide-line">
              {rows.map((row) => (
                <TransactionRow key={row.transaction.hash} {...row} showBlock />
              ))}
            </div>
          )
        }}
      </Loaded>
    </Panel>
  )
}
