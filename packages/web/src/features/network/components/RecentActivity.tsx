import { BlockRow } from '../../../components/BlockRow.tsx'
import { MoreLink } from '../../../components/MoreLink.tsx'
import { RawTransactionRow } from '../../../components/TransactionRow.tsx'
import { useRecentBlocks } from '../../../lib/chain/activity.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

const shownBlocks = 10
const shownTransactions = 14

/** The latest transactions. */
export function RecentTransactions() {
  const query = useRecentBlocks(shownBlocks)
  return (
    <Panel title="Transactions" actions={<MoreLink to="/transactions">All transactions</MoreLink>}>
      <Loaded query={query} what="recent transactions" rows={8}>
        {(blocks) => {
          const rows = blocks
            .flatMap(({ transactions, timestamp }) =>
              transactions.toReversed().map((transaction) => ({ transaction, timestamp })),
            )
            .slice(0, shownTransactions)
          if (rows.length === 0)
            return (
              <Empty title={`No transactions in the last ${shownBlocks} blocks`}>
                Connect any Ethereum tool to this URL, or fund an account with the faucet.
              </Empty>
            )
          return (
            <div className="divide-y divide-line">
              {rows.map(({ transaction, timestamp }) => (
                <div key={transaction.hash} className="arrives">
                  <RawTransactionRow {...{ transaction, timestamp }} />
                </div>
              ))}
            </div>
          )
        }}
      </Loaded>
    </Panel>
  )
}

/** The latest blocks. */
export function RecentBlocks() {
  const query = useRecentBlocks(shownBlocks)
  return (
    <Panel title="Blocks" actions={<MoreLink to="/blocks">All blocks</MoreLink>}>
      <Loaded query={query} what="recent blocks" rows={8}>
        {(blocks) => (
          <div className="divide-y divide-line">
            {blocks.map((block) => (
              <div key={block.hash} className="arrives">
                <BlockRow block={block} compact />
              </div>
            ))}
          </div>
        )}
      </Loaded>
    </Panel>
  )
}
