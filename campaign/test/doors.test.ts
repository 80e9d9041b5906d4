import { expect, it } from 'vitest'
import { doors } from '../src/fuzz/doors/doors.ts'
import { runScenario } from '../src/shared/scenario.ts'

it('lets in who may, tells others why not, and goes on serving', async () => {
  const figures = await runScenario(doors, { seed: 1, methods: 80, sockets: 300, slow: 30, churn: 500 })
  expect(figures.get('methods × roles')).toBeGreaterThan(200)
}, 180_000)
