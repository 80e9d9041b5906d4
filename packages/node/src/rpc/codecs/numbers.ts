import type { Word } from '@understudy/evm'
import { z } from 'zod'
import { type CodecMeta, codec } from '../../shared/codec.ts'
import { quantity, wordFromBigint } from '../../shared/hex.ts'

const maxUint64 = 2n ** 64n - 1n
const maxUint256 = 2n ** 256n - 1n
/** The latest accepted second, about 35 000 years from now: the maximum of a `Date`. */
const maxSeconds = 2n ** 40n

/** A whole number from `min` to `max`: 0x-hex, decimal digits, or a JSON number, which some clients send. */
export function quantityUpTo(
  max: bigint,
  expected: string,
  meta: CodecMeta,
  min = 0n,
): z.ZodType<bigint, string | number> {
  return codec(
    expected,
    (input) => {
      const value = fromAnyNotation(input)
      return value !== undefined && value >= min && value <= max ? value : undefined
    },
    { type: ['string', 'integer'], ...meta },
  )
}

/** An amount of wei, gas or anything else. */
export const Quantity = quantityUpTo(maxUint256, 'a quantity (0x-hex or decimal digits, at most 32 bytes)', {
  title: 'Quantity',
  description: 'a whole number as 0x-hex, in decimal digits, or as a JSON number',
})

/** A quantity that the protocol stores in 8 bytes: gas, a nonce, a timestamp. */
export const Quantity64 = quantityUpTo(maxUint64, 'a quantity (0x-hex or decimal digits, at most 8 bytes)', {
  title: 'Quantity64',
})

/** A chain id up to the bound of EIP-2294. */
export const ChainId = quantityUpTo(maxUint64, 'a chain id (0x-hex, decimal digits or a number)', { title: 'ChainId' })

/** A timestamp or duration in seconds. */
export const Seconds = quantityUpTo(maxSeconds, `seconds (0x-hex, decimal digits or a number, at most ${maxSeconds})`, {
  title: 'Seconds',
})

/** How long a sender waits for the receipt, in milliseconds. */
export const SealTimeout = quantityUpTo(60_000n, 'milliseconds (0x-hex, decimal digits or a number, at most 60000)', {
  title: 'SealTimeout',
})

/** Maximum number of blocks that one request seals: some years of them, in a minute at most. */
const maxBlocks = 10_000_000n
export const BlockCount = quantityUpTo(
  maxBlocks,
  `a number of blocks (0x-hex, decimal digits or a number, at most ${maxBlocks})`,
  {
    title: 'BlockCount',
  },
)

const notations = 'in decimal digits or 0x-hex'

/** An amount of wei or of a token's smallest unit. */
export const Amount = quantityUpTo(maxUint256, `an amount ${notations}, from 0 to 2^256-1`, { title: 'Amount' })

/** A nonce within the bound of EIP-2681. */
export const Nonce = quantityUpTo(maxUint64 - 1n, `a nonce ${notations}, from 0 to 2^64-2`, { title: 'Nonce' })

/** A storage slot: a decimal slot number ("10" is ten), or 0x-hex of at most 32 bytes. Decoded to the 32-byte key. */
export const Slot = codec<string | number, Word>(
  'a storage slot: a decimal slot number, or 0x-hex of at most 32 bytes',
  (input) => {
    const value = fromAnyNotation(input)
    return value !== undefined && value <= maxUint256 ? wordFromBigint(value) : undefined
  },
  { title: 'Slot', type: ['string', 'integer'] },
)

/** A slot of a proof. Its key is written in 32 bytes if it was asked for like this, otherwise as a quantity. */
export const ProofSlot = codec<string | number, { slot: Word; key: string }>(
  'a storage slot: a decimal slot number, or 0x-hex of at most 32 bytes',
  (input) => {
    const value = fromAnyNotation(input)
    if (value === undefined || value > maxUint256) return undefined
    const slot = wordFromBigint(value)
    return { slot, key: typeof input === 'string' && input.length === slot.length ? slot : quantity(value) }
  },
  { title: 'Slot', type: ['string', 'integer'] },
)

function fromAnyNotation(input: unknown): bigint | undefined {
  if (typeof input !== 'string') return fromSafeInteger(input)
  // 2^256 has 78 digits. Longer values are rejected early, before they cost time.
  return fromHex(input) ?? (/^\d{1,78}$/.test(input) ? BigInt(input) : undefined)
}

function fromHex(input: string): bigint | undefined {
  return input.length <= 66 && /^0x[\da-f]+$/i.test(input) ? BigInt(input) : undefined
}

function fromSafeInteger(input: unknown): bigint | undefined {
  return typeof input === 'number' && Number.isSafeInteger(input) && input >= 0 ? BigInt(input) : undefined
}

/** Slots in the given order, without duplicates. */
export const SlotList = z
  .array(Slot)
  .min(1, { error: 'is empty; pass at least one slot' })
  .max(10_000, { error: 'has more than 10000 slots' })
  .transform((slots) => [...new Set(slots)])

/** A whole number within bounds: a count or an index. */
export const wholeNumber = (min: number, max: number) =>
  codec<number, number>(
    `a whole number from ${min} to ${max}`,
    (input) =>
      Number.isSafeInteger(input) && (input as number) >= min && (input as number) <= max
        ? (input as number)
        : undefined,
    { title: 'WholeNumber', type: 'integer', description: 'a whole number, as a JSON number' },
  )

/** One day: timers are limited to a few weeks. */
const longestInterval = 86_400

/** A duration in seconds; a JSON number may have fractions. */
export const IntervalSeconds = codec<string | number, number>(
  `seconds from 0 to ${longestInterval}`,
  (input) => {
    const value = typeof input === 'string' && /^(0x[\da-f]{1,8}|\d{1,8})$/i.test(input) ? Number(input) : input
    return typeof value === 'number' && value >= 0 && value <= longestInterval ? value : undefined
  },
  { title: 'IntervalSeconds', type: ['string', 'number'] },
)
