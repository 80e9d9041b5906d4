import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { isInDatabase } from '../testDatabase.ts'

const [owner, other] = testAccounts.map(({ address }) => address) as [Address, Address]
const { abi } = artifacts.Counter

type Block = { number: Hex; timestamp: Hex; hash: Hex; parentHash: Hex; transactions: Hex[] } & Record<string, Hex>
type Ask = <T>(method: string, ...params: unknown[]) => Promise<T>

let live: Anvil
let counter: Address
let hashes: Hex[]
let block: Block
let networks: TestNetwork[]

/** Sends four transactions that are one block of a chain: each sees what those before it did. */
async function sendBlock(ask: Ask): Promise<Hex[]> {
  const send = (data: Hex) => ask<Hex>('eth_sendTransaction', { from: owner, to: counter, data, gas: '0x30000' })
  const increment = encodeFunctionData({ abi, functionName: 'increment' })
  const set = (value: bigint) => encodeFunctionData({ abi, functionName: 'setNumber', args: [value] })
  await ask('evm_setAutomine', false)
  const sent = [await send(set(5n)), await send(increment), await send(increment), await send(set(100n))]
  await ask('anvil_mine', '0x1')
  await ask('evm_setAutomine', true)
  return sent
}

beforeAll(async () => {
  live = await startAnvil()
  counter = await deployContract(await connectClient(live.url), artifacts.Counter, [0n])
  await live.rpc('anvil_mine', ['0x3'])
  hashes = await sendBlock((method, ...params) => live.rpc(method, params))
  block = await live.rpc('eth_getBlockByNumber', ['latest', false])
  await live.rpc('anvil_mine', ['0x5'])
  networks = []
})
afterEach(async () => {
  for (const network of networks.splice(0)) await network.stop()
})
afterAll(() => live?.stop())

const start = async (options: Parameters<typeof startNetwork>[0]) => {
  const network = await startNetwork({ forkUrls: [live.url], ...options })
  networks.push(network)
  return network
}
const countIn = (ask: Ask, tag = 'latest') => ask<Hex>('eth_getStorageAt', counter, '0x0', tag).then(BigInt)
const askLive: Ask = (method, ...params) => live.rpc(method, params)

