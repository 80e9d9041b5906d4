import type { Hex } from '@understudy/evm'
import { codec } from '../../../shared/codec.ts'
import { quantity } from '../../../shared/hex.ts'

/** A number as clients send it: as JSON, as 0x-hex, or as decimal digits. */
function numberFrom(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
  return typeof value === 'string' && /^(?:0x[\da-f]{1,16}|\d{1,16})$/i.test(value) ? BigInt(value) : undefined
}

/** The block that a vnet begins at. */
export const VnetBlock = codec<unknown, Hex | 'latest'>('the number of a block, or latest', (value) => {
  if (value === 'latest' || value === '') return 'latest'
  const number = numberFrom(value)
  return number === undefined ? undefined : quantity(number)
})

export const VnetChainId = codec<unknown, bigint>('the id of a chain, as a number or as text', (value) => {
  const id = numberFrom(value)
  return id === undefined || id === 0n ? undefined : id
})
