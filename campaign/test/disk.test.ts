import { expect, it } from 'vitest'
import { disk } from '../src/chaos/disk/disk.ts'
import { runScenario } from '../src/shared/scenario.ts'

it('says what is wrong with its disk, and loses nothing by it', async () => {
  const figures = await runScenario(disk, { seed: 1, rounds: 1, only: 'fullDisk,damagedCache,damagedTable' })
  expect(figures.get('facts checked')).toBeGreaterThan(100)
}, 240_000)
