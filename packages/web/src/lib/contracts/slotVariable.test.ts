import { expect, it } from 'vitest'
import { readVariable } from './slotVariable.ts'

// From the low end: a bool, an int16 of -2, an address, four bytes.
const word = `0x${'00'.repeat(5)}deadbeef${'d8da6bf26964af9d7eed9e03e53415d37aa96045'}fffe01` as const
const at = (type: string, offset: number, bytes: number) => readVariable(word, { path: 'x', type, offset, bytes })

it('reads each variable of a packed slot', () => {
  expect(at('bool', 0, 1)).toBe('true')
  expect(at('int16', 1, 2)).toBe('-2')
  expect(at('address', 3, 20)).toBe('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')
  expect(at('bytes4', 23, 4)).toBe('0xdeadbeef')
  expect(at('uint8', 27, 1)).toBe('0')
})

it('groups the digits of numbers', () => {
  const full = `0x${(10n ** 18n).toString(16).padStart(64, '0')}` as const
  expect(readVariable(full, { path: 'x', type: 'uint256', offset: 0, bytes: 32 })).toBe('1,000,000,000,000,000,000')
})
