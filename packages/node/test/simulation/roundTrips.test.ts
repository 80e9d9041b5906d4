import { artifacts, connectClient, deployUniswapV2, startAnvil, startFaultProxy } from '@understudy/testkit'
import { encodeFunctionData } from 'viem'
import { expect, it } from 'vitest'
import { eventually, startNetwork } from '../startNetwork.ts'

it('tells all of a swap that is cold in three round trips', async () => {
  const anvil = await startAnvil()
  const uniswap = await deployUniswapV2(await connectClient(anvil.url))
  const proxy = await startFaultProxy(anvil.url)
  proxy.set({ delayMs: 50 })
  const network = await startNetwork({ forkUrls: [proxy.url], pollIntervalMs: 60_000 })
  await network.client.getBlockNumber()
  await eventually(
    async () => proxy.stats().byMethod.web3_clientVersion ?? 0,
    (asked) => asked > 0,
  )
  proxy.resetStats()
  const from = network.client.account.address
  const data = encodeFunctionData({
    abi: artifacts.UniswapV2Router02.abi,
    functionName: 'swapExactTokensForTokens',
    args: [1000n, 0n, [uniswap.tokenA, uniswap.tokenB], from, 2n ** 64n - 1n],
  })
  const ask = () => network.rpc<{ results: { assetChanges: { amount: string }[] }[] }>('dev_simulate', simulation)
  const simulation = { calls: [{ from, to: uniswap.router, data }] }
  const { results } = await ask()
  expect(results[0]?.assetChanges.map(({ amount }) => amount)).toEqual(['1000', '996'])
  // Each round trip is a batch. What the call will read is asked for beside the first one.
  const { batches, requests, byMethod } = proxy.stats()
  expect({ batches, requests, traces: byMethod.debug_traceCall }).toEqual({ batches: 3, requests: 4, traces: 1 })
  proxy.resetStats()
  expect((await ask()).results).toEqual(results)
  expect(proxy.stats().requests).toBe(0)
  await network.stop()
  await proxy.stop()
  await anvil.stop()
})
