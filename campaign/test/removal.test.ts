import { expect, it } from 'vitest'
import { removal } from '../src/fuzz/removal/removal.ts'
import { runScenario } from '../src/shared/scenario.ts'

const databaseUrl = process.env.TEST_DATABASE_URL ?? ''

it('ends branches, networks and processes under use: by name, by code, and without a trace', async () => {
  const figures = await runScenario(removal, { seed: 1, rounds: 5, workers: '1' })
  expect(figures.get('ends of a network')).toBe(1)
  expect(figures.get('ends of a stop')).toBe(1)
  expect(figures.get('requests that ran when the end was asked for')).toBeGreaterThan(20)
}, 240_000)

it.skipIf(databaseUrl === '')(
  'the same where they are kept in PostgreSQL',
  async () => {
    const figures = await runScenario(removal, { seed: 1, rounds: 5, workers: '1', databaseUrl })
    expect(figures.get('ends of a stop')).toBe(1)
  },
  240_000,
)
