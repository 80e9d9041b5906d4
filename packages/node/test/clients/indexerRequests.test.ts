import { type Anvil, artifacts, connectClient, deployContract, startAnvil, type TestClient } from '@understudy/testkit'
import { type Address, type Block, encodeFunctionData, type Hex, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

/**
 * What graph-node and Blockscout ask, which npm does not have: over the border of a fork, through a revert, on a branch and
 * beyond a limit of logs. They find their way by hashes, so what is asked by hash must agree with what is asked by number.
 */

type RawBlock = Block & { number: Hex; hash: Hex; parentHash: Hex; transactions: { hash: Hex }[] }
type Receipt = { transactionHash: Hex; blockHash: Hex; logs: RawLog[] }
type RawLog = { blockHash: Hex; transactionHash: Hex; logIndex: Hex }
type Answer = { id: number; result?: unknown; error?: { code: number; message: string } }

const { abi } = artifacts.Events
let anvil: Anvil
let network: TestNetwork
let contract: Address

beforeAll(async () => {
  anvil = await startAnvil()
  const live = await connectClient(anvil.url)
  contract = await deployContract(live, artifacts.Events)
  await emit(live, 2)
  network = await startNetwork({ forkUrls: [anvil.url], logRowsLimit: 40 })
  await emit(network.client, 3)
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

const emit = (client: TestClient, count: number) =>
  client.writeContract({ address: contract, abi, functionName: 'emitMany', args: [BigInt(count)] })

async function batch(
  url: string,
  calls: readonly (readonly [method: string, ...params: unknown[]])[],
): Promise<Answer[]> {
  const body = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Answer[]
}

describe("graph-node's requests", () => {
  const ask =
    (url: string) =>
    async <T>(method: string, ...params: unknown[]): Promise<T> => {
      const [answer] = await batch(url, [[method, ...params]])
      if (answer?.error) throw Object.assign(new Error(answer.error.message), answer.error)
      return answer?.result as T
    }

  /** From the newest block to the first, by the hash of each parent. */
  async function walkBack(url: string): Promise<RawBlock[]> {
    const get = ask(url)
    const blocks = [await get<RawBlock>('eth_getBlockByNumber', 'latest', true)]
    for (;;) {
      const [oldest] = blocks
      if (!oldest || BigInt(oldest.number) === 0n) return blocks
      blocks.unshift(await get<RawBlock>('eth_getBlockByHash', oldest.parentHash, true))
    }
  }

  async function expectConsistent(url: string): Promise<void> {
    const get = ask(url)
    const chain = await walkBack(url)
    expect(chain.map(({ number }) => BigInt(number))).toEqual(chain.map((_, index) => BigInt(index)))
    const range = { fromBlock: '0x0', toBlock: chain.at(-1)?.number, address: [contract] }
    const logs = await get<RawLog[]>('eth_getLogs', range)
    const ofReceipts: RawLog[] = []
    for (const { hash, number, transactions } of chain) {
      expect((await get<RawBlock>('eth_getBlockByNumber', number, false)).hash).toBe(hash)
      const receipts = await get<Receipt[]>('eth_getBlockReceipts', hash)
      expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(transactions.map((each) => each.hash))
      ofReceipts.push(...receipts.flatMap((receipt) => receipt.logs))
    }
    const positionOf = ({ blockHash, transactionHash, logIndex }: RawLog) => [blockHash, transactionHash, logIndex]
    expect(logs.map(positionOf)).toEqual(ofReceipts.map(positionOf))
  }

  it('find one chain on both sides of the fork, by hash and by number', async () => {
    await expectConsistent(network.url)
  })

  it('call contracts on the state of a block that its hash names', async () => {
    const get = ask(network.url)
    const [first, ...rest] = await walkBack(network.url)
    const call = { to: contract, data: encodeFunctionData({ abi, functionName: 'emitMany', args: [0n] }) }
    for (const { hash } of [...rest.slice(1)]) expect(await get('eth_call', call, { blockHash: hash })).toBe('0x')
    expect(await get('eth_getCode', contract, { blockHash: first?.hash })).toBe('0x')
    expect(await get('eth_getCode', contract, { blockHash: rest.at(-1)?.hash })).not.toBe('0x')
  })

  it('find the way from a removed block to the chain that replaced it', async () => {
    const get = ask(network.url)
    const snapshot = await network.rpc<Hex>('evm_snapshot')
    for (let count = 1; count < 4; count++) await emit(network.client, count)
    const removed = (await walkBack(network.url)).slice(-3)
    await network.rpc('evm_revert', snapshot)
    await emit(network.client, 9)
    for (const { hash, parentHash, transactions } of removed) {
      expect(await get('eth_getBlockByHash', hash, true)).toMatchObject({ hash, parentHash, transactions })
      const receipts = await get<Receipt[]>('eth_getBlockReceipts', hash)
      expect(await get('eth_getLogs', { blockHash: hash })).toEqual(receipts.flatMap(({ logs }) => logs))
    }
    const parent = await get<RawBlock>('eth_getBlockByHash', removed[0]?.parentHash, false)
    expect((await get<RawBlock>('eth_getBlockByNumber', parent.number, false)).hash).toBe(parent.hash)
    await expectConsistent(network.url)
  })

  it('find one chain on a branch', async () => {
    const { url } = await network.rpc<{ url: string }>('dev_createBranch', { name: 'graph' })
    await emit(await connectClient(url), 4)
    await expectConsistent(url)
  })

  it('are told by the code of the error to ask for fewer blocks', async () => {
    const { url, rpc } = network
    const snapshot = await rpc<Hex>('evm_snapshot')
    for (let round = 0; round < 3; round++) await emit(network.client, 20)
    const range = { fromBlock: '0x0', toBlock: 'latest', address: [contract] }
    await expect(ask(url)('eth_getLogs', range)).rejects.toMatchObject({ code: -32005 })
    await rpc('evm_revert', snapshot)
  })
})

describe("Blockscout's requests", () => {
  it('come in batches, and have answers on both sides of the fork', async () => {
    const head = Number(await network.client.getBlockNumber())
    const numbers = Array.from({ length: head + 1 }, (_, number) => toHex(number))
    const blocks = await batch(
      network.url,
      numbers.map((number) => ['eth_getBlockByNumber', number, true]),
    )
    const hashes = blocks.flatMap(({ result }) => (result as RawBlock).transactions.map(({ hash }) => hash))
    expect(hashes.length).toBeGreaterThanOrEqual(3)
    const ofTransactions = await batch(
      network.url,
      hashes.flatMap((hash) => [
        ['eth_getTransactionReceipt', hash],
        ['debug_traceTransaction', hash, { tracer: 'callTracer', timeout: '30s' }],
      ]),
    )
    const ofBlocks = await batch(
      network.url,
      numbers.flatMap((number) => [
        ['eth_getBalance', contract, number],
        ['eth_getCode', contract, number],
      ]),
    )
    const pending = await batch(network.url, [['txpool_content'], ['eth_getBlockByNumber', 'pending', true]])
    for (const { result, error } of [...blocks, ...ofTransactions, ...ofBlocks, ...pending]) {
      expect(error).toBeUndefined()
      expect(result).not.toBeNull()
    }
  })
})
