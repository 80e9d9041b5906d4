import { expect, it } from 'vitest'
import { Numbers } from './numbers.ts'

it('keeps numbers up to 2^32 while it grows', () => {
  const numbers = new Numbers()
  for (let at = 0; at < 3000; at++) numbers.push(2 ** 32 - 3000 + at)
  expect([numbers.length, numbers.at(0), numbers.at(1024), numbers.at(2999)]).toEqual([
    3000,
    2 ** 32 - 3000,
    2 ** 32 - 1976,
    2 ** 32 - 1,
  ])
  expect([numbers.at(3000), numbers.at(-1)]).toEqual([0, 0])
})

it('finds the last number that is at most a limit, of equal ones the last', () => {
  const numbers = new Numbers()
  expect(numbers.lastAtMost(5)).toBe(-1)
  for (const number of [2, 4, 4, 4, 9]) numbers.push(number)
  expect([1, 2, 3, 4, 8, 9, 10].map((limit) => numbers.lastAtMost(limit))).toEqual([-1, 0, 0, 3, 3, 4, 4])
})
