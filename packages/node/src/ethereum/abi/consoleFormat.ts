/** A value as `console.log` takes it: integers in decimal, bytes as 0x-hex, addresses checksummed. */
export type ConsoleValue = { type: string; value: string }

const isInteger = (type: string) => /^u?int/.test(type)

/**
 * The text of a call of `console.log`, as Foundry formats it: if the first value is a string, its `%s`, `%d`, `%i`, `%o`,
 * `%x`, `%e` and `%18e` are replaced by the values that follow, and `%%` by a percent sign. The values that are left are
 * appended, with a space before each.
 */
export function formatConsole(values: readonly ConsoleValue[]): string {
  const [first, ...rest] = values
  if (first?.type !== 'string') return values.map(({ value }) => value).join(' ')
  if (rest.length === 0) return first.value.replaceAll('%%', '%')
  const text = first.value.replace(/%(?:%|[sdiox]|(\d{0,3})e)/g, (specifier, decimals?: string) => {
    if (specifier === '%%') return '%'
    const next = rest.shift()
    return next === undefined ? specifier : formatValue(next, specifier.at(-1) as string, decimals ?? '')
  })
  return [text, ...rest.map(({ value }) => value)].join(' ')
}

function formatValue({ type, value }: ConsoleValue, kind: string, decimals: string): string {
  if (kind === 's') return value
  if (isInteger(type)) return formatInteger(BigInt(value), kind, decimals)
  if (kind === 'o') return `'${value}'`
  if (kind === 'd' && type === 'bool') return value === 'true' ? '1' : '0'
  return kind === 'x' && value.startsWith('0x') && type !== 'string' ? value : 'NaN'
}

function formatInteger(value: bigint, kind: string, decimals: string): string {
  if (kind === 'x') return `0x${BigInt.asUintN(256, value).toString(16)}`
  if (kind !== 'e') return value.toString()
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString()
  const point = decimals === '' ? digits.length - 1 : Number(decimals)
  const padded = digits.padStart(point + 1, '0')
  const whole = padded.length - point
  let end = padded.length
  while (end > whole && padded[end - 1] === '0') end--
  const number = `${sign}${padded.slice(0, whole)}${end > whole ? `.${padded.slice(whole, end)}` : ''}`
  return decimals === '' ? `${number}e${point}` : number
}