describe('a fork after a transaction', () => {
  it("begins with the live block's transactions up to it, with their receipts and the block's number and time", async () => {
    const network = await start({ forkTransactionHash: hashes[1] })
    expect(await countIn(network.rpc)).toBe(6n)
    const first = await network.rpc<Block>('eth_getBlockByNumber', 'latest', false)
    const { number, parentHash, timestamp, baseFeePerGas, mixHash, miner, gasLimit } = block
    expect(first).toMatchObject({ number, parentHash, timestamp, baseFeePerGas, mixHash, miner, gasLimit })
    expect(first.transactions).toEqual(hashes.slice(0, 2))
    for (const hash of hashes.slice(0, 2)) {
      const ours = await network.rpc<Record<string, unknown>>('eth_getTransactionReceipt', hash)
      const { gasUsed, cumulativeGasUsed, effectiveGasPrice, status, logs } = await live.rpc<typeof ours>(
        'eth_getTransactionReceipt',
        [hash],
      )
      expect(ours).toMatchObject({ gasUsed, cumulativeGasUsed, effectiveGasPrice, status })
      expect((ours.logs as unknown[]).length).toBe((logs as unknown[]).length)
      expect(await network.rpc('debug_traceTransaction', hash, { tracer: 'callTracer' })).toMatchObject({ gasUsed })
    }
    expect(await network.rpc('eth_getTransactionReceipt', hashes[2])).toBeNull()
    expect(await network.rpc('eth_getTransactionCount', owner, 'latest')).toBe(
      (await live.rpc<{ nonce: Hex }>('eth_getTransactionByHash', [hashes[2]])).nonce,
    )
    const raw = await live.rpc<Hex>('eth_getRawTransactionByHash', [hashes[2]])
    expect(await network.rpc('eth_sendRawTransaction', raw)).toBe(hashes[2])
    expect(await countIn(network.rpc)).toBe(7n)
    expect(await network.rpc('eth_blockNumber')).toBe(`0x${(Number(number) + 1).toString(16)}`)
  })

  it('has the same state as the live block after its last transaction', async () => {
    const network = await start({ forkTransactionHash: hashes[3] })
    expect(await countIn(network.rpc)).toBe(100n)
    expect(await network.rpc('eth_getBlockByNumber', 'latest', false)).toMatchObject({
      transactions: hashes,
      transactionsRoot: block.transactionsRoot,
      receiptsRoot: block.receiptsRoot,
      gasUsed: block.gasUsed,
    })
  })

  it('is there again after a restart, once, and after a reset', async () => {
    const network = await start({ forkTransactionHash: hashes[1] })
    const data = encodeFunctionData({ abi, functionName: 'increment' })
    await network.rpc('eth_sendTransaction', { from: other, to: counter, data })
    await network.restart()
    expect(await countIn(network.rpc)).toBe(7n)
    await network.rpc('anvil_reset')
    expect(await countIn(network.rpc)).toBe(6n)
    expect(await network.rpc('eth_blockNumber')).toBe(block.number)
    await network.restart({ forkTransactionHash: undefined })
    expect(await countIn(network.rpc)).toBe(6n)
    expect(await network.rpc('eth_blockNumber')).toBe(block.number)
    await expect(network.restart({ forkTransactionHash: hashes[2] })).rejects.toThrow(
      `a fork after transaction ${hashes[2]}`,
    )
    await network.restart()
  })

  it.skipIf(isInDatabase)('is at another block after a reset to one', async () => {
    const network = await start({ forkTransactionHash: hashes[1] })
    await network.rpc('anvil_reset', { forking: { blockNumber: block.number } })
    expect(await countIn(network.rpc)).toBe(100n)
    expect(await network.rpc('eth_blockNumber')).toBe(block.number)
    await network.restart()
    expect(await countIn(network.rpc)).toBe(100n)
  })

  it('is refused for a transaction that is in no block, and beside a block', async () => {
    const unknown = `0x${'ab'.repeat(32)}`
    await expect(startNetwork({ forkUrls: [live.url], forkTransactionHash: unknown })).rejects.toThrow(
      `transaction not found: ${unknown} is in no block`,
    )
    await expect(startNetwork({ forkUrls: [`${live.url}@3`], forkTransactionHash: hashes[0] })).rejects.toThrow(
      'forkTransactionHash: the transaction names its block; leave --fork-block-number and the block of the URL out',
    )
    await expect(startNetwork({ forkUrls: [live.url], forkTransactionHash: '0x12' })).rejects.toThrow(
      'forkTransactionHash: expected a transaction hash of 32 bytes in 0x-hex, got "0x12"',
    )
  })
})

describe('eth_callMany before a transaction', () => {
  it('runs on the state there, in a block of the live chain and in one of this network', async () => {
    const network = await start({})
    const sent = await sendBlock(network.rpc)
    const own = await network.rpc<Block>('eth_getBlockByNumber', 'latest', false)
    expect(own.transactions).toEqual(sent)
    const data = encodeFunctionData({ abi, functionName: 'number' })
    const increment = encodeFunctionData({ abi, functionName: 'increment' })
    const countAt = async (blockNumber: Hex, transactionIndex?: unknown) => {
      const transactions = [increment, data].map((input) => ({ from: owner, to: counter, data: input }))
      const [results] = await network.rpc<{ value: Hex }[][]>('eth_callMany', [{ transactions }], {
        blockNumber,
        transactionIndex,
      })
      return Number(results?.[1]?.value)
    }
    for (const [{ number }, before] of [
      [block, 0],
      [own, 100],
    ] as const) {
      expect(await Promise.all([0, '0x1', 2, 3].map((index) => countAt(number, index)))).toEqual([before + 1, 6, 7, 8])
      expect(await countAt(number, -1)).toBe(101)
      expect(await countAt(number)).toBe(101)
      await expect(countAt(number, 4)).rejects.toThrow('params[1].transactionIndex: the block has 4 transactions')
    }
    await expect(countAt(own.number, -2)).rejects.toThrow('the index of a transaction, or -1 for after all of them')
  })
})

