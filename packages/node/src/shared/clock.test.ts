import { createFakeClock } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { every } from './clock.ts'

it('runs a task each period until it is cancelled, also by the task itself', () => {
  const clock = createFakeClock(0)
  const times: number[] = []
  const timer = every(clock, 50, () => {
    times.push(clock.now())
    if (times.length === 3) timer.cancel()
  })
  clock.advance(1_000)
  expect(times).toEqual([50, 100, 150])
  expect(clock.pending()).toEqual([])
})
