import { createFakeClock } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { createRateLimit } from './rateLimit.ts'

it('lets as many of each holder pass as a second allows, and more as time goes by', () => {
  const clock = createFakeClock()
  const mayPass = createRateLimit(4, clock)
  const passed = (holder: string, count: number) =>
    Array.from({ length: count }, () => mayPass(holder)).filter(Boolean).length
  expect([passed('a', 10), passed('b', 3)]).toEqual([4, 3])
  clock.advance(500)
  expect([passed('a', 10), passed('b', 10)]).toEqual([2, 3])
  clock.advance(600)
  expect([passed('a', 10), passed('b', 10)]).toEqual([2, 2])
  clock.advance(100_000)
  expect([passed('a', 10), passed('b', 10)]).toEqual([4, 4])
})
