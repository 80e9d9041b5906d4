import { csvText } from '../../../format/csv.ts'
import { listedLabel } from '../../../lib/abi/selectors.ts'
import type { ListedTransaction } from './transactions.ts'

/** Transactions as CSV: values in wei. */
export function transactionsCsv(items: readonly ListedTransaction[]): string {
  const rows = items.map((item) => [
    item.blockNumber,
    item.timestamp,
    item.transactionHash,
    item.from,
    item.to ?? '',
    listedLabel(item),
    item.value,
    item.gasUsed,
    item.status,
  ])
  return csvText([['block', 'timestamp', 'hash', 'from', 'to', 'function', 'value', 'gasUsed', 'status'], ...rows])
}
