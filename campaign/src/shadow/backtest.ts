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
      const file = join(directory, 'changes.json')
      writeFileSync(file, JSON.stringify([{ method: 'dev_setCode', params: [market.lending, code] }]))

      const range = ['--blocks', `${before + 1}..${before + blocks}`]
      const args = ['backtest', '--fork-url', live.url, ...range, '--changes', file, '--json']
      const { code: exitCode, stdout, stderr } = await runCommand(args).ended
      if (exitCode !== 0) throw new Error(`the backtest ended with ${exitCode}: ${stderr} ${stdout.slice(0, 2000)}`)
      const { counts, seconds } = JSON.parse(stdout) as { counts: Counts; seconds: number }
      const again = await reexecute(live, before, [market.lending, code])
      const speed = (blocks * slotSeconds) / seconds
      figures.set('transactions', again.transactions)
      figures.set('shadowed', counts.same)
      figures.set('backtest, s', `${seconds.toFixed(1)}, ${speed.toFixed(0)} times real time`)
      figures.set('re-execution by anvil, s', again.seconds.toFixed(1))
      if (counts.same === 0) throw new Error('nothing was shadowed')
      if (speed < least) throw new Error(`${speed.toFixed(1)} times real time, not ${least}`)
    } finally {
      await live.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  },
})
