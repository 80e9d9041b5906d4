import { expect, it } from 'vitest'
import { neighbours } from '../src/fuzz/neighbours/neighbours.ts'
import { runScenario } from '../src/shared/scenario.ts'

it.each([
  ['in a batch', 4],
  ['batches by many sockets', 4],
  ['5 debug sessions', 3],
  ['imports of hostile sources', 2],
  ['tokens that burn all their gas in symbol()', 2],
])(
  'serves others while one client does its worst: %s',
  async (only, seconds) => {
    // The limits of the long run hold on a quiet machine.
    const limits = { readLimitMs: 600, transferLimitMs: 5000 }
    const figures = await runScenario(neighbours, { seed: 1, only, seconds, ...limits })
    expect(figures.get('loads')).toBe(1)
  },
  180_000,
)
