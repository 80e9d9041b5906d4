import { startAnvil, startFaultProxy } from '@understudy/testkit'
import { type Market, openMarket } from './market.ts'

/** A live chain with a market on it. */
export type LiveChain = {
  url: string
  market: Market
  /** Mines a block. */
  mine(): Promise<unknown>
  stop(): Promise<void>
}

/** An anvil behind a proxy that hides that it is anvil. The network does not trust anvil's state diffs. */
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
