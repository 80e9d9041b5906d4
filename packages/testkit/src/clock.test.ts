import { expect, test } from 'vitest'
import { createFakeClock } from './clock.ts'

test('timers run in the order of their times, each at its own time', () => {
  const clock = createFakeClock(1000)
  const seen: string[] = []
  clock.after(20, () => seen.push(`b at ${clock.now()}`))
  clock.after(10, () => {
    seen.push(`a at ${clock.now()}`)
    clock.after(5, () => seen.push(`nested at ${clock.now()}`))
  })
  clock.after(10, () => seen.push('never')).cancel()
  clock.advance(17)
  expect(seen).toEqual(['a at 1010', 'nested at 1015'])
  expect(clock.pending()).toEqual([3])
  expect(clock.advanceToNext()).toBe(3)
  expect(seen.at(-1)).toBe('b at 1020')
  expect(clock.advanceToNext()).toBeUndefined()
})

test('one can wait for timers to be set', async () => {
  const clock = createFakeClock()
  const waiting = clock.waiting(2)
  clock.after(1, () => {})
  clock.after(2, () => {})
  await waiting
  expect(clock.pending()).toEqual([1, 2])
})
