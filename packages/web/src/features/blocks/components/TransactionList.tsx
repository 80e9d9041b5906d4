import { useEffect } from 'react'
import { TransactionRow } from '../../../components/TransactionRow.tsx'
import { formatInteger } from '../../../format/amount.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { VirtualList } from '../../../ui/VirtualList.tsx'
import { useBlockRange } from '../api/range.ts'
import { RangeFrame } from './RangeFrame.tsx'

const firstView = 40

/** Every transaction, newest first. */
export function TransactionList() {
  const range = useBlockRange()
  const { blocks = [], more } = range
  const rows = blocks.flatMap(({ transactions, timestamp }) =>
    transactions.toReversed().map((transaction) => ({ transaction, timestamp })),
  )
  // Blocks can be empty: loads more until the first view is full.
  useEffect(() => {
    if (rows.length < firstView) more?.()
  }, [rows.length, more])
  return (
    <RangeFrame
      range={range}
      what="Transactions"
      note={`${formatInteger(rows.length)} in ${formatInteger(blocks.length)} blocks`}
    >
      {rows.length === 0 && !more && <Empty title="No transactions yet" />}
      <VirtualList
        items={rows}
        rowHeight={37}
        keyOf={({ transaction }) => transaction.hash}
        onEnd={more}
        label="Transactions"
      >
        {({ transaction, timestamp }) => <TransactionRow {...{ transaction, timestamp }} showBlock />}
      </VirtualList>
    </RangeFrame>
  )
}
