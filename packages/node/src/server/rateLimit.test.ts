import { createFakeClock } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { createRateLimit } from './rateLimit.ts'

it('lets as many pass as a second allows, and more as time goes by', () => {
  const clock = createFakeClock()
  const mayPass = createRateLimit(4, clock)
  const passed = (count: number) => Array.from({ length: count }, mayPass).filter(Boolean).length
  expect(passed(10)).toBe(4)
  clock.advance(500)
  expect(passed(10)).toBe(2)
  clock.advance(100_000)
  expect(passed(10)).toBe(4)
})
