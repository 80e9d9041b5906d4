import { AsyncLocalStorage } from 'node:async_hooks'
import { createFakeClock } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { every, systemClock } from './clock.ts'

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

it('runs tasks outside of the request that set them, so that a timer keeps nothing of it', async () => {
  const request = new AsyncLocalStorage<string>()
  const seen = await request.run('a request', async () => {
    const inTimer = await new Promise((resolve) => systemClock.after(0, () => resolve(request.getStore())))
    return [inTimer, request.getStore()]
  })
  expect(seen).toEqual([undefined, 'a request'])
})