describe('a branch after a transaction', () => {
  type Branch = { url: string; blockNumber: number }
  const askAt =
    (url: string): Ask =>
    async (method, ...params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const { result, error } = (await (await fetch(url, { method: 'POST', body })).json()) as Record<string, never>
      if (error) throw new Error(JSON.stringify(error))
      return result
    }

  it('begins with its block up to there, and goes its own way', async () => {
    const network = await start({ forkBlockNumber: BigInt(block.number) })
    await network.rpc('dev_setBalance', other, '5000000000000000000')
    const sent = await sendBlock(network.rpc)
    const whole = await network.rpc<Block>('eth_getBlockByNumber', 'latest', false)
    await network.rpc('dev_setBalance', other, parseEther('9').toString())
    await network.rpc('anvil_mine', '0x2')
    for (const [index, expected] of [5n, 6n, 7n, 100n].entries()) {
      const { url } = await network.rpc<Branch>('dev_createBranch', { afterTransaction: sent[index] })
      const ask = askAt(url)
      expect(await countIn(ask)).toBe(expected)
      const first = await ask<Block>('eth_getBlockByNumber', 'latest', false)
      expect(first.transactions).toEqual(sent.slice(0, index + 1))
      const { number, timestamp, parentHash, baseFeePerGas, mixHash } = whole
      expect(first).toMatchObject({ number, timestamp, parentHash, baseFeePerGas, mixHash })
      if (index === 3) expect(first.hash).toBe(whole.hash)
      expect(await ask('eth_getBalance', other, 'latest')).toBe('0x4563918244f40000')
      expect(await ask('eth_getTransactionReceipt', sent[index])).toMatchObject({ blockHash: first.hash })
      const data = encodeFunctionData({ abi, functionName: 'increment' })
      await ask('eth_sendTransaction', { from: owner, to: counter, data })
      expect(await countIn(ask)).toBe(expected + 1n)
    }
    expect(await countIn(network.rpc)).toBe(100n)
    expect(await network.rpc('eth_getBlockByNumber', whole.number, false)).toMatchObject({ hash: whole.hash })
  })

  it('is there after a restart, and of a branch', async () => {
    const network = await start({ forkBlockNumber: BigInt(block.number) })
    const sent = await sendBlock(network.rpc)
    await network.rpc('dev_createBranch', { name: 'one', afterTransaction: sent[2] })
    await askAt(`${network.url}/n/one`)('dev_createBranch', { name: 'two', afterTransaction: sent[0] })
    expect(await countIn(askAt(`${network.url}/n/two`))).toBe(5n)
    await network.restart()
    expect(await countIn(askAt(`${network.url}/n/one`))).toBe(7n)
    expect(await countIn(askAt(`${network.url}/n/two`))).toBe(5n)
  })

  it('does not move to the head of the live chain before it begins', async () => {
    const network = await start({})
    const sent = await sendBlock(network.rpc)
    const { number } = await network.rpc<Block>('eth_getBlockByNumber', 'latest', false)
    await askLive('anvil_mine', '0x1')
    const { url } = await network.rpc<Branch>('dev_createBranch', { afterTransaction: sent[1] })
    expect(await askAt(url)('eth_getTransactionReceipt', sent[1])).toMatchObject({ blockNumber: number })
    expect(await askAt(url)('eth_getTransactionReceipt', sent[2])).toBeNull()
  })

  it('is refused for other transactions by name', async () => {
    const network = await start({})
    const create = (afterTransaction: unknown, more = {}) =>
      network.rpc('dev_createBranch', { afterTransaction, ...more })
    await expect(create(`0x${'ab'.repeat(32)}`)).rejects.toThrow('is in no block')
    await expect(create(hashes[0])).rejects.toThrow('fork the live chain there with --fork-transaction-hash')
    await expect(create(hashes[0], { at: 'latest' })).rejects.toThrow('pass either at or afterTransaction')
    await expect(create('0x12')).rejects.toThrow('params[0].afterTransaction')
    await network.rpc('evm_setAutomine', false)
    const waiting = await network.rpc('eth_sendTransaction', { from: owner, to: other, value: '0x1' })
    await expect(create(waiting)).rejects.toThrow('waits for a block')
    expect(await network.rpc('dev_getBranches')).toEqual([])
  })
})
