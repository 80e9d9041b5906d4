import { memo } from 'react'
import { formatGwei, formatInteger, formatPercent } from '../format/amount.ts'
import { millisFrom } from '../format/time.ts'
import type { FullBlock } from '../lib/chain/block.ts'
import { Age } from '../ui/Age.tsx'
import { Meter } from '../ui/charts/Meter.tsx'
import { Account } from './Account.tsx'
import { BlockLink } from './HashLink.tsx'

/** A block in a list. */
export const BlockRow = memo(({ block, compact = false }: { block: FullBlock; compact?: boolean }) => {
  const { number, timestamp, transactions, gasUsed, gasLimit, baseFeePerGas, miner } = block
  const count = transactions.length
  return (
    <div className="flex h-9 items-center gap-3 px-3 text-sm">
      <span className="w-20 shrink-0 font-medium sm:w-24">
        <BlockLink number={number} />
      </span>
      <span className="w-20 shrink-0 text-xs">
        <Age at={millisFrom(timestamp)} />
      </span>
      <span className={`number w-16 shrink-0 ${count === 0 ? 'text-soft' : ''}`}>
        {formatInteger(count)} <span className="text-soft text-xs">{count === 1 ? 'tx' : 'txs'}</span>
      </span>
      <span className="flex min-w-0 grow items-center gap-2">
        <Meter
          value={Number(gasUsed)}
          max={Number(gasLimit)}
          label={`${formatInteger(gasUsed)} of ${formatInteger(gasLimit)} gas (${formatPercent(gasUsed, gasLimit)})`}
        />
      </span>
      {!compact && (
        <>
          <span className="number hidden w-28 shrink-0 text-right text-soft text-xs md:block">
            {formatInteger(gasUsed)} gas
          </span>
          <span className="number hidden w-32 shrink-0 text-right text-soft text-xs lg:block">
            {baseFeePerGas === null ? '' : formatGwei(baseFeePerGas)}
          </span>
          <span className="hidden w-40 shrink-0 lg:block">
            <Account address={miner} />
          </span>
        </>
      )}
    </div>
  )
})
