import { parseArgs } from 'node:util'
import { connectNetwork, type Network } from '@understudy/testing'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil } from '@understudy/testkit'
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

/** Seconds that the suite takes on a new network, which has been used before. */
async function time(run: (typeof ways)['branches'], live: Anvil, change: Change, tests: number): Promise<number> {
  const started = await startUnderstudy(['--fork-url', live.url, '--no-follow-head'])
  const network = await connectNetwork(started.url)
  await run(network, change, Math.ceil(tests / 10))
  const start = performance.now()
  await run(network, change, tests)
  const seconds = (performance.now() - start) / 1000
  await started.stop()
  return seconds
}

/** Time of a suite whose tests change state: on branches and with snapshots, in turns. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { tests: { type: 'string', default: '200' }, rounds: { type: 'string', default: '7' } },
  })
  const live = await startAnvil()
  process.env.COUNTER = await deployContract(await connectClient(live.url), artifacts.Counter, [5n])
  const file = new URL('../../../packages/testing/test/suite/changes.mjs', import.meta.url).href
  const { change } = (await import(file)) as { change: Change }
  console.log('| round | on branches | with snapshots | ratio |')
  console.log('|---|---|---|---|')
  const rows: { branches: number; snapshots: number }[] = []
  const print = (name: string | number, { branches, snapshots }: (typeof rows)[number], ratio: number) =>
    console.log(`| ${name} | ${branches.toFixed(2)} s | ${snapshots.toFixed(2)} s | ${ratio.toFixed(2)} |`)
  for (let round = 1; round <= Number(values.rounds); round++) {
    const of = (name: keyof typeof ways) => time(ways[name], live, change, Number(values.tests))
    // Each is the first one in every other round.
    const snapshots = round % 2 === 0 ? await of('snapshots') : undefined
    const branches = await of('branches')
    const row = { branches, snapshots: snapshots ?? (await of('snapshots')) }
    rows.push(row)
    print(round, row, branches / row.snapshots)
  }
  const middle = (value: (row: (typeof rows)[number]) => number) => median(rows.map(value))
  print(
    'median',
    { branches: middle((row) => row.branches), snapshots: middle((row) => row.snapshots) },
    middle(({ branches, snapshots }) => branches / snapshots),
  )
  await live.stop()
}
