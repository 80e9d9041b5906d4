/** Rows as CSV. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => row.map(cell).join(',')).join('\n')
}

/** Quoted where needed. Text that a spreadsheet would run as a formula gets an apostrophe; negative numbers do not. */
function cell(value: string | number): string {
  const isFormula = /^[=+\-@\t\r\n]/.test(String(value)) && !/^-\d+$/.test(String(value))
  const text = isFormula ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
