import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV2,
  startAnvil,
  type TestClient,
  type UniswapV2,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { localContract } from '../localContracts.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

describe('a network that forks a live chain', () => {
  let anvil: Anvil
  let live: TestClient
  let uniswap: UniswapV2
  let counter: Address
  let network: TestNetwork

  beforeAll(async () => {
    anvil = await startAnvil({})
    live = await connectClient(anvil.url)
    uniswap = await deployUniswapV2(live)
  })
  afterAll(() => anvil?.stop())
  beforeEach(async () => {
    counter = await deployContract(live, artifacts.Counter, [7n])
    network = await startNetwork({ forkUrls: [anvil.url] })
  })
  afterEach(() => network?.stop())

  const count = (client: TestClient, blockNumber?: bigint) =>
    client.readContract({ address: counter, abi: artifacts.Counter.abi, functionName: 'number', blockNumber })
  const baseNumber = async () => (await network.rpc<{ base: { number: number } }>('dev_getNetworkInfo')).base.number

  it('reads what upstream has', async () => {
    expect(await network.client.getChainId()).toBe(31337)
    expect(await count(network.client)).toBe(7n)
    const holder = live.account.address
    expect(await network.client.getBalance({ address: holder })).toBe(10_000n * 10n ** 18n)
    const balanceOf = { address: uniswap.tokenA, abi: erc20Abi, functionName: 'balanceOf', args: [holder] } as const
    expect(await network.client.readContract(balanceOf)).toBe(await live.readContract(balanceOf))
  })

  it("tells how it hears of upstream's heads, and how far behind them it is", async () => {
    type Info = { upstream: { headSource: string; blocksAhead: number } }
    const { upstream } = await eventually(
      () => network.rpc<Info>('dev_getNetworkInfo'),
      (info) => info.upstream.headSource === 'websocket',
    )
    expect(upstream.blocksAhead).toBe(0)
    const health = await (await fetch(`${network.url}/health`)).json()
    expect(health.upstream).toMatchObject({ source: 'websocket', lag: { blocks: 0, seconds: expect.any(Number) } })
  })

  it('follows upstream block by block where nothing local touched it, and freezes what was', async () => {
    const abi = artifacts.Counter.abi
    const before = await network.client.getBlockNumber()
    await live.writeContract({ address: counter, abi, functionName: 'setNumber', args: [20n] })
    const head = Number(await live.getBlockNumber())
    await eventually(baseNumber, (base) => base === head)
    expect(await count(network.client)).toBe(20n)
    expect(await network.client.getBlockNumber()).toBeGreaterThan(before)

    await network.client.writeContract({ address: counter, abi, functionName: 'increment' })
    expect(await count(network.client)).toBe(21n)
    await live.writeContract({ address: counter, abi, functionName: 'setNumber', args: [50n] })
    const next = Number(await live.getBlockNumber())
    await eventually(baseNumber, (base) => base === next)
    expect(await count(network.client)).toBe(21n)
    expect(await count(live)).toBe(50n)
  })

  it('answers at an old block what that block saw', async () => {
    const abi = artifacts.Counter.abi
    const first = await network.client.getBlockNumber()
    const start = await count(network.client)
    await network.client.writeContract({ address: counter, abi, functionName: 'increment' })
    await network.client.writeContract({ address: counter, abi, functionName: 'increment' })
    expect(await count(network.client, first)).toBe(start)
    expect(await count(network.client, first + 1n)).toBe(start + 1n)
    expect(await count(network.client)).toBe(start + 2n)
  })

  it('seals a swap on the real Uniswap V2 pool with the receipt and the logs that anvil gives', async () => {
    const amount = 10n ** 18n
    const swapOn = async (client: TestClient) => {
      const path = [uniswap.tokenA, uniswap.tokenB]
      const abi = artifacts.UniswapV2Router02.abi
      const deadline = 2n ** 40n
      await client.writeContract({
        address: uniswap.tokenA,
        abi: erc20Abi,
        functionName: 'approve',
        args: [uniswap.router, amount],
      })
      // The first swap of a second writes the price accumulators too: both sides make it the first.
      await client.increaseTime({ seconds: 60 })
      const hash = await client.writeContract({
        gas: 300_000n,
        address: uniswap.router,
        abi,
        functionName: 'swapExactTokensForTokens',
        args: [amount, 0n, path, client.account.address, deadline],
      })
      return client.waitForTransactionReceipt({ hash })
    }
    await network.rpc('dev_importContracts', { contracts: [localContract('Pair', artifacts.UniswapV2Pair)] })
    const ours = await swapOn(network.client)
    const theirs = await swapOn(live)
    const essence = ({ logs, status, gasUsed }: typeof ours) => ({
      status,
      gasUsed,
      logs: logs.map(({ address, topics, data, logIndex }) => ({ address, topics, data, logIndex })),
    })
    expect(essence(ours)).toEqual(essence(theirs))
    // The live factory's pair was reached by the swap alone.
    const imported = await network.rpc<{ deployments: { address: string }[] }[]>('dev_getImportedContracts')
    expect(imported[0]?.deployments.map(({ address }) => address)).toEqual([uniswap.pair.toLowerCase()])
  })

  it('shows blocks, transactions, receipts and logs from both sides of the fork', async () => {
    const deployment = (await live.getLogs({ fromBlock: 0n, toBlock: 'latest' }))[0]
    if (!deployment?.transactionHash) throw new Error('upstream has logs')
    const { transactionHash: hash, blockNumber } = deployment
    expect(await network.rpc('eth_getTransactionByHash', hash)).toEqual(
      await anvil.rpc('eth_getTransactionByHash', [hash]),
    )
    expect(await network.rpc('eth_getTransactionReceipt', hash)).toEqual(
      await anvil.rpc('eth_getTransactionReceipt', [hash]),
    )
    const number = `0x${blockNumber.toString(16)}`
    expect(await network.rpc('eth_getBlockByNumber', number, true)).toEqual(
      await anvil.rpc('eth_getBlockByNumber', [number, true]),
    )

    await network.client.writeContract({ address: counter, abi: artifacts.Counter.abi, functionName: 'increment' })
    const logs = await network.client.getLogs({ fromBlock: 0n, toBlock: 'latest' })
    const keys = logs.map((log) => `${log.blockNumber}/${log.logIndex}`)
    expect(new Set(keys).size).toBe(keys.length)
    const origin = BigInt((await network.rpc<{ origin: { number: number } }>('dev_getNetworkInfo')).origin.number)
    expect(logs.some((log) => log.blockNumber <= origin)).toBe(true)
    expect(logs.some((log) => log.blockNumber > origin)).toBe(true)
  })

  it('continues after a restart', async () => {
    const before = await network.client.getBlock()
    const value = await count(network.client)
    const logs = await network.client.getLogs({ fromBlock: 0n, toBlock: before.number })
    await network.restart()
    expect(await network.client.getBlock({ blockNumber: before.number })).toEqual(before)
    expect(await count(network.client)).toBe(value)
    expect(await network.client.getLogs({ fromBlock: 0n, toBlock: before.number })).toEqual(logs)
  })

  it('stays at its block when it is pinned', async () => {
    const pinned = await startNetwork({ forkUrls: [anvil.url], forkBlockNumber: await live.getBlockNumber() })
    const data = encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'setNumber', args: [99n] })
    const old = await count(live)
    await live.sendTransaction({ to: counter, data })
    await pinned.rpc('evm_mine')
    expect(await count(pinned.client)).toBe(old)
    await pinned.stop()
  })

  it('refuses the network of another chain', async () => {
    const other = await startAnvil({ chainId: 4242 })
    const kind = typeof network.location === 'string' ? 'DATA_DIRECTORY_CHAIN_MISMATCH' : 'NETWORK_CHAIN_MISMATCH'
    await expect(network.restart({ forkUrls: [other.url] })).rejects.toMatchObject({ kind })
    await network.restart()
    await other.stop()
  })
})
