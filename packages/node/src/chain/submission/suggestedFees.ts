import type { History } from '../history/history.ts'
import type { SuggestTip } from './suggestedTip.ts'

/** What transactions may offer. Wei per gas. */
export type SuggestedFees = {
  /** The number of the newest block. */
  head: bigint
  /** Of the next block. */
  baseFee: bigint
  /** For those that can wait, for most, and for those that are in a hurry. */
  tips: readonly [low: bigint, medium: bigint, high: bigint]
}

/** So many blocks, and which of the tips that were paid in each. */
const blocks = 20n
const percentiles = [10, 50, 90]

/** Tips by what the transactions of the newest blocks paid; where there were none, all are the suggested tip. */
export async function suggestFees({
  history,
  suggestTip,
}: {
  history: Pick<History, 'head' | 'pendingHeader' | 'loadFeeHistory'>
  suggestTip: SuggestTip
}): Promise<SuggestedFees> {
  const { reward = [], gasUsedRatio } = await history.loadFeeHistory(blocks, 'latest', percentiles)
  const used = reward.filter((_, index) => (gasUsedRatio[index] ?? 0) > 0)
  const suggested = await suggestTip()
  const tip = (index: number) => median(used.map((tips) => tips[index] ?? suggested)) ?? suggested
  return {
    head: history.head().header.number,
    baseFee: history.pendingHeader().baseFeePerGas ?? 0n,
    tips: [tip(0), tip(1), tip(2)],
  }
}

function median(values: readonly bigint[]): bigint | undefined {
  return [...values].sort((a, b) => (a < b ? -1 : Number(a > b)))[values.length >> 1]
}
