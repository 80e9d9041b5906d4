import { expect, it } from 'vitest'
import { kill } from '../src/chaos/kill/kill.ts'
import { runScenario } from '../src/shared/scenario.ts'

const databaseUrl = process.env.TEST_DATABASE_URL ?? ''

it('knows everything that it answered, and nothing in part, through SIGKILLs under load', async () => {
  const figures = await runScenario(kill, { seed: 1, rounds: 4 })
  expect(figures.get('kills')).toBe(4)
  expect(figures.get('facts checked')).toBeGreaterThan(50)
}, 240_000)

it.skipIf(databaseUrl === '')(
  'the same where it is kept in PostgreSQL',
  async () => {
    const figures = await runScenario(kill, { seed: 1, rounds: 2, databaseUrl })
    expect(figures.get('kills')).toBe(2)
  },
  240_000,
)
