import { expect, it } from 'vitest'
import { connections } from '../src/fuzz/connections/connections.ts'
import { runScenario } from '../src/shared/scenario.ts'

it('admits permitted clients, tells others why not, and continues to serve', async () => {
  const figures = await runScenario(connections, { seed: 1, methods: 80, sockets: 300, slow: 30, churn: 500 })
  expect(figures.get('methods × roles')).toBeGreaterThan(200)
}, 180_000)
