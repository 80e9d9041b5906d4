import {
  type Anvil,
  createFakeClock,
  type FakeClock,
  type FaultProxy,
  postJsonRpc,
  type ShapedChain,
  startAnvil,
  startFaultProxy,
  startShapedChain,
} from '@understudy/testkit'
import { type Address, type Hex, numberToHex, parseGwei } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSocket } from '../../rawSocket.ts'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'
import { trackerOf } from '../../tracking/tracker.ts'
import { withRealTimers } from './realTimers.ts'

type Raw = Record<string, unknown>
type Block = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex; timestampMs?: Hex; ownField?: string }

const start = 2_000_000_000
const someone: Address = `0x${'5e'.repeat(20)}`

/** Where in its second a block of a chain with five a second is: they begin with block 1. */
const partOf = (number: Hex) => ((Number(number) - 1) % 5) * 200
/** As Base's nodes show them: the field is of the answer, and not of the header that is hashed. */
const withMilliseconds = (raw: Raw): Raw => ({
  ...raw,
  timestampMs: numberToHex(Number(raw.timestamp) * 1000 + partOf(raw.number as Hex)),
  ownField: 'own',
})

let live: ShapedChain
let clock: FakeClock
let network: TestNetwork | undefined
const rpc = <T = unknown>(method: string, ...params: unknown[]) => (network as TestNetwork).rpc<T>(method, ...params)
const blockAt = (number: number | bigint | 'latest' | 'pending') =>
  rpc<Block>('eth_getBlockByNumber', typeof number === 'string' ? number : numberToHex(number), false)

/** Five blocks of each second since the start. */
async function liveSeconds(...seconds: number[]): Promise<void> {
  for (const second of seconds)
    for (let part = 0; part < 5; part++) await live.rpc('evm_mine', [numberToHex(start + second)])
}
const liveHead = async () => Number(await live.rpc<Hex>('eth_blockNumber'))
async function followed(): Promise<void> {
  const head = await liveHead()
  await eventually(
    () => rpc<{ base: { number: number } }>('dev_getNetworkInfo'),
    ({ base }) => base.number === head,
  )
}

beforeEach(async () => {
  live = await startShapedChain({ anvil: { args: ['--timestamp', String(start - 100)] }, block: withMilliseconds })
  await liveSeconds(0)
  clock = createFakeClock((start + 1) * 1000)
})
afterEach(async () => {
  await network?.stop()
  network = undefined
  await live.stop()
})

/** Starts a network whose time stands still, while its timers run. */
async function open(options: Parameters<typeof startNetwork>[0] = {}): Promise<void> {
  network = await startNetwork({ forkUrls: [live.url], accounts: 1, ...options }, { clock: withRealTimers(clock) })
}

