import { startAnvil } from '@understudy/testkit'
import { formatDuration, median } from '../times.ts'
import { AnvilState } from './anvilState.ts'
import { compareRecovery } from './recovery.ts'
import { createAnvilRunner, createEngineRunner, createEthereumjsRunner, type Runner } from './runners.ts'
import { prepareScenarios, type Scenario } from './scenarios.ts'
import { compareServers } from './server.ts'

const samples = 15
const samplesSlow = 3

/**
 * One inner call in each runner, in microseconds: a message with many of them minus one with none, so that all around them
 * cancels out. The runners take turns, so that a busy machine is busy for all of them.
 */
async function measure(
  runners: readonly Runner[],
  scenario: Scenario,
  times: number,
  count: number,
): Promise<number[]> {
  const differences = runners.map((): number[] => [])
  // The first round only warms up.
  for (let i = 0; i <= count; i++) {
    for (const [index, runner] of runners.entries()) {
      const some = await runner.run(scenario, times)
      const none = await runner.run(scenario, 0)
      if (i > 0) differences[index]?.push(some - none)
    }
  }
  return differences.map((list) => (median(list) / times) * 1000)
}

/** Prints the time of one inner call in ethereumjs, this engine without and with coverage, and anvil, measured in turns, and the ratios. */
export async function run(): Promise<void> {
  const anvil = await startAnvil({ hardfork: 'prague', args: ['--gas-limit', '1000000000000'] })
  try {
    const { repeater, scenarios } = await prepareScenarios(anvil)
    const address = repeater.toLowerCase() as `0x${string}`
    const state = new AnvilState(anvil)
    const engine = createEngineRunner(state, address)
    const covering = createEngineRunner(state, address, { session: 1, add() {} })
    for (const scenario of scenarios) for (const times of [0, scenario.repeat]) await engine.run(scenario, times)
    const ethereumjs = await createEthereumjsRunner(state, address)
    const anvilRunner = createAnvilRunner(anvil, address)
    console.log(
      '| work | ethereumjs | engine | anvil | ethereumjs / engine | engine / anvil | with / without coverage |',
    )
    console.log('|---|---|---|---|---|---|---|')
    let failed = false
    for (const scenario of scenarios) {
      const [slow = 0] = await measure([ethereumjs], scenario, scenario.repeatSlow, samplesSlow)
      const runners = [engine, covering, anvilRunner]
      const [ours = 0, covered = 0, theirs = 0] = await measure(runners, scenario, scenario.repeat, samples)
      const ratio = ours / theirs
      if (scenario.required && ratio > 1) failed = true
      const ratios = `${(slow / ours).toFixed(0)} | ${ratio.toFixed(2)} | ${(covered / ours).toFixed(3)}`
      console.log(
        `| ${scenario.name} | ${formatDuration(slow)} | ${formatDuration(ours)} | ${formatDuration(theirs)} | ${ratios} |`,
      )
    }
    compareRecovery()
    await compareServers(anvil, address, scenarios)
    if (failed) {
      console.error('A row that must not be slower than anvil is.')
      process.exitCode = 1
    }
  } finally {
    await anvil.stop()
  }
}
