import { useRecentBlocks } from '../../../lib/chain/activity.ts'
import { BlockRow } from '../../../lib/chain/BlockRow.tsx'
import { TransactionRow } from '../../../lib/chain/TransactionRow.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { MoreLink } from '../../../ui/MoreLink.tsx'
import { Panel } from '../../../ui/Panel.tsx'

const shownBlocks = 10
const shownTransactions = 14

/** The newest blocks and transactions, as they come. */
export function RecentActivity() {
  const query = useRecentBlocks(shownBlocks)
  return (
    <>
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
                <Empty title={`No transaction in the last ${shownBlocks} blocks`}>
                  Send one to this address with any Ethereum tool, or fund an account here.
                </Empty>
              )
            return (
              <div className="divide-y divide-line">
                {rows.map(({ transaction, timestamp }) => (
                  <div key={transaction.hash} className="arrives">
                    <TransactionRow {...{ transaction, timestamp }} />
                  </div>
                ))}
              </div>
            )
          }}
        </Loaded>
      </Panel>
    </>
  )
}
