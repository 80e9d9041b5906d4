import { csvText } from '../../../format/csv.ts'
import type { History, TrackedItem } from './tracked.ts'

/** Recorded values as CSV, in their smallest unit. */
export function csvOf(loaded: readonly { item: TrackedItem; history: History }[]): string {
  const rows = loaded.flatMap(({ item, history }) =>
    history.values.map(({ value, blockNumber, timestamp, txHash }) => [
      item.name,
      timestamp,
      blockNumber,
      value,
      txHash ?? '',
    ]),
  )
  return csvText([['item', 'timestamp', 'block', 'value', 'transaction'], ...rows])
}
