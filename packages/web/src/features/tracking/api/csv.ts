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
  return [['item', 'timestamp', 'block', 'value', 'transaction'], ...rows]
    .map((row) => row.map(cell).join(','))
    .join('\n')
}

/** Quoted where needed. Text that a spreadsheet would run as a formula gets an apostrophe; negative numbers do not. */
function cell(value: string | number): string {
  const isFormula = /^[=+\-@\t\r\n]/.test(String(value)) && !/^-\d+$/.test(String(value))
  const text = isFormula ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  link.download = name.replaceAll(/[^\w.-]+/g, '_')
  link.click()
  URL.revokeObjectURL(link.href)
}