describe('heads that share their timestamps', () => {
  it('have the fields of their chain, also where they are subscribed to', async () => {
    await open({ mine: 'replay' })
    const own = await blockAt(3)
    expect(own).toMatchObject({ timestamp: numberToHex(start), timestampMs: numberToHex(start * 1000 + 400) })
    expect(own.ownField).toBe('own')
    expect(await rpc('eth_getBlockByHash', own.hash, true)).toMatchObject({
      ownField: 'own',
      timestampMs: own.timestampMs,
    })
    expect(await rpc('eth_getHeaderByNumber', '0x3')).toMatchObject({ ownField: 'own', timestampMs: own.timestampMs })
    const socket = await openSocket((network as TestNetwork).url)
    const id = await socket.request('eth_subscribe', 'newHeads')
    await liveSeconds(1)
    await followed()
    const heads = await eventually(
      async () => socket.notified<Block>(id as string),
      (heads) => heads.length === 5,
    )
    expect(heads.map(({ timestampMs }) => Number(timestampMs) - start * 1000)).toEqual([1000, 1200, 1400, 1600, 1800])
    expect(await blockAt('latest')).toMatchObject({ timestampMs: heads.at(-1)?.timestampMs, hash: heads.at(-1)?.hash })
    await socket.close()
  })

  it('give transactions, receipts and logs of this network the time of their block in milliseconds', async () => {
    await open()
    const [from] = await rpc<Address[]>('eth_accounts')
    // Init code that logs.
    const fee = { maxFeePerGas: numberToHex(parseGwei('100')) }
    const hash = await rpc<Hex>('eth_sendTransaction', { from, data: '0x60006000a000', ...fee })
    const timesOf = async () => {
      type Timed = { blockTimestampMs?: Hex; logs: Timed[] }
      const receipt = await rpc<Timed>('eth_getTransactionReceipt', hash)
      const [log] = await rpc<Timed[]>('eth_getLogs', { fromBlock: 'latest', toBlock: 'latest' })
      const transaction = await rpc<Timed>('eth_getTransactionByHash', hash)
      return [receipt, receipt.logs[0], log, transaction].map((each) => each?.blockTimestampMs)
    }
    const { timestampMs } = await blockAt('latest')
    expect(timestampMs).toMatch(/^0x/)
    expect(await timesOf()).toEqual(Array(4).fill(timestampMs))
    await (network as TestNetwork).restart()
    expect(await timesOf()).toEqual(Array(4).fill(timestampMs))
  })

  it('are replayed one by one, and what is recorded, filtered and counted of them is told apart by number and hash', async () => {
    await open({ mine: 'replay' })
    const { track, history } = trackerOf(() => network as TestNetwork)
    const items = {
      blocks: await track({ address: someone, recordTrigger: 'every-n-blocks', trackingFrequency: 1 }),
      transactions: await track({ address: someone }),
    }
    const filter = await rpc('eth_newBlockFilter')
    const before = await liveHead()
    await liveSeconds(1)
    await followed()
    const account = (await rpc<Address[]>('eth_accounts'))[0]
    const fee = { maxFeePerGas: numberToHex(parseGwei('100')) }
    const hashes: Hex[] = []
    for (let sent = 0; sent < 3; sent++) {
      hashes.push(await rpc<Hex>('eth_sendTransaction', { from: account, to: someone, value: '0x1', ...fee }))
      await live.rpc('evm_mine', [numberToHex(start + 2)])
      await followed()
    }
    const numbers = Array.from({ length: 8 }, (_, index) => before + 1 + index)
    const blocks = await Promise.all(numbers.map(blockAt))
    const theirs = await Promise.all(
      numbers.map((number) => live.rpc<Block>('eth_getBlockByNumber', [numberToHex(number), false])),
    )
    expect(blocks.map(({ timestamp }) => timestamp)).toEqual(theirs.map(({ timestamp }) => timestamp))
    expect(new Set(blocks.map(({ hash }) => hash)).size).toBe(8)
    for (const [index, { parentHash }] of blocks.entries())
      if (index > 0) expect(parentHash).toBe(blocks[index - 1]?.hash)
    expect(await rpc('eth_getFilterChanges', filter)).toEqual(blocks.map(({ hash }) => hash))
    expect((await history(items.blocks)).values.map(({ value, blockNumber }) => [blockNumber, value])).toEqual(
      numbers.map((number, index) => [number, String(Math.max(0, index - 4))]),
    )
    expect((await history(items.transactions)).values.filter(({ txHash }) => hashes.includes(txHash))).toMatchObject(
      hashes.map((txHash, index) => ({ txHash, blockNumber: before + 6 + index, value: String(index + 1) })),
    )
    const cut = await history(items.blocks, { maxBlockNumber: before + 7 })
    expect(cut.values.at(-1)).toMatchObject({ blockNumber: before + 7, value: '2' })
    const fees = await rpc<{ oldestBlock: Hex; gasUsedRatio: number[]; reward: Hex[][] }>(
      'eth_feeHistory',
      '0x8',
      'latest',
      [50],
    )
    expect(Number(fees.oldestBlock)).toBe(before + 1)
    expect(fees.gasUsedRatio.map((ratio) => ratio > 0)).toEqual([...Array(5).fill(false), true, true, true])
    // A branch begins at a block, whatever its time.
    const { url } = await rpc<{ url: string }>('dev_createBranch', { at: numberToHex(before + 7) })
    expect(await postJsonRpc(url, 'eth_getBalance', [someone, 'latest'])).toBe('0x2')
  })

  it('give local blocks their times, also where most of them were skipped', async () => {
    await open()
    // All but the last of ten blocks are skipped: none that is seen shares its second with another that is.
    await liveSeconds(1, 2)
    await followed()
    const account = (await rpc<Address[]>('eth_accounts'))[0]
    const send = () => rpc<Hex>('eth_sendTransaction', { from: account, to: someone, value: '0x1' })
    await send()
    await send()
    const shown = async () => {
      const { timestamp, timestampMs } = await blockAt('latest')
      return [Number(timestamp) - start, Number(timestampMs) - start * 1000]
    }
    // Contracts read the part below the second of the head.
    expect(await shown()).toEqual([2, 2800])
    expect(await blockAt('pending')).toMatchObject({ timestampMs: numberToHex(start * 1000 + 2800) })
    await rpc('evm_increaseTime', 10)
    await rpc('evm_mine')
    expect(await shown()).toEqual([12, 12_800])
    await rpc('hardhat_mine', '0x64', '0x2')
    expect(Number((await blockAt(Number((await blockAt('latest')).number) - 50)).timestampMs) - start * 1000).toBe(
      110_800,
    )
    await (network as TestNetwork).restart()
    expect(await shown()).toEqual([210, 210_800])
  })
})

