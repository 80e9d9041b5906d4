import { readableText } from '../../shared/readableText.ts'

/** Wider columns are truncated. */
const widest = 66

/** Formats a result for a terminal: a table of objects, lines of fields, or the value. */
export function formatResult(result: unknown): string {
  if (result === null || result === undefined || result === true) return 'done'
  if (Array.isArray(result)) return result.every(isObject) ? formatTable(result) : result.map(formatValue).join('\n')
  return isObject(result) ? formatFields(result) : formatValue(result)
}

/** One line for each field. */
export function formatFields(fields: Record<string, unknown>): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined)
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown
    .map(([name, value]) => {
      const text = isLines(value) ? value.map(readableText).join(`\n${' '.repeat(width + 2)}`) : formatValue(value)
      return `${name.padEnd(width)}  ${text}`
    })
    .join('\n')
}

/** One line for each row, below a header. The columns default to the fields of the first row. */
export function formatTable(rows: readonly Record<string, unknown>[], columns = Object.keys(rows[0] ?? {})): string {
  if (rows.length === 0) return 'none'
  const lines = [columns, ...rows.map((row) => columns.map((column) => cut(formatValue(row[column]))))]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Texts of several words are on lines of their own. */
function isLines(value: unknown): value is string[] {
  return Array.isArray(value) && value.some((item) => typeof item === 'string' && item.includes(' '))
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '-'
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return readableText(value.join(', ')) || '-'
  return readableText(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

function cut(text: string): string {
  return text.length <= widest ? text : `${text.slice(0, widest - 1)}…`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
