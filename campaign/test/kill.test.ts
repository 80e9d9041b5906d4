import { expect, it } from 'vitest'
import { kill } from '../src/chaos/kill/kill.ts'
import { runScenario } from '../src/shared/scenario.ts'

it('remembers everything that it answered, through 6 SIGKILLs', async () => {
  const figures = await runScenario(kill, { rounds: 6 })
  expect(figures.get('answers checked')).toBeGreaterThan(6 * 5)
}, 120_000)
