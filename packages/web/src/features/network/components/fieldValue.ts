import type { Hex } from 'viem'
import { formatInteger, readableWei } from '../../../format/amount.ts'
import { shorten } from '../../../format/hash.ts'

/** A field of an account or a slot, for reading; `value` is a decimal number, a word or the hash of code. */
export function readableField(
  field: 'balance' | 'nonce' | 'code' | 'storage',
  value: string,
  currency: string,
): string {
  if (field === 'balance') {
    const { text, unit } = readableWei(BigInt(value), currency)
    return `${text} ${unit}`
  }
  if (field === 'nonce') return formatInteger(BigInt(value))
  const word = BigInt(value)
  return field === 'storage' && word < 2n ** 128n ? formatInteger(word) : shorten(value)
}

/** A slot by the variables in it, if they are known. */
export function nameOfSlot(slot: Hex, variables: readonly string[]): string {
  if (variables.length === 0) return `slot ${shorten(slot)}`
  return variables.join(', ').replaceAll(/0x[0-9a-f]{40,64}/gi, (hex) => shorten(hex))
}
