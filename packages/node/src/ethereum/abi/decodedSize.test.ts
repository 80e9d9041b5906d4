import { type AbiParameter, encodeAbiParameters, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { isInflated } from './decodedSize.ts'
import { decodeValues } from './outputValue.ts'

const word = (value: number) => value.toString(16).padStart(64, '0')
/** So many elements of which each has the offset of the same bytes. */
const shared = (count: number, bytes: number) =>
  `0x${word(32)}${word(count)}${word(32 * count).repeat(count)}${word(bytes)}${'ab'.repeat(bytes)}` as const

describe('the size of decoded data', () => {
  it.each([
    ['uint256, bytes', [1n, `0x${'ab'.repeat(100_000)}`]],
    ['uint256[]', [Array.from({ length: 5000 }, (_, index) => BigInt(index))]],
    ['string[][2]', [Array.from({ length: 2 }, () => Array.from({ length: 900 }, () => 'x'.repeat(70)))]],
    ['(address,(bytes,bool)[])[]', [Array.from({ length: 500 }, () => [`0x${'1'.repeat(40)}`, [['0xab', true]]])]],
    [
      '(uint8,uint8)[3][]',
      [
        Array.from({ length: 900 }, () => [
          [1, 2],
          [1, 2],
          [1, 2],
        ]),
      ],
    ],
    ['bytes[]', [[]]],
  ])('is not larger than twice that of what was encoded: %s', (types, values) => {
    const parameters = parseAbiParameters(types) as readonly AbiParameter[]
    const data = encodeAbiParameters(parameters, values)
    expect(isInflated(parameters, data)).toBe(false)
    expect(decodeValues(parameters, data)).toHaveLength(parameters.length)
  })

  it.each([
    ['bytes[]', shared(2000, 60_000)],
    ['string[]', shared(2000, 60_000)],
    ['uint256[0][]', `0x${word(32)}${word(2 ** 30)}`],
    [
      '(bytes)[]',
      `0x${word(32)}${word(2000)}${word(64_000).repeat(2000)}${word(32)}${word(60_000)}${'ab'.repeat(60_000)}`,
    ],
    ['uint8[]', `0x${word(32)}${'f'.repeat(64)}`],
  ] as const)('is found in data that is made to be large: %s', (types, data) => {
    const parameters = parseAbiParameters(types) as readonly AbiParameter[]
    expect(isInflated(parameters, data)).toBe(true)
    expect(() => decodeValues(parameters, data)).toThrow('does not match')
  })

  it('is that of a few bytes where offsets lead out of the data', () => {
    expect(isInflated(parseAbiParameters('bytes[]'), `0x${'f'.repeat(64)}`)).toBe(false)
    expect(isInflated(parseAbiParameters('bytes'), '0x')).toBe(false)
  })
})
