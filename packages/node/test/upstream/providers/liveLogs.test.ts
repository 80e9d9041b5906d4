import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  type FaultProxy,
  startAnvil,
  startFaultProxy,
  type TestClient,
} from '@understudy/testkit'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../../startNetwork.ts'

type Call = Parameters<NonNullable<Parameters<FaultProxy['set']>[0]['answer']>>[0]
type Answer = { result: unknown } | { error: { code: number; message: string } }
type Log = { blockNumber: Hex; blockHash: Hex; logIndex: Hex; data: Hex }

const { abi } = artifacts.Events
/** The last block of the live chain that is shared, and those before it with so many logs each. */
const lastBlock = 1_200
const emitters = new Map([
  [3, 2],
  [100, 7],
  [101, 3],
  [400, 1],
  [600, 9],
  [1_199, 2],
])

let anvil: Anvil
let proxy: FaultProxy
let live: TestClient
let network: TestNetwork
let events: Hex
/** Sizes of the ranges that were asked for, in blocks. */
let asked: number[]

beforeAll(async () => {
  anvil = await startAnvil()
  live = await connectClient(anvil.url)
  // Block 1.
  events = await deployContract(live, artifacts.Events)
  let number = 1
  for (const [block, count] of emitters) {
    if (block - 1 > number) await live.mine({ blocks: block - 1 - number })
    await emit(live, count)
    number = block
  }
  await live.mine({ blocks: lastBlock - number })
  expect(await live.getBlockNumber()).toBe(BigInt(lastBlock))
})
afterAll(() => anvil.stop())

beforeEach(async () => {
  proxy = await startFaultProxy(anvil.url)
  asked = []
})
afterEach(async () => {
  await network.stop()
  await proxy.stop()
})

function emit(client: TestClient, count: number) {
  const data = encodeFunctionData({ abi, functionName: 'emitMany', args: [BigInt(count)] })
  return client.sendTransaction({ to: events, data, gas: 1_000_000n })
}

/** Answers queries of logs as `refusal` says; those that it leaves are answered by the live chain. */
async function fork(refusal: (blocks: number, call: Call) => Answer | undefined, options = {}): Promise<void> {
  proxy.set({
    answer: (call) => {
      if (call.method !== 'eth_getLogs') return undefined
      const [{ fromBlock, toBlock }] = call.params as [{ fromBlock: Hex; toBlock: Hex }]
      const blocks = fromBlock === undefined ? 1 : Number(toBlock) - Number(fromBlock) + 1
      asked.push(blocks)
      return refusal(blocks, call)
    },
  })
  network = await startNetwork({ forkUrls: [proxy.url], followHead: false, ...options })
}

const refuse = (message: string, code = -32000): Answer => ({ error: { code, message } })
const takes = (most: number, message: string, code?: number) =>
  fork((blocks) => (blocks > most ? refuse(message, code) : undefined))

const query = (client: TestClient | TestNetwork, fromBlock: number, toBlock: number) =>
  ask(client, { fromBlock: `0x${fromBlock.toString(16)}`, toBlock: `0x${toBlock.toString(16)}`, address: events })
const ask = (client: TestClient | TestNetwork, filter: object): Promise<Log[]> =>
  'rpc' in client
    ? client.rpc('eth_getLogs', filter)
    : client.request({ method: 'eth_getLogs', params: [filter] } as never)

