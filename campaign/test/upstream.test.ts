import { expect, it } from 'vitest'
import { upstream } from '../src/chaos/upstream/upstream.ts'
import { runScenario } from '../src/shared/scenario.ts'

const only =
  'limitedItems,mixed,truncated,nonsense,reorganised,rolledBack,down,halfOpen,nameNotFound,gzipBomb,deepNesting,otherHistory,startedAlone'

it('serves what it has while the way to the live chain is in trouble, and finds back', async () => {
  const figures = await runScenario(upstream, { seed: 1, rounds: 13, troubleMs: 1_000, only })
  expect(figures.get('troubles')).toBe(13)
  expect(figures.get('local requests')).toBeGreaterThan(20)
}, 240_000)
