import { NetworkError } from '../../shared/errors.ts'

const decimals: Record<string, number> = { wei: 0, gwei: 9, ether: 18, eth: 18 }

/**
 * Parses an amount in wei, such as `1000000000000000000`, `0x…`, `1ether`, `1.5eth` or `30gwei`; returns decimal
 * digits.
 */
export function weiFrom(text: string): string {
  if (/^(0x[\da-f]+|\d+)$/i.test(text)) return BigInt(text).toString()
  const [, whole = '', fraction = '', unit = ''] = /^(\d+)(?:\.(\d+))?\s*([a-z]+)$/i.exec(text) ?? []
  const digits = decimals[unit.toLowerCase()]
  if (whole === '' || digits === undefined || fraction.length > digits)
    throw refuse('amount', `expected wei, or an amount with a unit (1.5ether, 30gwei), got "${text}"`)
  return BigInt(whole + fraction.padEnd(digits, '0')).toString()
}

/** A whole number of at least `least`. */
export function wholeNumberFrom(name: string, text: string, least = 0): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(value) || value < least)
    throw refuse(name, `expected a whole number of at least ${least}, got "${text}"`)
  return value
}

export function refuse(option: string, problem: string): NetworkError {
  return new NetworkError('CONFIG_INVALID', { option, problem })
}

/** Omits `undefined` fields. */
export function given<T extends Record<string, unknown>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}
