import { expect, it } from 'vitest'
import { neighbours } from '../src/fuzz/neighbours/neighbours.ts'
import { runScenario } from '../src/shared/scenario.ts'

it('serves others while one client does its worst', async () => {
  // The limits of the long run hold on a quiet machine.
  const limits = { readLimitMs: 600, transferLimitMs: 5000 }
  const figures = await runScenario(neighbours, { seed: 1, only: 'in a batch', seconds: 4, ...limits })
  expect(figures.get('loads')).toBe(1)
}, 180_000)
