import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  type FaultProxy,
  requireSuccess,
  startAnvil,
  startFaultProxy,
  type TestClient,
} from '@understudy/testkit'
import type { Address } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const { abi } = artifacts.SlotReader
const stranger: Address = `0x${'57'.repeat(20)}`
const unread: Address = `0x${'99'.repeat(20)}`
const unavailable = { code: -32002, details: expect.stringContaining('upstream unavailable') }
/** Of a network whose upstream is away: what cannot be read is refused after it. */
const upstreamTimeoutMs = 1_000
/** Milliseconds in which a network that is known has to start without its upstream. */
const startLimitMs = 3_000

let anvil: Anvil
let proxy: FaultProxy
let live: TestClient
let reader: Address
let network: TestNetwork

beforeEach(async () => {
  anvil = await startAnvil()
  live = await connectClient(anvil.url)
  reader = await deployContract(live, artifacts.SlotReader)
  await write('fillFrom', 0n, 10n)
  proxy = await startFaultProxy(anvil.url)
})
afterEach(async () => {
  await network?.stop()
  await proxy.stop()
  await anvil.stop()
})

async function write(functionName: 'fillFrom' | 'set', a: bigint, b: bigint): Promise<void> {
  await requireSuccess(live, await live.writeContract({ address: reader, abi, functionName, args: [a, b] }))
}

const sum = () => network.client.readContract({ address: reader, abi, functionName: 'sum', args: [10n] })
const info = () =>
  network.rpc<{ base: { number: number }; upstream: { reachable: boolean; blocksAhead: number } }>('dev_getNetworkInfo')
const healthOf = async (url: string) => (await (await fetch(`${url}/health`)).json()) as Record<string, unknown>
const pay = async () => {
  const hash = await network.client.sendTransaction({ to: stranger, value: 1n, gas: 21_000n })
  return (await network.client.waitForTransactionReceipt({ hash })).status
}

/** Reads of upstream, writes here, and a transaction: what a later start has to know. */
async function use(): Promise<void> {
  expect(await sum()).toBe(55n)
  await network.rpc('dev_setBalance', stranger, '7')
  expect(await pay()).toBe('success')
}

async function restartWithout(): Promise<void> {
  await network.node.stop()
  await live.mine({ blocks: 2 })
  await away()
  const started = performance.now()
  await network.restart({ upstreamTimeoutMs })
  expect(performance.now() - started).toBeLessThan(startLimitMs)
}

let away: () => Promise<void>
let letPass = () => {}
function hold(): void {
  letPass = proxy.hold()
}

const refuses = ['refuses connections', () => proxy.down(), () => proxy.up()] as const
describe.each([
  [...refuses, 'follows', {}],
  [...refuses, 'stays where it was forked', { followHead: false }],
  [...refuses, 'is pinned', { forkBlockNumber: 2n }],
  ['accepts and never answers', async () => hold(), async () => letPass(), 'follows', {}],
  [
    'answers something else',
    async () => proxy.set({ status: 200 }),
    async () => proxy.clear(),
    'is pinned',
    { forkBlockNumber: 2n },
  ],
  [
    'answers no blocks',
    async () => proxy.set({ answer: () => ({ result: {} }) }),
    async () => proxy.clear(),
    'follows',
    {},
  ],
] as const)('a network that is started while its upstream %s', (_, goAway, comeBack, kind, options) => {
  beforeEach(() => {
    away = goAway
  })

  it(`and which ${kind}, serves what it knows, says so, and goes on when it is back`, async () => {
    network = await startNetwork({ forkUrls: [proxy.url], ...options })
    await use()
    const { base } = await info()
    await restartWithout()

    expect(await sum()).toBe(55n)
    expect(await network.client.getBalance({ address: stranger })).toBe(8n)
    expect(await pay()).toBe('success')
    expect(await network.client.getChainId()).toBe(31_337)
    await network.rpc('dev_setStorageAt', reader, `0x${'00'.repeat(32)}`, `0x${'01'.padStart(64, '0')}`)
    expect(await info()).toMatchObject({ base, upstream: { reachable: false, blocksAhead: 0 } })
    expect(await healthOf(network.url)).toMatchObject({
      status: 'ready',
      problems: ['detached from the live chain: it does not answer; known live state is served'],
      upstream: { reachable: false, lag: { blocks: 0, seconds: null } },
    })
    await expect(network.rpc('eth_getBalance', unread, 'latest')).rejects.toMatchObject(unavailable)

    await comeBack()
    await eventually(info, ({ upstream }) => upstream.reachable)
    await eventually(
      () => network.rpc('eth_getBalance', unread, 'latest').catch(() => undefined),
      (balance) => balance === '0x0',
    )
    const head = Number(await live.getBlockNumber())
    const follows = Object.keys(options).length === 0
    await eventually(info, (now) => now.base.number === (follows ? head : base.number))
    expect((await healthOf(network.url)).problems).toEqual([])
  }, 60_000)
})

describe('what comes back instead of upstream', () => {
  let other: Anvil

  beforeEach(async () => {
    away = () => proxy.down()
  })
  afterEach(() => other.stop())

  it.each([
    ['a chain of another id', { chainId: 77 }],
    ['a chain of the same id and another history', { args: ['--timestamp', '1700000000'] }],
  ])(
    'and is %s is not used, and the network says so, after a start and in an outage',
    async (_kind, options) => {
      other = await startAnvil(options)
      const otherLive = await connectClient(other.url)
      await otherLive.mine({ blocks: 5 })
      network = await startNetwork({ forkUrls: [proxy.url] })
      await use()
      const mustBeRefused = async () => {
        proxy.pointTo(other.url)
        await proxy.up()
        await eventually(
          () => healthOf(network.url),
          ({ problems }) => String(problems).startsWith('detached from the live chain: another chain answers'),
        )
        await expect(network.rpc('eth_getBalance', unread, 'latest')).rejects.toMatchObject({
          details: expect.stringMatching(/^upstream http\S+ is (chain 77, not 31337|not the chain that was forked)/),
        })
        expect(await sum()).toBe(55n)
        expect(proxy.stats().byMethod.eth_getStorageAt ?? 0).toBe(0)
        await proxy.down()
        proxy.pointTo(anvil.url)
      }
      await restartWithout()
      proxy.resetStats()
      await mustBeRefused()
      await network.node.stop()
      await proxy.up()
      await network.restart({ upstreamTimeoutMs })
      await sum()
      await proxy.down()
      proxy.resetStats()
      await mustBeRefused()
    },
    60_000,
  )
})
