import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordFromBigint } from '../../shared/hex.ts'
import { Amount, BlockCount, IntervalSeconds, Nonce, Quantity, Quantity64, Seconds, Slot } from './numbers.ts'
import { problem } from './problem.ts'

const word = `0x${'ab'.repeat(32)}`
const hexOf = (max: bigint) => fc.bigInt({ min: 0n, max }).map((value) => [value, `0x${value.toString(16)}`] as const)
/** Things that are no number in any notation. */
const notNumbers = [
  '',
  ' ',
  '0x',
  '0xg',
  '-1',
  '-0x1',
  '1.5',
  '1e3',
  '١',
  null,
  undefined,
  true,
  {},
  [],
  -1,
  1.5,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e300,
]

describe('Quantity', () => {
  it('is 0x-hex, with leading zeros or without', () => {
    fc.assert(
      fc.property(hexOf(2n ** 256n - 1n), ([value, hex]) => {
        expect(Quantity.parse(hex)).toBe(value)
        expect(Quantity.parse(wordFromBigint(value).toUpperCase().replace('0X', '0x'))).toBe(value)
      }),
    )
  })

  it('is a JSON number too, where that is exact', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(Quantity.parse(value)).toBe(BigInt(value))
      }),
    )
  })

  it.each([...notNumbers, 'ff', `0x1${'0'.repeat(64)}`, (2n ** 256n).toString()])('is refused: %j', (input) => {
    expect(problem(Quantity, input)).toMatch(
      /^: expected a quantity \(0x-hex or decimal digits, at most 32 bytes\), got /,
    )
  })

  it('is in decimal digits too', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
        expect(Quantity.parse(value.toString())).toBe(value)
      }),
    )
  })

  it('has bounds of its own where the protocol has them', () => {
    expect(Quantity64.parse('0xffffffffffffffff')).toBe(2n ** 64n - 1n)
    expect(problem(Quantity64, '0x10000000000000000')).toMatch(/at most 8 bytes/)
    expect(Seconds.parse(1900000000)).toBe(1900000000n)
    expect(problem(Seconds, '0xffffffffffff')).toMatch(
      /^: expected seconds \(0x-hex, decimal digits or a number, at most 1099511627776\)/,
    )
    expect(problem(BlockCount, 10_000_001)).toMatch(/at most 10000000\), got 10000001$/)
  })
})

describe('Amount', () => {
  it('is the same in decimal digits, in hex and as a number', () => {
    fc.assert(
      fc.property(hexOf(2n ** 256n - 1n), ([value, hex]) => {
        expect(Amount.parse(value.toString())).toBe(value)
        expect(Amount.parse(hex)).toBe(value)
        if (value <= Number.MAX_SAFE_INTEGER) expect(Amount.parse(Number(value))).toBe(value)
      }),
    )
    expect(Amount.parse('0010')).toBe(10n)
  })

  it.each([...notNumbers, (2n ** 256n).toString(), `0x${(2n ** 256n).toString(16)}`, '9'.repeat(1_000_000)])(
    'is refused',
    (input) => {
      expect(problem(Amount, input)).toMatch(
        /^: expected an amount in decimal digits or 0x-hex, from 0 to 2\^256-1, got /,
      )
    },
  )
})

describe('Nonce', () => {
  it('is at most 2^64-2', () => {
    expect(Nonce.parse((2n ** 64n - 2n).toString())).toBe(2n ** 64n - 2n)
    expect(problem(Nonce, (2n ** 64n - 1n).toString())).toMatch(
      /^: expected a nonce in decimal digits or 0x-hex, from 0 to 2\^64-2, got /,
    )
    expect(problem(Nonce, '0xffffffffffffffff')).toMatch(/from 0 to 2\^64-2/)
  })
})

describe('Slot', () => {
  it.each([
    ['10', 10n],
    [10, 10n],
    ['0x10', 16n],
    ['0xa', 10n],
    ['0x0a', 10n],
    [word, BigInt(word)],
  ])('%j becomes its 32-byte key', (input, slot) => {
    expect(Slot.parse(input)).toBe(wordFromBigint(slot))
  })

  it.each([...notNumbers, `${word}00`])('is refused: %j', (input) => {
    expect(problem(Slot, input)).toMatch(
      /^: expected a storage slot: a decimal slot number, or 0x-hex of at most 32 bytes, got /,
    )
  })
})

describe('IntervalSeconds', () => {
  it.each([
    [0, 0],
    [0.25, 0.25],
    ['0xc', 12],
    ['12', 12],
    [86_400, 86_400],
  ])('%j is %j', (input, seconds) => expect(IntervalSeconds.parse(input)).toBe(seconds))

  it.each([-1, 86_401, '86401', '1.5', '', Number.NaN, null])('is refused: %j', (input) => {
    expect(problem(IntervalSeconds, input)).toMatch(/^: expected seconds from 0 to 86400, got /)
  })
})
