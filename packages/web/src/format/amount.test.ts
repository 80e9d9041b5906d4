import { describe, expect, it } from 'vitest'
import { exactAmount, formatPercent, parseAmount, readableAmount, readableWei } from './amount.ts'

describe('readableAmount', () => {
  it.each([
    [0n, '0'],
    [1n, '1e−18'],
    [1_500_000_000_000_000_000n, '1.5'],
    [1_234_567_891_234_567_891_234n, '1,234.567'],
    [12_345_678n * 10n ** 18n, '12,345,678'],
    [99_900_000_000n * 10n ** 18n, '99.9 B'],
    [12_345_678_901n * 10n ** 18n, '12.34 B'],
    [1_000_000_000_000n * 10n ** 18n, '1 T'],
    [123_456_789_000_000n, '0.0001234'],
    [-2n * 10n ** 18n, '−2'],
    [2n ** 255n, '5.789e58'],
  ])('%s wei reads %s', (wei, text) => expect(readableAmount(wei, 18)).toBe(text))
})

it('formats wei in the unit that is easiest to read', () => {
  expect([0n, 12n, 3_000_000_000n, 10n ** 15n].map((wei) => readableWei(wei, 'POL'))).toEqual([
    { text: '0', unit: 'POL' },
    { text: '12', unit: 'wei' },
    { text: '3', unit: 'gwei' },
    { text: '0.001', unit: 'POL' },
  ])
})

it('formats every digit', () => {
  expect(exactAmount(1_234_567_891_234_567_891_234n, 18)).toBe('1,234.567891234567891234')
})

it('parses amounts as entered', () => {
  expect(['1.5', '1,000', '.5'].map((text) => parseAmount(text, 6))).toEqual([1_500_000n, 1_000_000_000n, 500_000n])
  expect(() => parseAmount('much', 18)).toThrow('not an amount')
})

it('keeps a decimal only in small percentages', () => {
  expect([formatPercent(1, 200), formatPercent(50n, 100n), formatPercent(1, 0)]).toEqual(['0.5%', '50%', '0%'])
})

it('does not round a small part of a whole to nothing', () => {
  expect(formatPercent(10n ** 19n, 10n ** 24n)).toBe('<0.1%')
  expect(formatPercent(0n, 10n ** 24n)).toBe('0%')
  expect(formatPercent(1n, 4n)).toBe('25%')
})
