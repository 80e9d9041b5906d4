import { DatabaseMissing } from './shared/database.ts'
import { describeScenario, runByFlags, type Scenario } from './shared/scenario.ts'

/** The campaigns and their scenarios, by the names that `node campaign/dist/main.js CAMPAIGN SCENARIO` takes. */
const campaigns: Record<string, () => Promise<{ scenarios: Record<string, unknown> }>> = {
  chaos: () => import('./chaos/scenarios.ts'),
  fuzz: () => import('./fuzz/scenarios.ts'),
  soak: () => import('./soak/scenarios.ts'),
  shadow: () => import('./shadow/scenarios.ts'),
  compare: () => import('./compare/scenarios.ts'),
}

const [campaign = '', name, ...flags] = process.argv.slice(2)
const known = await campaigns[campaign]?.()
if (!known) fail(`Usage: npm run ${Object.keys(campaigns).join('|')} -- SCENARIO [--seed N] [--…]`)
const scenarios = known.scenarios as Record<string, Scenario>
if ([name, ...flags].includes('--help')) {
  for (const scenario of Object.values(scenarios)) console.log(describeScenario(scenario))
} else if (name !== undefined) {
  const scenario = scenarios[name]
  if (!scenario) fail(`Usage: npm run ${campaign} -- ${Object.keys(scenarios).join('|')} [--seed N] [--…]; or --help`)
  await runByFlags(scenario, flags)
} else {
  for (const scenario of Object.values(scenarios))
    await runByFlags(scenario, flags).catch((error: Error) => {
      if (!(error.cause instanceof DatabaseMissing)) throw error
      console.log(`LEFT OUT: ${error.message}`)
    })
}

function fail(usage: string): never {
  console.error(usage)
  process.exit(1)
}
