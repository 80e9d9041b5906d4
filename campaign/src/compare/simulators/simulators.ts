import { defineScenario } from '../../shared/scenario.ts'
import { aave } from './aave.ts'
import type { Client } from './check.ts'
import { morpho } from './morpho.ts'
import { installPackages } from './packages.ts'
import { tenderlySdk } from './tenderlySdk.ts'
import { startWorld } from './world.ts'

const clients: readonly Client[] = [morpho, tenderlySdk, aave]

/** Clients of Tenderly, as npm has them, against a network that forks a real anvil. */
export const simulators = defineScenario({
  name: 'compare simulators',
  summary: "Runs others' clients of Tenderly, installed from npm for the run, on a network: each passes.",
  /** `only` is a part of the names of clients or checks. */
  options: { only: '' },
  async run({ options: { only }, figures, print }) {
    const packages = await installPackages()
    const faults: string[] = []
    try {
      const world = await startWorld()
      try {
        for (const client of clients)
          for (const check of await client.load(packages, world)) {
            const name = `${client.name} ${check.name}`
            if (!name.includes(only)) continue
            const fault = await check.run().then(
              () => undefined,
              (error: Error) => error.message,
            )
            print(`${name}: ${fault ?? 'passes'}`)
            figures.add(`${client.name}, ${fault === undefined ? 'passed' : 'failed'}`)
            if (fault !== undefined) faults.push(`${name}: ${fault}`)
          }
      } finally {
        await world.stop()
      }
    } finally {
      packages.remove()
    }
    if (faults.length > 0) throw new Error(`Clients differ:\n${faults.join('\n')}`)
  },
})