describe('following a head that comes every 200 ms', () => {
  let anvil: Anvil
  let proxy: FaultProxy
  let head: number
  const info = () => rpc<{ base: { number: number }; upstream: { headSource: string } }>('dev_getNetworkInfo')
  /** Blocks of some time, and the first poll after them. */
  async function pass(blocks: number): Promise<void> {
    head += blocks
    await anvil.rpc('anvil_mine', [blocks, 0])
    clock.advance(blocks * 200)
    await eventually(info, ({ base }) => base.number === head)
  }
  /** A network that knows how fast the heads come: until then, it looks at each. */
  async function openFollowing(headSource: string, options: Parameters<typeof startNetwork>[0] = {}): Promise<void> {
    const isAnnounced = headSource === 'websocket'
    proxy = await startFaultProxy(anvil.url, { webSockets: isAnnounced })
    network = await startNetwork({ forkUrls: [proxy.url], pollIntervalMs: undefined, ...options }, { clock })
    await eventually(info, ({ upstream }) => upstream.headSource === headSource)
    for (let look = 0; look < 8; look++) await pass(isAnnounced ? 1 : 5)
  }
  /** Requests of 34 seconds, in which 13 polls are due. */
  async function requestsOf(each: () => Promise<unknown> = async () => {}): Promise<number> {
    proxy.resetStats()
    for (let look = 0; look < 13; look++) {
      await pass(13)
      await each()
    }
    return proxy.stats().requests
  }

  beforeEach(async () => {
    anvil = await startAnvil({ args: ['--no-mining', '--timestamp', String(start)] })
    head = 0
  })
  afterEach(async () => {
    await network?.stop()
    network = undefined
    await proxy.stop()
    await anvil.stop()
  })

  it.each(['polling', 'websocket'])(
    'by %s costs a request each 2.5 seconds, and one more where state is read',
    async (headSource) => {
      await openFollowing(headSource)
      expect(await requestsOf()).toBe(13)
      expect(await requestsOf(() => rpc('eth_getBalance', someone, 'latest'))).toBe(26)
      const metrics = await (await fetch(`${network?.url}/metrics`)).text()
      const shown = /^understudy_upstream_http_requests_last_minute (\d+)$/m.exec(metrics)?.[1]
      const { httpRequests, httpRequestsLastMinute } = await rpc<Record<string, number>>('dev_getUpstreamUsage')
      expect(Number(shown)).toBe(httpRequestsLastMinute)
      expect(httpRequestsLastMinute).toBeGreaterThanOrEqual(30)
      expect(httpRequestsLastMinute).toBeLessThan(httpRequests as number)
    },
  )

  it('costs one more where all blocks are replayed', async () => {
    await openFollowing('polling', { mine: 'replay' })
    const first = head
    expect(await requestsOf()).toBe(26)
    const blocks = await Promise.all(Array.from({ length: head - first }, (_, index) => blockAt(first + 1 + index)))
    expect(blocks.map(({ number }) => Number(number)).at(-1)).toBe(first + 169)
    for (const [index, { parentHash }] of blocks.entries())
      if (index > 0) expect(parentHash).toBe(blocks[index - 1]?.hash)
  })
})
