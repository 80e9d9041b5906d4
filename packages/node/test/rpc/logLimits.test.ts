import { type Anvil, artifacts, connectClient, deployContract, startAnvil } from '@understudy/testkit'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Log = { blockNumber: Hex; logIndex: Hex; data: Hex }
type Failure = { error: { code: number; message: string } }

const { abi } = artifacts.Events
let anvil: Anvil
let network: TestNetwork
let events: Hex

/** Blocks with so many logs each, half of them before the fork. */
const before = [2, 9, 4, 6]
const after = [3, 5, 12, 1, 8, 10]

beforeAll(async () => {
  anvil = await startAnvil()
  const upstream = await connectClient(anvil.url)
  events = await deployContract(upstream, artifacts.Events)
  const emit = (client: typeof upstream, count: number) =>
    client.sendTransaction({
      to: events,
      data: encodeFunctionData({ abi, functionName: 'emitMany', args: [BigInt(count)] }),
      gas: 1_000_000n,
    })
  for (const count of before) await emit(upstream, count)
  network = await startNetwork({ forkUrls: [anvil.url], followHead: false, logRowsLimit: 12 })
  for (const count of after) await emit(network.client, count)
})
afterAll(async () => {
  await network.stop()
  await anvil.stop()
})

// With the options that it had.
beforeEach(() => network.restart())

const ask = async (method: string, params: unknown[]): Promise<{ result: Log[] } | Failure> =>
  (await fetch(network.url, { method: 'POST', body: JSON.stringify({ id: 1, method, params }) })).json() as never

/** The range that an error names, by the words that indexers look for. */
function rangeOf({ error }: Failure): [Hex, Hex] {
  expect(error.code).toBe(-32005)
  expect(error.message).toContain('query returned more than')
  const [, first, last] = /Try with this block range \[(0x[\da-f]+),\s*(0x[\da-f]+)\]/.exec(error.message) ?? []
  return [first as Hex, last as Hex]
}

/** All logs from a block on, by ranges that are named where one is too long. */
async function crawl(from: bigint, to: bigint, load: (fromBlock: Hex, toBlock: Hex) => ReturnType<typeof ask>) {
  const found: Log[] = []
  let refused = 0
  for (let next = from; next <= to; ) {
    const hex: Hex = `0x${next.toString(16)}`
    let answer = await load(hex, `0x${to.toString(16)}`)
    let last = to
    if ('error' in answer) {
      refused++
      const [first, end] = rangeOf(answer)
      expect(first).toBe(hex)
      last = BigInt(end)
      answer = await load(first, end)
      if ('error' in answer) throw new Error(`the range that was named is refused: ${answer.error.message}`)
    }
    found.push(...answer.result)
    next = last + 1n
  }
  return { found, refused }
}

describe('logs beyond the limit are refused with a range that is answered', () => {
  const counts = [...before, ...after]
  const all = counts.flatMap((count) => Array.from({ length: count }, (_, index) => index))

  it('over the border of the fork, by eth_getLogs', async () => {
    const head = await network.client.getBlockNumber()
    const { found, refused } = await crawl(0n, head, (fromBlock, toBlock) =>
      ask('eth_getLogs', [{ fromBlock, toBlock, address: events }]),
    )
    expect(found.map(({ data }) => Number(data))).toEqual(all)
    expect(refused).toBe(5)
  })

  it('by eth_getFilterLogs', async () => {
    const head = await network.client.getBlockNumber()
    const { found } = await crawl(0n, head, async (fromBlock, toBlock) => {
      const id = await network.rpc('eth_newFilter', { fromBlock, toBlock, address: events })
      return ask('eth_getFilterLogs', [id])
    })
    expect(found).toHaveLength(all.length)
  })

  it('but not where one block alone has too many', async () => {
    await network.restart({ logRowsLimit: 9 })
    const number = (await network.client.getBlockNumber()) - BigInt(after.length) + 3n
    const block: Hex = `0x${number.toString(16)}`
    const { hash } = await network.client.getBlock({ blockNumber: number })
    const { error } = (await ask('eth_getLogs', [{ fromBlock: block, toBlock: 'latest' }])) as Failure
    expect(error).toMatchObject({
      code: -32005,
      message: `query returned more than 9 results. Block ${block} alone has more: use an address or a topic, or raise --log-rows-limit`,
    })
    expect(await ask('eth_getLogs', [{ blockHash: hash }])).toMatchObject({ error })
  })

  it('by their size', async () => {
    await network.restart({ answerLimit: 16_384 })
    const head = await network.client.getBlockNumber()
    const { found, refused } = await crawl(0n, head, (fromBlock, toBlock) =>
      ask('eth_getLogs', [{ fromBlock, toBlock, address: events }]),
    )
    expect(found.map(({ data }) => Number(data))).toEqual(all)
    expect(refused).toBeGreaterThan(1)
  })
})
