import { expect, it } from 'vitest'
import { contracts } from '../src/fuzz/contracts/contracts.ts'
import { runScenario } from '../src/shared/scenario.ts'

it('bounds time and memory of code that means harm', async () => {
  const figures = await runScenario(contracts, { seed: 1, programs: 2, randomPrograms: 10, transactionGas: 2_000_000 })
  expect(figures.get('requests')).toBeGreaterThan(40)
}, 120_000)
