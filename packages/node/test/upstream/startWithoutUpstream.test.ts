import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  EndedEarly,
  type FaultProxy,
  postJsonRpc,
  requireSuccess,
  runCommand,
  startAnvil,
  startFaultProxy,
  startUnderstudy,
  type TestClient,
  testAccounts,
  type Understudy,
} from '@understudy/testkit'
import type { Address, Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { placeOfDirectory } from '../testDatabase.ts'

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

describe('what comes back in the place of upstream', () => {
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

describe('a process that is killed together with its upstream', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'understudy-alone-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const args = () => ['--fork-url', proxy.url, '--data-dir', directory]
  it('answers the same when it is started alone', async () => {
    const first = await startUnderstudy(args())
    await postJsonRpc(first.url, 'eth_sendTransaction', [{ from: testAccounts[0].address, to: stranger, value: '0x7' }])
    const slot: Hex = `0x${'00'.repeat(32)}`
    const read = async (url: string) => [
      await postJsonRpc(url, 'eth_getStorageAt', [reader, slot, 'latest']),
      await postJsonRpc(url, 'eth_getCode', [reader, 'latest']),
      await postJsonRpc(url, 'eth_getBalance', [stranger, 'latest']),
      await postJsonRpc(url, 'eth_getTransactionCount', [testAccounts[0].address, 'latest']),
      await postJsonRpc(url, 'eth_getBlockByNumber', ['latest', true]),
    ]
    const answers = await read(first.url)
    // What was read is stored at once, and commits come one after the other.
    for (const wei of ['1', '2']) await postJsonRpc(first.url, 'dev_setBalance', [unread, wei])
    await first.end('SIGKILL')
    await proxy.down()

    const second = await startUnderstudy([...args(), '--upstream-timeout', String(upstreamTimeoutMs)])
    expect(await read(second.url)).toEqual(answers)
    const { stdout, stderr } = await second.end()
    expect(stdout).toContain('Note: detached from the live chain')
    expect(stderr).toContain('Started without upstream')
  }, 60_000)

  it('seals blocks alone, goes on when the live chain is back, and refuses another at its port', async () => {
    // Started twice, it has the same first block.
    const chain = { args: ['--timestamp', '1700000000'] }
    const started = await startAnvil(chain)
    const start = () =>
      startUnderstudy(['--fork-url', started.url, '--poll-interval', '50', '--data-dir', join(directory, 'network')], {
        environment: placeOfDirectory(directory),
      })
    const first = await start()
    const pay = async ({ url }: Understudy) => {
      const transfer = { from: testAccounts[0].address, to: stranger, value: '0x1' }
      expect(await postJsonRpc(url, 'eth_sendTransactionSync', [transfer])).toMatchObject({ status: '0x1' })
    }
    await pay(first)
    await first.end('SIGKILL')
    await started.stop()

    const second = await start()
    const upstream = async () =>
      (await postJsonRpc<{ upstream: Record<string, unknown> }>(second.url, 'dev_getNetworkInfo', [])).upstream
    expect(await upstream()).toMatchObject({ detached: 'away' })
    await pay(second)
    await expect(postJsonRpc(second.url, 'eth_getBalance', [unread, 'latest'])).rejects.toThrow('upstream unavailable')
    const back = await startAnvil({ ...chain, port: started.port })
    await (await connectClient(back.url)).mine({ blocks: 4 })
    await eventually(
      upstream,
      ({ detached, head, blocksAhead }) => detached === null && head === 4 && blocksAhead === 0,
    )
    await pay(second)
    expect(await postJsonRpc(second.url, 'eth_getBalance', [stranger, 'latest'])).toBe('0x3')

    await back.stop()
    const other = await startAnvil({ chainId: 77, port: started.port })
    await eventually(upstream, ({ detached }) => detached === 'other chain')
    const { stdout } = await runCommand(['status', '--rpc-url', second.url]).ended
    expect(stdout).toContain('; detached from it: another chain answers at its URL')
    await pay(second)
    await second.end()
    await other.stop()
  }, 60_000)

  it('says soon and clearly that a first start needs one', async () => {
    await proxy.down()
    const failure = await startUnderstudy(args()).catch((error) => error)
    expect(failure).toBeInstanceOf(EndedEarly)
    expect(failure.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('refused the connection') })
  }, 30_000)
})
