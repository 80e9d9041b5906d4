import { postJsonRpc } from '@understudy/testkit'
import type { Hex } from 'viem'
import { defineScenario } from '../shared/scenario.ts'
import { createSamples, requireFlat } from '../soak/length/samples.ts'
import { startShadowing } from './shadowing.ts'

/** Blocks that the network may be behind. */
const leadLimit = 20

/** A change without effect, under many transactions. */
export const length = defineScenario({
  name: 'shadow length',
  summary: 'Many transactions through a change without effect: none diverges, and memory and files stay flat.',
  // Anvil traces each transaction of a block from its beginning: larger blocks measure anvil.
  // `own`: 1 makes the live traffic with a network of ours, which is quicker.
  options: {
    transactions: 100_000,
    perBlock: 10,
    keepBlocks: 256,
    history: 1000,
    sampleSeconds: 5,
    minutes: 0,
    own: 0,
  },
  async run({ random, options, figures, print }) {
    const { transactions, perBlock, keepBlocks, history, sampleSeconds, minutes, own } = options
    const shadowing = await startShadowing(random, {
      args: keepBlocks > 0 ? ['--keep-blocks', String(keepBlocks)] : [],
      anvilArgs: ['--prune-history', String(history)],
      isOwn: own === 1,
    })
    const { live, market, url, directory } = shadowing
    try {
      await shadowing.caughtUp()
      for (const address of market.contracts)
        await postJsonRpc(url, 'dev_setCode', [address, await live.rpc<Hex>('eth_getCode', [address, 'latest'])])
      const counted = { transactions: 0, heads: 0 }
      const { samples, during } = createSamples({ url, directory }, counted, print)
      const until = minutes > 0 ? Date.now() + minutes * 60_000 : Number.POSITIVE_INFINITY
      const started = performance.now()
      const requireSame = async () => {
        await shadowing.caughtUp()
        const { same: _, ...others } = await shadowing.counts()
        if (!Object.values(others).some((count) => count > 0)) return
        for (const divergence of (await shadowing.divergences()).slice(-3)) print(JSON.stringify(divergence))
        throw new Error(`diverged: ${JSON.stringify(others)}`)
      }
      const trade = async () => {
        while (counted.transactions < transactions && Date.now() < until) {
          await market.block(perBlock)
          counted.transactions += perBlock
          if (++counted.heads % leadLimit === 0) await requireSame()
        }
        await requireSame()
      }
      await during(trade(), sampleSeconds)
      const seconds = (performance.now() - started) / 1000
      const { same } = await shadowing.counts()
      figures.set('transactions', `${counted.transactions}, ${(counted.transactions / seconds).toFixed(0)} a second`)
      figures.set('shadowed, of the blocks that are kept', same)
      if (same === 0) throw new Error('nothing was shadowed')
      requireFlat(samples, 'resident', 64e6, 'least')
      requireFlat(samples, 'heap', 16e6, 'least')
      if (keepBlocks > 0) requireFlat(samples, 'database', 16e6)
    } finally {
      await shadowing.stop()
    }
  },
})
