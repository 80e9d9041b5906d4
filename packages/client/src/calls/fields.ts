import type { Address, Hex } from 'viem'

/** Says which field of a text cannot be read, and what it should be. */
export class CallTextError extends Error {
  /** A path: `transactions[2].value`. */
  readonly field: string
  readonly problem: string

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`)
    this.name = 'CallTextError'
    this.field = field
    this.problem = problem
  }
}

/** An object of a text, whose fields are read by name. */
export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `null` and an empty text are what wallets write for a field without a value. */
const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Throws `CallTextError`. */
export function addressIn(value: unknown, field: string): Address | undefined {
  if (isMissing(value)) return undefined
  // Some wallets write the prefix of the chain that an address is on: `eth:0x…`.
  const address = typeof value === 'string' ? value.trim().replace(/^[a-z0-9-]{1,20}:/, '') : ''
  if (!/^0x[\da-f]{40}$/i.test(address)) throw new CallTextError(field, `expected an address, got ${shown(value)}`)
  return address as Address
}

export function requiredAddress(value: unknown, field: string): Address {
  const address = addressIn(value, field)
  if (!address) throw new CallTextError(field, 'is missing: expected an address')
  return address
}

/** Throws `CallTextError`. */
export function bytesIn(value: unknown, field: string): Hex | undefined {
  if (isMissing(value)) return undefined
  const bytes = typeof value === 'string' ? value.trim() : ''
  if (!/^0x(?:[\da-f]{2})*$/i.test(bytes)) throw new CallTextError(field, `expected 0x-hex bytes, got ${shown(value)}`)
  return bytes as Hex
}

/** A whole number as 0x-hex, in decimal, as a JSON number, or as ethers 5 writes it. Throws `CallTextError`. */
export function quantityIn(value: unknown, field: string): Hex | undefined {
  if (isMissing(value)) return undefined
  const given = isFields(value) && value.type === 'BigNumber' ? value.hex : value
  const text = typeof given === 'number' && Number.isSafeInteger(given) ? String(given) : given
  // 2^256 has 78 digits.
  const isNumber = typeof text === 'string' && /^(?:\d{1,78}|0x[\da-f]{1,64})$/i.test(text.trim())
  const number = isNumber ? BigInt(text.trim()) : -1n
  if (number < 0n || number >= 2n ** 256n)
    throw new CallTextError(field, `expected a whole number in decimal or 0x-hex, got ${shown(value)}`)
  return `0x${number.toString(16)}`
}

/** A value as an error shows it, shortened. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`
}
