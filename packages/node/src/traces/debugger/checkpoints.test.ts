import type { SavedRun } from '@understudy/evm'
import { expect, it } from 'vitest'
import { Checkpoints } from './checkpoints.ts'

const megabyte = 1024 * 1024

/** Pauses once every 100 operations, from 100 on. `bytes`: what a copy of the run needs then. */
function pause(checkpoints: Checkpoints, times: number, bytes: number): void {
  for (let each = 1; each <= times; each++)
    checkpoints.add({ save: (most) => (bytes <= most ? ({ operation: each * 100, bytes } as SavedRun) : undefined) })
}

it('has the last copy that is not after an operation', () => {
  const checkpoints = new Checkpoints()
  pause(checkpoints, 3, 10)
  expect([99, 100, 199, 300, 5000].map((step) => checkpoints.before(step)?.operation)).toEqual([
    undefined,
    100,
    100,
    300,
    300,
  ])
})

it('keeps at most 32 copies, evenly over the whole run', () => {
  const checkpoints = new Checkpoints()
  pause(checkpoints, 1000, 10)
  expect(checkpoints.bytes).toBeLessThanOrEqual(320)
  // However far apart they are, they are as far apart at the end as in the middle.
  const kept = new Set(Array.from({ length: 1000 }, (_, at) => checkpoints.before(at * 100)?.operation ?? 0))
  const distances = [...kept].slice(1).map((operation, at) => operation - ([...kept][at] as number))
  expect(new Set(distances).size).toBe(1)
  expect(kept.size).toBeGreaterThan(15)
})

it('keeps at most 32 MB of copies, and no copy of more than 8 MB', () => {
  const checkpoints = new Checkpoints()
  pause(checkpoints, 100, 8 * megabyte)
  expect(checkpoints.bytes).toBeLessThanOrEqual(32 * megabyte)
  expect(checkpoints.bytes).toBeGreaterThan(8 * megabyte)
  const others = new Checkpoints()
  pause(others, 100, 8 * megabyte + 1)
  expect(others.bytes).toBe(0)
})
