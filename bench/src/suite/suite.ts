import { parseArgs } from 'node:util'
import { connectNetwork, type Network } from '@understudy/testing'
import { artifacts, connectClient, deployContract, startAnvil } from '@understudy/testkit'
import { startUnderstudy } from '../startUnderstudy.ts'
import { median } from '../times.ts'

/** A test of the suite in packages/testing/test/suite: it changes what all others change, and must see its own changes alone. */
type Change = (network: Pick<Network, 'publicClient' | 'walletClient' | 'testClient'>, index: number) => Promise<void>

const ways = {
  /** Each on a branch of its own, four at a time. */
  async branches(network: Network, change: Change, count: number) {
    let next = 0
    const run = async () => {
      while (next < count) {
        const index = next++
        const branch = await network.createBranch({ ttl: 3600 })
        await change(branch, index)
        await branch.remove()
      }
    }
    await Promise.all(Array.from({ length: 4 }, run))
  },
  /** One after the other, each between a snapshot and a revert. */
  async snapshots(network: Network, change: Change, count: number) {
    for (let index = 0; index < count; index++) {
      const id = await network.testClient.snapshot()
      await change(network, index)
      await network.testClient.revert({ id })
    }
  },
}

type Start = () => Promise<{ url: string; stop(): Promise<void> }>

/** Seconds that the suite takes on a new network, which has been used before. */
async function time(run: (typeof ways)['branches'], start: Start, change: Change, tests: number): Promise<number> {
  const started = await start()
  const network = await connectNetwork(started.url)
  await run(network, change, Math.ceil(tests / 10))
  const startedAt = performance.now()
  await run(network, change, tests)
  const seconds = (performance.now() - startedAt) / 1000
  await started.stop()
  return seconds
}

/**
 * Time of a suite whose tests change state, in turns: on branches and with snapshots, and with snapshots of anvil. With
 * `--ephemeral`, this server keeps as little as anvil.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tests: { type: 'string', default: '200' },
      rounds: { type: 'string', default: '7' },
      ephemeral: { type: 'boolean' },
    },
  })
  const live = await startAnvil()
  process.env.COUNTER = await deployContract(await connectClient(live.url), artifacts.Counter, [5n])
  const file = new URL('../../../packages/testing/test/suite/changes.mjs', import.meta.url).href
  const { change } = (await import(file)) as { change: Change }
  const flags = values.ephemeral ? ['--ephemeral'] : []
  const ours = () => startUnderstudy(['--fork-url', live.url, '--no-follow-head', ...flags])
  const theirs = () => startAnvil({ args: ['--fork-url', live.url] })
  const sides = {
    branches: () => time(ways.branches, ours, change, Number(values.tests)),
    snapshots: () => time(ways.snapshots, ours, change, Number(values.tests)),
    anvil: () => time(ways.snapshots, theirs, change, Number(values.tests)),
  }
  const names = Object.keys(sides) as (keyof typeof sides)[]
  const rows: Record<keyof typeof sides, number>[] = []
  console.log('| round | on branches | with snapshots | anvil, with snapshots | anvil / branches | anvil / snapshots |')
  console.log('|---|---|---|---|---|---|')
  const print = (name: string | number, row: (typeof rows)[number]) => {
    const ratios = [row.anvil / row.branches, row.anvil / row.snapshots].map((ratio) => ratio.toFixed(2))
    console.log(`| ${[name, ...names.map((side) => `${row[side].toFixed(2)} s`), ...ratios].join(' | ')} |`)
  }
  for (let round = 1; round <= Number(values.rounds); round++) {
    const row = { branches: 0, snapshots: 0, anvil: 0 }
    // Each is the first one in turn.
    const first = round % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) row[name] = await sides[name]()
    rows.push(row)
    print(round, row)
  }
  const middle = (name: keyof typeof sides) => median(rows.map((row) => row[name]))
  print('median', { branches: middle('branches'), snapshots: middle('snapshots'), anvil: middle('anvil') })
  await live.stop()
}
