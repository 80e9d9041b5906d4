import { useMemo } from 'react'
import type { Hex } from 'viem'
import { BlockLink, TransactionLink } from '../../../components/HashLink.tsx'
import { formatInteger } from '../../../format/amount.ts'
import { formatDateTime } from '../../../format/time.ts'
import type { Period } from '../../../lib/period/period.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { VirtualList } from '../../../ui/VirtualList.tsx'
import { type TrackedItem, useHistories } from '../api/tracked.ts'
import { readableValue, useUnits } from '../api/units.ts'

/** The recorded values of one item, newest first. */
export function SampleTable({ item, period }: { item: TrackedItem; period: Period | undefined }) {
  const [query] = useHistories([item.id], period)
  const [unit = { symbol: '', decimals: 0 }] = useUnits([item])
  const values = query?.data?.values
  const rows = useMemo(() => values?.toReversed().map((entry, index) => ({ ...entry, index })) ?? [], [values])
  if (rows.length === 0) return null
  return (
    <Panel title="Recorded values" note={formatInteger(rows.length)}>
      <VirtualList items={rows} rowHeight={33} keyOf={({ index }) => String(index)} label="Recorded values">
        {({ value, blockNumber, timestamp, txHash }) => (
          <div className="grid h-8 grid-cols-[minmax(0,1fr)_auto] items-center gap-4 px-3 text-sm sm:grid-cols-[12rem_6rem_minmax(0,1fr)_9rem]">
            <span className="number hidden text-soft text-xs sm:block">{formatDateTime(Date.parse(timestamp))}</span>
            <span className="hidden sm:block">
              <BlockLink number={blockNumber} />
            </span>
            <span className="number min-w-0 truncate" title={value}>
              {readableValue(value, unit)} <CopyButton text={value} what="exact value" />
            </span>
            <span className="text-right">
              {txHash && !/^0x0+$/.test(txHash) && <TransactionLink hash={txHash as Hex} />}
            </span>
          </div>
        )}
      </VirtualList>
    </Panel>
  )
}
