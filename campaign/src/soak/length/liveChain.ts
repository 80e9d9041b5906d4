import { startAnvil, startFaultProxy } from '@understudy/testkit'
import { type Market, openMarket } from './market.ts'

/** A live chain with a market on it. */
export type LiveChain = {
  url: string
  market: Market
  /** Makes it one block longer. */
  mine(): Promise<unknown>
  stop(): Promise<void>
}

/** An anvil that stands for a node which is trusted to tell what its blocks changed, as anvil is not. */
export async function startLiveChain(): Promise<LiveChain> {
  const anvil = await startAnvil({ chainId: 10, args: ['--prune-history', '1000'] })
  const proxy = await startFaultProxy(anvil.url, { webSockets: true })
  proxy.set({
    answer: ({ method }) => (method === 'web3_clientVersion' ? { result: 'Geth/v1.16.7-stable' } : undefined),
  })
  return {
    url: proxy.url,
    market: await openMarket(anvil),
    mine: () => anvil.rpc('evm_mine'),
    async stop() {
      await proxy.stop()
      await anvil.stop()
    },
  }
}
