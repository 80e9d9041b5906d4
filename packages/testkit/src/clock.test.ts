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

test('short timers are skipped when asked for, and bring long ones nearer', async () => {
  const clock = createFakeClock(0)
  clock.skipUpTo(10)
  clock.after(25, () => {})
  for (const delay of [10, 5]) await new Promise<void>((resolve) => clock.after(delay, resolve))
  expect([clock.now(), clock.pending(), clock.skipped()]).toEqual([15, [10], [10, 5]])
})
