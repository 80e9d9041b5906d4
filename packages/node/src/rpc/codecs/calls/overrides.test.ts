import { describe, expect, it } from 'vitest'
import { wordFromBigint } from '../../../shared/hex.ts'
import { problem } from '../problem.ts'
import { BlockOverrides, StateOverrides } from './overrides.ts'

const address = '0x00000000000000000000000000000000000000aa'
const other = '0x00000000000000000000000000000000000000bb'
const word = `0x${'ab'.repeat(32)}`

describe('StateOverrides', () => {
  it('become maps, without the fields that were not given', () => {
    expect(
      StateOverrides.parse({
        [address.toUpperCase().replace('0X', '0x')]: { balance: '0x1', nonce: 2, code: '0x00' },
        [other]: { stateDiff: { '0x1': word, [word]: '0x0' } },
      }),
    ).toEqual(
      new Map<string, unknown>([
        [address, { balance: 1n, nonce: 2n, code: Uint8Array.of(0) }],
        [
          other,
          {
            stateDiff: new Map([
              [wordFromBigint(1n), BigInt(word)],
              [word, 0n],
            ]),
          },
        ],
      ]),
    )
    expect(Object.keys(StateOverrides.parse({ [address]: {} }).get(address) ?? { none: 1 })).toEqual([])
  })

  it.each([
    [{ '0x12': {} }, '.0x12: expected a 20-byte 0x-hex address, got "0x12"'],
    [{ [address]: { balnce: '0x1' } }, `.${address}.balnce: is not a known field; did you mean balance?`],
    [
      { [address]: { balance: 'x' } },
      `.${address}.balance: expected a quantity (0x-hex or decimal digits, at most 32 bytes), got "x"`,
    ],
    [
      { [address]: { stateDiff: { zz: word } } },
      `.${address}.stateDiff.zz: expected a storage slot: a decimal slot number, or 0x-hex of at most 32 bytes, got "zz"`,
    ],
    [
      { [address]: { state: {}, stateDiff: {} } },
      `.${address}: has both state, which replaces the whole storage, and stateDiff, which replaces single slots; pass one of them`,
    ],
    [[], ': expected an object, got an array of 0'],
  ])('are refused: %j', (input, text) => {
    expect(problem(StateOverrides, input)).toBe(text)
  })
})

describe('BlockOverrides', () => {
  it('take names old and new, and leave out what was not given', () => {
    const overrides = BlockOverrides.parse({
      number: '0x10',
      time: 5,
      feeRecipient: address,
      baseFee: '0x7',
      random: word,
    })
    expect(overrides).toEqual({ number: 16n, timestamp: 5n, coinbase: address, baseFee: 7n, prevRandao: BigInt(word) })
    expect(Object.keys(overrides)).toHaveLength(5)
  })

  it('refuse names that they do not know', () => {
    expect(problem(BlockOverrides, { nubmer: 1 })).toBe('.nubmer: is not a known field; did you mean number?')
  })
})
