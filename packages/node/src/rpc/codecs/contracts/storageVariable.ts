import { z } from 'zod'
import { codec } from '../../../shared/codec.ts'
import { Slot, wholeNumber } from '../numbers.ts'

/** A value in decimal, with an optional sign, or in 0x-hex. */
const SignedNumber = codec<string | number, bigint>(
  'a whole number in decimal digits or 0x-hex',
  (input) => {
    if (Number.isSafeInteger(input)) return BigInt(input as number)
    // 2^256 has 78 digits. Longer values are rejected early, before they cost time.
    return typeof input === 'string' && /^(-?\d{1,78}|0x[\da-f]{1,64})$/i.test(input) ? BigInt(input) : undefined
  },
  { title: 'SignedNumber', type: ['string', 'integer'] },
)

/** The position of a variable, as in a storage layout, and its new value. */
export const StorageVariable = z
  .strictObject({ slot: Slot, offset: wholeNumber(0, 31), size: wholeNumber(1, 32), value: SignedNumber })
  .superRefine(({ offset, size, value }, context) => {
    if (offset + size > 32)
      context.addIssue({
        code: 'custom',
        path: ['size'],
        message: `expected at most ${32 - offset} bytes at offset ${offset}, got ${size}`,
      })
    const end = 1n << BigInt(size * 8)
    if (value >= end || value < -end / 2n)
      context.addIssue({
        code: 'custom',
        path: ['value'],
        message: `${value} does not fit into ${size === 1 ? 'a byte' : `${size} bytes`}`,
      })
  })

const lengthLimit = 1000

/** A variable, or a part of one: `users[3].name`. */
export const VariablePath = z.string().max(lengthLimit, `expected at most ${lengthLimit} characters`)
