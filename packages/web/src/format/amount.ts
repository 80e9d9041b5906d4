import { formatUnits, parseUnits } from 'viem'

/** Whole digits of an integer in groups of three. */
export function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

export function formatInteger(value: bigint | number): string {
  return groupDigits(value.toString())
}

/** `1 call`, `12 calls`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatInteger(count)} ${count === 1 ? noun : plural}`
}

/** Every digit of an amount, in its unit. */
export function exactAmount(value: bigint, decimals: number): string {
  const [whole = '0', fraction] = formatUnits(value, decimals).split('.')
  return fraction ? `${groupDigits(whole)}.${fraction}` : groupDigits(whole)
}

/** An amount for reading: about six significant digits. */
export function readableAmount(value: bigint, decimals: number): string {
  if (value < 0n) return `−${readableAmount(-value, decimals)}`
  const [whole = '0', fraction = ''] = formatUnits(value, decimals).split('.')
  if (whole.length > 15) return `${whole[0]}.${whole.slice(1, 4)}e${whole.length - 1}`
  for (const [digits, unit] of largeUnits)
    if (whole.length > digits) return `${trimmed(whole.slice(0, -digits), whole.slice(-digits).slice(0, 2))} ${unit}`
  if (whole !== '0') return trimmed(groupDigits(whole), fraction.slice(0, Math.max(0, Math.min(4, 7 - whole.length))))
  const firstDigit = fraction.search(/[1-9]/)
  if (firstDigit < 0) return '0'
  if (firstDigit > 7) return `${fraction[firstDigit]}e−${firstDigit + 1}`
  return trimmed('0', fraction.slice(0, firstDigit + 4))
}

/** How many digits each stands for. */
const largeUnits = [
  [12, 'T'],
  [9, 'B'],
] as const

function trimmed(whole: string, fraction: string): string {
  const digits = fraction.replace(/0+$/, '')
  return digits ? `${whole}.${digits}` : whole
}

/** Wei in the unit that is easiest to read; `currency` is the symbol of 10^18 wei. */
export function readableWei(wei: bigint, currency: string): { text: string; unit: string } {
  const size = wei < 0n ? -wei : wei
  if (size === 0n || size >= 10n ** 13n) return { text: readableAmount(wei, 18), unit: currency }
  if (size >= 10n ** 6n) return { text: readableAmount(wei, 9), unit: 'gwei' }
  return { text: groupDigits(wei.toString()), unit: 'wei' }
}

/** An amount as entered, in the smallest unit. Throws when the text is not an amount. */
export function parseAmount(text: string, decimals: number): bigint {
  const clean = text.replaceAll(/[,_\s]/g, '')
  if (!/^\d+(\.\d*)?$|^\.\d+$/.test(clean))
    throw new Error(`${JSON.stringify(text)} is not an amount. Enter a number such as 1.5`)
  return parseUnits(clean, decimals)
}

export function formatGwei(wei: bigint): string {
  // Less than a thousandth of a gwei reads better in wei.
  return wei < 10n ** 6n ? formatCount(Number(wei), 'wei', 'wei') : `${readableAmount(wei, 9)} gwei`
}

export function formatPercent(part: bigint | number, whole: bigint | number): string {
  if (Number(whole) === 0) return '0%'
  const percent = (Number(part) / Number(whole)) * 100
  if (percent > 0 && percent < 0.05) return '<0.1%'
  return `${percent >= 10 || percent === 0 ? Math.round(percent) : percent.toFixed(1)}%`
}

export function formatBytes(count: number): string {
  return count < 1024
    ? `${count} B`
    : count < 1024 ** 2
      ? `${(count / 1024).toFixed(1)} KiB`
      : `${(count / 1024 ** 2).toFixed(1)} MiB`
}
