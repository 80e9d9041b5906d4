import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV2,
  type FaultProxy,
  startAnvil,
  startFaultProxy,
  type UniswapV2,
} from '@understudy/testkit'
import { type Address, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

type Outcome = { status: string; output: string; assetChanges: { amount: string }[] }

let anvil: Anvil
let proxy: FaultProxy
let network: TestNetwork
let uniswap: UniswapV2
let weth: Address
let from: Address
/** A live block with two deposits of ether. */
let block: bigint

beforeAll(async () => {
  anvil = await startAnvil()
  const live = await connectClient(anvil.url)
  from = live.account.address
  uniswap = await deployUniswapV2(live)
  weth = await deployContract(live, artifacts.WETH9)
  await live.setAutomine(false)
  for (const value of [5n, 6n])
    await live.writeContract({
      address: weth,
      abi: artifacts.WETH9.abi,
      functionName: 'deposit',
      args: [],
      value,
      gas: 100_000n,
    } as never)
  await live.mine({ blocks: 1 })
  block = await live.getBlockNumber()
  proxy = await startFaultProxy(anvil.url)
  network = await startNetwork({ forkUrls: [proxy.url], pollIntervalMs: 60_000 })
  await untilQuiet()
})
afterAll(async () => {
  await network.stop()
  await proxy.stop()
  await anvil.stop()
})

/** Resolves once the start asks nothing more. */
async function untilQuiet(): Promise<void> {
  let known = 0
  let quiet = 0
  await eventually(
    async () => {
      const { requests } = proxy.stats()
      quiet = requests === known ? quiet + 1 : 0
      known = requests
      return quiet
    },
    (count) => count >= 40,
  )
}

const simulate = async (call: object, options: object = {}) =>
  (await network.rpc<{ results: [Outcome] }>('dev_simulate', { calls: [{ from, ...call }], ...options })).results

it('tells all of a swap that is cold in three round trips', async () => {
  proxy.resetStats()
  const data = encodeFunctionData({
    abi: artifacts.UniswapV2Router02.abi,
    functionName: 'swapExactTokensForTokens',
    args: [1000n, 0n, [uniswap.tokenA, uniswap.tokenB], from, 2n ** 64n - 1n],
  })
  const results = await simulate({ to: uniswap.router, data })
  expect(results[0].assetChanges.map(({ amount }) => amount)).toEqual(['1000', '996'])
  // Each round trip is a batch. What the call will read is asked for beside the first one.
  const { batches, requests, byMethod } = proxy.stats()
  expect({ batches, requests, traces: byMethod.debug_traceCall }).toEqual({ batches: 3, requests: 4, traces: 1 })
  proxy.resetStats()
  expect(await simulate({ to: uniswap.router, data })).toEqual(results)
  expect(proxy.stats().requests).toBe(0)
})

it('runs within a block of the live chain, before one of its transactions', async () => {
  const data = encodeFunctionData({ abi: artifacts.WETH9.abi, functionName: 'balanceOf', args: [from] })
  const at = async (options: object) => {
    const [{ output }] = await simulate({ to: weth, data }, { block: `0x${block.toString(16)}`, ...options })
    return Number(output)
  }
  expect([await at({ transactionIndex: 0 }), await at({ transactionIndex: 1 }), await at({})]).toEqual([0, 5, 11])
})
