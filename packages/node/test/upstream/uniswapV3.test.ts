import {
  type Anvil,
  connectClient,
  deployUniswapV3,
  startAnvil,
  type TestClient,
  type UniswapV3,
} from '@understudy/testkit'
import { erc20Abi, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

let anvil: Anvil
let live: TestClient
let uniswap: UniswapV3
let network: TestNetwork

beforeAll(async () => {
  anvil = await startAnvil()
  live = await connectClient(anvil.url)
  uniswap = await deployUniswapV3(live)
})
afterAll(() => anvil?.stop())
beforeEach(async () => {
  network = await startNetwork({ forkUrls: [anvil.url] })
})
afterEach(() => network?.stop())

const balanceOf = (client: TestClient) =>
  client.readContract({
    address: uniswap.tokenB,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [live.account.address],
  })

it('swaps on the real Uniswap V3 as the live chain does', async () => {
  const before = await balanceOf(live)
  const hash = await uniswap.swap(parseEther('5'), 'A to B', network.client)
  const local = await network.client.getTransactionReceipt({ hash })
  expect(await balanceOf(live)).toBe(before)
  const liveHash = await uniswap.swap(parseEther('5'), 'A to B')
  const there = await live.getTransactionReceipt({ hash: liveHash })
  expect(local.logs.map(({ address, topics, data }) => ({ address, topics, data }))).toEqual(
    there.logs.map(({ address, topics, data }) => ({ address, topics, data })),
  )
  expect(await balanceOf(network.client)).toBe(await balanceOf(live))
  expect(await uniswap.tick(network.client)).toBe(await uniswap.tick())
})

it('keeps its own price while the live one moves, until the pool is given back', async () => {
  await uniswap.swap(parseEther('5'), 'A to B', network.client)
  await uniswap.swap(parseEther('20000'), 'B to A')
  const head = Number(await live.getBlockNumber())
  await eventually(
    () => network.rpc<{ base: { number: number } }>('dev_getNetworkInfo'),
    ({ base }) => base.number === head,
  )
  expect(await uniswap.tick(network.client)).not.toBe(await uniswap.tick())
  await network.rpc('dev_resyncAccount', uniswap.pool)
  expect(await uniswap.tick(network.client)).toBe(await uniswap.tick())
})
