import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '@understudy/testkit'
import { type Hex, numberToHex } from 'viem'
import { defineScenario } from '../shared/scenario.ts'
import { openMarket } from './market.ts'
import { startOwnChain } from './ownChain.ts'
import { reexecute } from './reexecution.ts'
import type { Counts } from './shadowing.ts'

/** Seconds between two blocks of the main network. */
const slotSeconds = 12

type Request = { method: string; params: readonly unknown[] }

/** What the command reports. Throws if something diverged. */
async function runBacktest(url: string, range: string, changes: readonly Request[], directory: string) {
  const file = join(directory, 'changes.json')
  writeFileSync(file, JSON.stringify(changes))
  const args = ['backtest', '--fork-url', url, '--blocks', range, '--changes', file, '--json']
  const { code, stdout, stderr } = await runCommand(args).ended
  if (code !== 0) throw new Error(`the backtest ended with ${code}: ${stderr} ${stdout.slice(0, 2000)}`)
  return JSON.parse(stdout) as { counts: Counts; seconds: number }
}

/** Past blocks like those of the main network, of which few transactions touch a change. */
export const backtest = defineScenario({
  name: 'shadow backtest',
  summary: 'Past blocks of which one transaction in fifty touches a change, and the same by running all of them again.',
  options: { blocks: 60, perBlock: 200, oneIn: 50, least: 20 },
  async run({ random, options: { blocks, perBlock, oneIn, least }, figures }) {
    const live = await startOwnChain()
    const directory = mkdtempSync(join(tmpdir(), 'understudy-backtest-'))
    try {
      const market = await openMarket(live, random)
      // So that a block takes all of them.
      await live.rpc('evm_setBlockGasLimit', [numberToHex(1_000_000 * perBlock)])
      const before = Number(await live.rpc<Hex>('eth_blockNumber'))
      for (let block = 0; block < blocks; block++) await market.block(perBlock, 1 / oneIn)
      const code = await live.rpc<Hex>('eth_getCode', [market.lending, 'latest'])
      const [from, to] = [before + 1, before + blocks]
      const run = (changes: readonly Request[]) => runBacktest(live.url, `${from}..${to}`, changes, directory)
      const { counts, seconds } = await run([{ method: 'dev_setCode', params: [market.lending, code] }])
      // Whatever such an account sends runs here.
      const change = (trader: Hex) => ({ method: 'dev_setBalance', params: [trader, numberToHex(10n ** 24n)] })
      const all = await run(market.traders.map(change))
      const again = await reexecute(live, before, [market.lending, code])
      const speed = (blocks * slotSeconds) / seconds
      figures.set('transactions', again.transactions)
      figures.set('shadowed', counts.same)
      figures.set('backtest, s', `${seconds.toFixed(1)}, ${speed.toFixed(0)} times real time`)
      figures.set('re-execution by itself, s', all.seconds.toFixed(1))
      figures.set('re-execution by anvil, s', again.seconds.toFixed(1))
      if (counts.same === 0) throw new Error('nothing was shadowed')
      if (counts.same > (again.transactions / oneIn) * 2)
        throw new Error(`${counts.same} transactions touched the change`)
      if (all.counts.same !== again.transactions) throw new Error(`${all.counts.same} transactions ran again`)
      if (speed < least) throw new Error(`${speed.toFixed(1)} times real time, not ${least}`)
    } finally {
      await live.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  },
})
