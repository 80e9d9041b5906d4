import { expect, it } from 'vitest'
import { input } from '../src/fuzz/input/input.ts'
import { runScenario } from '../src/shared/scenario.ts'

it('refuses what is not right, and nothing is left of it', async () => {
  const figures = await runScenario(input, { cases: 600, seed: 7 })
  expect(figures.get('requests refused')).toBeGreaterThan(150)
  expect(figures.get('requests done')).toBeGreaterThan(50)
  expect(figures.get('raw transactions refused')).toBeGreaterThan(20)
  expect(figures.get('raw transactions taken')).toBeGreaterThan(3)
}, 120_000)
