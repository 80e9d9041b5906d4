import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV3,
  type FaultProxy,
  requireSuccess,
  startAnvil,
  startFaultProxy,
  type TestClient,
} from '@understudy/testkit'
import { type Address, getContractAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const { abi } = artifacts.SlotReader

describe('a call that is cold', () => {
  let anvil: Anvil
  let proxy: FaultProxy
  let live: TestClient
  let reader: Address
  let network: TestNetwork

  beforeAll(async () => {
    anvil = await startAnvil()
    proxy = await startFaultProxy(anvil.url)
    live = await connectClient(anvil.url)
    reader = await deployContract(live, artifacts.SlotReader)
    await requireSuccess(
      live,
      await live.writeContract({ address: reader, abi, functionName: 'fillFrom', args: [0n, 200n] }),
    )
  })
  afterAll(async () => {
    await proxy.stop()
    await anvil.stop()
  })
  beforeEach(() => proxy.set({ delayMs: 50 }))
  afterEach(async () => {
    await network.stop()
    proxy.clear()
  })

  const open = async () => {
    network = await startNetwork({ forkUrls: [proxy.url], pollIntervalMs: 60_000 })
    // Whatever the start leaves to be asked is asked.
    await network.client.getBlockNumber()
    await eventually(
      async () => proxy.stats().byMethod.web3_clientVersion ?? 0,
      (asked) => asked > 0,
    )
    proxy.resetStats()
  }
  const chase = (client: TestClient, steps: bigint) =>
    client.readContract({ address: reader, abi, functionName: 'chase', args: [0n, steps] })
  const sum = (client: TestClient, count: bigint) =>
    client.readContract({ address: reader, abi, functionName: 'sum', args: [count] })

  it('reads a hundred slots in at most four requests', async () => {
    await open()
    expect(await sum(network.client, 100n)).toBe(5_050n)
    expect(proxy.stats().requests).toBeLessThanOrEqual(4)
  })

  it('asks upstream for the way along a chain of pointers, instead of a round for each', async () => {
    await open()
    expect(await chase(network.client, 60n)).toBe(60n)
    expect(proxy.stats().byMethod.debug_traceCall).toBe(1)
    expect(proxy.stats().requests).toBeLessThanOrEqual(4)
  })

  it.each([
    ['eth_createAccessList answers', ['debug_traceCall'], 4],
    ['nothing answers', ['debug_traceCall', 'eth_createAccessList'], 14],
  ])('finds its way when %s', async (_, missingMethods, requests) => {
    proxy.set({ missingMethods })
    await open()
    expect(await chase(network.client, 10n)).toBe(10n)
    expect(proxy.stats().requests).toBeLessThanOrEqual(requests)
  })

  it('loads at a new head what it read at the last, before it is asked for', async () => {
    network = await startNetwork({ forkUrls: [proxy.url] })
    await chase(network.client, 40n)
    proxy.resetStats()
    await live.mine({ blocks: 1 })
    // Nobody asks, and this upstream is not trusted to tell what a block changed.
    const readAhead = async () => proxy.stats().byMethod.eth_getStorageAt ?? 0
    await eventually(readAhead, (count) => count === 40)
    expect(await chase(network.client, 40n)).toBe(40n)
    expect(await readAhead()).toBe(40)
  })

  it('knows what a function reads from another contract of the same code', async () => {
    const other = await deployContract(live, artifacts.SlotReader)
    await open()
    await chase(network.client, 30n)
    await network.client.getCode({ address: other })
    proxy.resetStats()
    await network.client.readContract({ address: other, abi, functionName: 'chase', args: [0n, 30n] })
    expect(proxy.stats().byMethod.debug_traceCall).toBeUndefined()
    expect(proxy.stats().requests).toBeLessThanOrEqual(2)
  })

  it('reads ahead for a program that forks the network and runs the code itself', async () => {
    const before = await live.getBlockNumber()
    await live.mine({ blocks: 1 })
    await open()
    await sum(network.client, 60n)
    proxy.resetStats()
    const fork = await startAnvil({
      args: ['--fork-url', network.url, '--fork-block-number', String(before)],
    })
    expect(await sum(await connectClient(fork.url), 60n)).toBe(1_830n)
    await fork.stop()
    // Most of them are for anvil's own accounts. The second slot brings all others.
    expect(proxy.stats().byMethod.eth_getStorageAt).toBe(60)
    expect(proxy.stats().requests).toBeLessThanOrEqual(20)
  })

  it('knows where a script will deploy next', async () => {
    const from = live.account.address
    const sent = await live.getTransactionCount({ address: from })
    // Somebody has paid to where the twelfth contract will be.
    const paid = getContractAddress({ from, nonce: BigInt(sent + 1 + 11) })
    await requireSuccess(live, await live.sendTransaction({ to: paid, value: 7n }))
    await open()
    const deployed: Address[] = []
    while (deployed.length < 16) deployed.push(await deployContract(network.client, artifacts.SlotReader))
    expect(deployed[11]).toBe(paid.toLowerCase())
    expect(await network.client.getBalance({ address: paid })).toBe(7n)
    const { byMethod, requests } = proxy.stats()
    expect(byMethod.eth_getCode).toBeLessThanOrEqual(16 + 8 + 2)
    expect(requests).toBeLessThanOrEqual(8)
  })

  it('quotes a swap on Uniswap V3 as upstream does, in fewer requests than the swap has steps', async () => {
    const uniswap = await deployUniswapV3(live)
    await open()
    const quote = (client: TestClient) =>
      client.simulateContract({
        address: uniswap.router,
        abi: artifacts.SwapRouter.abi,
        functionName: 'exactInputSingle',
        args: [
          {
            tokenIn: uniswap.tokenA,
            tokenOut: uniswap.tokenB,
            fee: 3000,
            recipient: live.account.address,
            deadline: 2n ** 64n,
            amountIn: 10n ** 18n,
            amountOutMinimum: 0n,
            sqrtPriceLimitX96: 0n,
          },
        ],
        account: live.account.address,
      })
    expect((await quote(network.client)).result).toBe((await quote(live)).result)
    expect(proxy.stats().byMethod.debug_traceCall).toBe(1)
    expect(proxy.stats().requests).toBeLessThanOrEqual(5)
  })
})
