import { expect, it } from 'vitest'
import { failover } from '../src/chaos/failover/failover.ts'
import { runScenario } from '../src/shared/scenario.ts'

it.skipIf(!process.env.TEST_DATABASE_URL)(
  'another node seals when the one that did is killed or stands still, and nothing is lost or done twice',
  async () => {
    const figures = await runScenario(failover, { seed: 1, rounds: 2, answers: 10 })
    expect([figures.get('kills'), figures.get('stops')]).toEqual([1, 1])
    expect(figures.get('transactions answered')).toBeGreaterThan(10)
  },
  240_000,
)
