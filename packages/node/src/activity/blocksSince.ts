import { decodeStoredHeader } from '../ethereum/header.ts'
import type { Queries } from '../storage/database.ts'
import { loadBlocksNumbered, loadNewestBlock } from '../storage/records/chain/blocks.ts'

/**
 * For each time, in seconds since 1970, the number of the first block of `[from, to]` at or after it; `to + 1` if all
 * are earlier. Timestamps never decrease, so all times are found together by binary search.
 */
export async function loadBlocksSince(
  queries: Queries,
  moments: readonly bigint[],
  { from, to }: { from: bigint; to: bigint },
): Promise<bigint[]> {
  const ranges = moments.map(() => ({ low: from, high: to + 1n }))
  for (;;) {
    const open = ranges.filter(({ low, high }) => low < high)
    if (open.length === 0) return ranges.map(({ low }) => low)
    const times = await loadTimes(queries, new Set(open.map(middleOf)))
    for (const [index, range] of ranges.entries()) {
      if (range.low >= range.high) continue
      const middle = middleOf(range)
      if ((times.get(middle) as bigint) >= (moments[index] as bigint)) range.high = middle
      else range.low = middle + 1n
    }
  }
}

const middleOf = ({ low, high }: { low: bigint; high: bigint }) => (low + high) / 2n

/** The timestamps of the blocks with these numbers; for a skipped number, that of the previous block. */
async function loadTimes(queries: Queries, numbers: ReadonlySet<bigint>): Promise<Map<bigint, bigint>> {
  const blocks = await loadBlocksNumbered(queries, [...numbers])
  const times = new Map(blocks.map(({ number, header }) => [number, decodeStoredHeader(header).timestamp]))
  for (const number of numbers) {
    if (times.has(number)) continue
    const before = await loadNewestBlock(queries, number)
    times.set(number, before ? decodeStoredHeader(before.header).timestamp : 0n)
  }
  return times
}
