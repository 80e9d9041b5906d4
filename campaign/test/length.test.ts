import { expect, it } from 'vitest'
import { runScenario } from '../src/shared/scenario.ts'
import { length } from '../src/soak/length/length.ts'

it('keeps its memory flat and starts again as fast, after a thousand transactions and a hundred heads', async () => {
  const figures = await runScenario(length, { seed: 1, transactions: 1000, heads: 100, sampleSeconds: 1 })
  expect(figures.get('blocks')).toBe(1100)
  expect(Number(figures.get('bytes a block'))).toBeLessThan(6000)
}, 240_000)