describe('logs of the live chain', () => {
  it('are asked for once where the endpoint takes all', async () => {
    await fork(() => undefined)
    expect(await query(network, 0, lastBlock)).toEqual(await query(live, 0, lastBlock))
    expect(asked).toEqual([lastBlock + 1])
  })

  it.each([
    { most: 500, message: 'eth_getLogs is limited to a 500 range', first: 4, next: 3 },
    { most: 50, message: 'eth_getLogs is limited to a 50 range', first: 26, next: 24 },
    { most: 50, message: 'Block range is too large', first: 42, next: 30 },
    { most: 10, message: 'You can make eth_getLogs requests with up to a 10 block range', first: 122, next: 120 },
    { most: 3, message: 'block range exceeds 3', first: 402, next: 400 },
  ])('are asked for in ranges of $most, which «$message» says', async ({ most, message, first, next }) => {
    await takes(most, message)
    const expected = await query(live, 1, lastBlock - 1)
    expect(await query(network, 1, lastBlock - 1)).toEqual(expected)
    expect(asked.length).toBeLessThanOrEqual(first)
    asked = []
    expect(await query(network, 1, lastBlock - 1)).toEqual(expected)
    expect(asked.length).toBeLessThanOrEqual(next)
  })

  it('are in order with those of local blocks', async () => {
    await takes(3, 'block range exceeds 3')
    await emit(network.client, 4)
    await emit(network.client, 1)
    const logs = await query(network, lastBlock - 40, lastBlock + 2)
    expect(logs.map(({ blockNumber }) => Number(blockNumber) - lastBlock)).toEqual([-1, -1, 1, 1, 1, 1, 2])
    const id = await network.rpc<string>('eth_newFilter', {
      fromBlock: `0x${(lastBlock - 40).toString(16)}`,
      address: events,
    })
    expect(await network.rpc('eth_getFilterLogs', id)).toEqual(logs)
    asked = []
    await emit(network.client, 1)
    expect(await network.rpc('eth_getFilterChanges', id)).toHaveLength(1)
    expect(asked).toEqual([])
  })

  it('are split where one query may answer fewer', async () => {
    await fork((blocks) => (blocks > 60 ? refuse('query returned more than 10 results', -32005) : undefined))
    expect(await query(network, 0, lastBlock)).toEqual(await query(live, 0, lastBlock))
    expect(asked.length).toBeLessThan(60)
    asked = []
    // Other logs may be fewer: nothing is known of their range.
    await query(network, 700, lastBlock)
    expect(asked[0]).toBe(501)
  })

  it('are split where upstream advises a range', async () => {
    await fork((_, { params }) => {
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: Hex; toBlock: Hex }]
      const end = [...emitters.keys()].find((block) => block > Number(fromBlock) && block < Number(toBlock))
      if (end === undefined) return undefined
      return refuse(`query exceeds max results 20000, retry with the range ${Number(fromBlock)}-${end}`, -32602)
    })
    expect(await query(network, 3, lastBlock)).toEqual(await query(live, 3, lastBlock))
  })

  it('end where there are more than may be answered', async () => {
    await fork((blocks) => (blocks > 20 ? refuse('exceed maximum block range: 20') : undefined), { logRowsLimit: 5 })
    await expect(query(network, 0, lastBlock)).rejects.toMatchObject({
      code: -32005,
      details: 'query returned more than 5 results. Try with this block range [0x0, 0x63].',
    })
    expect(asked.length).toBeLessThanOrEqual(1 + 6 + 4)
    expect(await query(network, 0, 99)).toHaveLength(2)
  })

  it('are refused where they would need too many requests, with a range that does not', async () => {
    await takes(1, 'block range exceeds 1')
    const { message } = await query(network, 1, lastBlock - 1).catch((error) => error)
    expect(message).toMatch(/query exceeds max block range.*1199 blocks need more than 1000 requests/)
    expect(asked.length).toBeLessThan(12)
    asked = []
    await expect(query(network, 1, lastBlock - 1)).rejects.toMatchObject({ code: -32005 })
    expect(asked).toEqual([])
    const [, from, to] = /Try with this block range \[(0x[\da-f]+), (0x[\da-f]+)\]/.exec(message) ?? []
    expect([Number(from), Number(to)]).toEqual([1, 1000])
    expect(await query(network, 1, 1000)).toEqual(await query(live, 1, 1000))
    expect(asked.length).toBe(1000)
  })

  it('are had in as many requests as are allowed, also while the range is found', async () => {
    await takes(1, 'block range exceeds 1')
    expect(await query(network, 1, 1000)).toEqual(await query(live, 1, 1000))
    expect(asked.length).toBeLessThan(1010)
  })

  it('count as values of the live chain', async () => {
    await fork((blocks) => (blocks > 10 ? refuse('up to a 10 block range') : undefined), { requestKeys: 50 })
    await expect(query(network, 1, lastBlock - 1)).rejects.toMatchObject({
      details: expect.stringContaining('--request-keys'),
    })
    expect(asked.length).toBeGreaterThan(45)
    expect(asked.length).toBeLessThanOrEqual(51)
  })

  it.each([
    'block range is limited to 0',
    'block range is limited to -3',
    'block range is limited to 99999999999999999999',
    'block range is limited to 1',
    'block range is too wide. Try [0x0, 0x1]',
    'query returned more than 1 results',
  ])('fail after few requests where every range is refused: «%s»', async (message) => {
    await fork(() => refuse(message))
    await expect(query(network, 1, lastBlock - 1)).rejects.toMatchObject({
      details: expect.stringMatching(`it refuses block 1 alone.*${message.slice(0, 20)}`),
    })
    expect(asked.length).toBeLessThan(16)
  })

  it.each(['block range is limited to 1', 'block range is too wide. Try [0x1, 0x1]'])(
    'are had where the limit is named too low: «%s»',
    async (message) => {
      await takes(60, message)
      expect(await query(network, 1, lastBlock - 1)).toEqual(await query(live, 1, lastBlock - 1))
      expect(asked.length).toBeLessThan(120)
    },
  )

  it('are refused if they are of other blocks', async () => {
    const others = await query(live, 0, 100)
    await fork(() => ({ result: others }))
    await expect(query(network, 50, 100)).rejects.toMatchObject({
      details: expect.stringContaining('it answered a log of block 3 when asked for blocks 50 to 100'),
    })
  })

  it('are not asked for in parts where the plan has no such method', async () => {
    await fork(() => refuse('eth_getLogs is not available on the Free tier - upgrade to Pay As You Go', -32600))
    await expect(query(network, 0, lastBlock)).rejects.toMatchObject({
      details: expect.stringContaining('eth_getLogs is not available on the Free tier'),
    })
    expect(asked).toEqual([lastBlock + 1])
  })

  it('are no longer asked for once the client has gone', async () => {
    await takes(10, 'up to a 10 block range')
    proxy.set({ delayMs: 20 })
    const leaving = new AbortController()
    const filter = { fromBlock: '0x1', toBlock: '0x400', address: events }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] })
    const answer = fetch(network.url, { method: 'POST', body, signal: leaving.signal })
    answer.catch(() => {})
    await proxy.arrived(proxy.stats().requests + 10)
    leaving.abort()
    await expect(answer).rejects.toThrow()
    const { requests } = proxy.stats()
    // Another query takes as long as some parts.
    await query(network, 1, 300)
    expect(proxy.stats().requests - requests).toBeLessThanOrEqual(30 + 8)
  })
})

describe('logs of the block at which a new network was forked', () => {
  it('are asked for by its hash where the node that answers has not seen it', async () => {
    const own = await startAnvil()
    const client = await connectClient(own.url)
    const address = await deployContract(client, artifacts.Events)
    const data = encodeFunctionData({ abi, functionName: 'emitMany', args: [3n] })
    await client.sendTransaction({ to: address, data, gas: 1_000_000n })
    proxy.pointTo(own.url)
    await fork((_, { params }) => {
      const [{ fromBlock, toBlock }] = params as [{ fromBlock?: Hex; toBlock?: Hex }]
      return fromBlock !== undefined && Number(toBlock) >= 2 ? { result: [] } : undefined
    })
    expect(await ask(network, { fromBlock: '0x0', address })).toEqual(await ask(client, { fromBlock: '0x0', address }))
    asked = []
    expect(await ask(network, { fromBlock: '0x0', address: `0x${'77'.repeat(20)}` })).toEqual([])
    expect(asked).toEqual([3])
    await network.stop()
    await own.stop()
    proxy.pointTo(anvil.url)
    await fork(() => undefined)
  })
})
