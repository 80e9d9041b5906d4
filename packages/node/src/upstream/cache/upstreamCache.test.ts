import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address, Word } from '@understudy/evm'
import {
  type Anvil,
  artifacts,
  connectClient,
  createFakeClock,
  createRandom,
  deployContract,
  type FaultProxy,
  type Faults,
  postJsonRpcBatch,
  requireSuccess,
  startAnvil,
  startFaultProxy,
  type TestClient,
} from '@understudy/testkit'
import { getContractAddress, type Hex, keccak256, pad, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../shared/clock.ts'
import { createLogger } from '../../shared/logger.ts'
import type { Database } from '../../storage/database.ts'
import { openDatabase } from '../../storage/openDatabase.ts'
import { createUpstream, type Upstream } from '../upstream.ts'
import type { BaseState } from './baseState.ts'
import { openUpstreamCache, type UpstreamCache } from './upstreamCache.ts'

const logger = createLogger('silent')
const nothing = { accounts: [], codes: [], slots: [], blockHashes: [] }
const slotOf = (key: number): Word => keccak256(`${pad(toHex(key))}${'00'.repeat(32)}`)
const lowercase = (address: Address) => address.toLowerCase() as Address

/** anvil names itself: it would not be trusted to tell what a block changed, for its state is changed by request too. */
const asGeth: Faults = {
  answer: ({ method }) => (method === 'web3_clientVersion' ? { result: 'Geth/v1.16.7-stable' } : undefined),
}
const traces = ['trace_replayBlockTransactions', 'debug_traceBlockByHash', 'debug_traceBlockByNumber']

let anvil: Anvil
let proxy: FaultProxy
let live: TestClient
let reader: Address
let upstream: Upstream
let database: Database
let cache: UpstreamCache
let directory: string

beforeAll(async () => {
  // A chain of which it is known what its blocks change beside their transactions.
  anvil = await startAnvil({ chainId: 1 })
  proxy = await startFaultProxy(anvil.url)
  live = await connectClient(anvil.url)
  reader = lowercase(await deployContract(live, artifacts.SlotReader))
  await write('fill', 100n, 1_000n)
})
afterAll(async () => {
  await proxy.stop()
  await anvil.stop()
})
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-cache-'))
})
afterEach(async () => {
  await close()
  proxy.clear()
  rmSync(directory, { recursive: true, force: true })
})

async function open(faults: Faults = {}, limit = 64 * 2 ** 20): Promise<void> {
  proxy.set({ ...asGeth, ...faults })
  // It waits before it asks again for a block that is gone.
  upstream = createUpstream({ urls: [proxy.url] }, { logger, clock: systemClock })
  const head = await upstream.head.refresh()
  database = await openDatabase(directory)
  cache = await openUpstreamCache(
    { limit, keep: head },
    { upstream, database, clock: createFakeClock(Date.now()), logger, random: () => 0 },
  )
  await upstream.capabilities()
  await cache.moveTo(head)
  proxy.resetStats()
}

async function close(): Promise<void> {
  await cache.stop()
  await database.close()
  await upstream.stop()
}

async function write(functionName: 'fill' | 'set', a: bigint, b: bigint): Promise<void> {
  const { abi } = artifacts.SlotReader
  await requireSuccess(live, await live.writeContract({ address: reader, abi, functionName, args: [a, b] }))
}

/** Moves to upstream's head, as the network does. */
async function follow(): Promise<void> {
  await cache.moveTo(await upstream.head.refresh())
}

function stateAtHead(): BaseState {
  const head = upstream.head.current()
  if (!head) throw new Error('no head')
  return cache.state(head)
}

/** What the cache answers, after loading what it lacks: again where the chain turned meanwhile. */
async function readAll(state: BaseState, addresses: readonly Address[], keys: readonly number[]) {
  const slots = keys.map((key) => [reader, slotOf(key)] as const)
  for (;;) {
    const missing = {
      ...nothing,
      accounts: addresses.filter((address) => !state.account(address)),
      slots: slots.filter(([address, slot]) => state.storage(address, slot) === undefined),
    }
    if (missing.accounts.length + missing.slots.length === 0) break
    await state.load(missing)
  }
  return {
    accounts: addresses.map((address) => state.account(address)),
    slots: slots.map(([address, slot]) => state.storage(address, slot)),
  }
}

/** What upstream itself answers, nothing in between. */
async function readDirectly(block: bigint, addresses: readonly Address[], keys: readonly number[]) {
  const tag = toHex(block)
  const ofAccount = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode']
  const answers = (await postJsonRpcBatch(anvil.url, [
    ...addresses.flatMap((address) => ofAccount.map((method) => [method, address, tag] as const)),
    ...keys.map((key) => ['eth_getStorageAt', reader, slotOf(key), tag] as const),
  ])) as Hex[]
  const accounts = addresses.map((_, index) => {
    const [balance = '0x', nonce = '0x', code = '0x'] = answers.slice(index * ofAccount.length)
    return { balance: BigInt(balance), nonce: BigInt(nonce), codeHash: keccak256(code) }
  })
  return { accounts, slots: answers.slice(addresses.length * ofAccount.length).map(BigInt) }
}

const keys = Array.from({ length: 100 }, (_, key) => key)

describe.each([
  { source: 'trace_replayBlockTransactions', faults: {} },
  { source: 'debug_traceBlockByHash', faults: { missingMethods: traces.slice(0, 1) } },
  { source: 'debug_traceBlockByNumber', faults: { missingMethods: traces.slice(0, 2) } },
])('a cache that is told of changes by $source', ({ source, faults }) => {
  it('drops what a block changed, and asks for nothing else again', async () => {
    await open(faults)
    await readAll(stateAtHead(), [reader], keys)
    await write('fill', 5n, BigInt(Date.now()))
    await follow()
    expect(cache.status().source).toBe(source)
    proxy.resetStats()
    const unchanged = keys.slice(5)
    const values = await readAll(stateAtHead(), [reader], unchanged)
    expect(proxy.stats().calls).toBe(0)
    const number = await live.getBlockNumber()
    expect(values).toEqual(await readDirectly(number, [reader], unchanged))
    expect(await readAll(stateAtHead(), [reader], keys)).toEqual(await readDirectly(number, [reader], keys))
  })
})

it('is told of changes by the next source where the first always times out, after few tries', async () => {
  const isTooSlow = ({ method }: { method: string }) => method === traces[0]
  const timeout = { error: { code: -32000, message: 'execution timeout' } }
  await open({})
  proxy.set({ answer: (call) => (isTooSlow(call) ? timeout : undefined) })
  await readAll(stateAtHead(), [reader], keys)
  await write('fill', 5n, BigInt(Date.now()))
  proxy.resetStats()
  await follow()
  expect(proxy.stats().byMethod[traces[0] as string]).toBeLessThanOrEqual(12)
  expect(cache.status().source).toBe(traces[1])
})

describe.each([
  { by: 'state diffs', faults: {} },
  { by: 'prestate diffs', faults: { missingMethods: traces.slice(0, 1) } },
  { by: 'proofs', faults: { missingMethods: traces } },
  { by: 'nothing at all', faults: { missingMethods: [...traces, 'eth_getProof'] } },
])('whatever upstream does, with changes known by $by', ({ faults }) => {
  it('answers what upstream answers, at its head and before it', async () => {
    await open(faults)
    const { below: dice } = createRandom(7)
    const sender = lowercase(live.account.address)
    const stranger: Address = '0x00000000000000000000000000000000000051ab'
    const coinbase: Address = `0x${'00'.repeat(20)}`
    const next = () => live.getTransactionCount({ address: sender })
    const created = lowercase(getContractAddress({ from: sender, nonce: BigInt((await next()) + 3) }))
    const addresses = [sender, stranger, coinbase, reader, created]
    const actions: (() => Promise<unknown>)[] = [
      () => write('set', BigInt(dice(100)), BigInt(dice(3))),
      () => write('fill', BigInt(1 + dice(20)), BigInt(dice(1_000))),
      async () => requireSuccess(live, await live.sendTransaction({ to: stranger, value: BigInt(1 + dice(9)) })),
      () => deployContract(live, artifacts.Counter, [1n]),
      () => live.mine({ blocks: 1 + dice(3) }),
      () => live.mine({ blocks: 40 }),
      () => anvil.rpc('anvil_reorg', [1 + dice(4), []]),
    ]
    await live.mine({ blocks: 8 })
    const isUpstreams = async (number: bigint, hash: Word) =>
      (await live.getBlock({ blockNumber: number }).catch(() => undefined))?.hash === hash
    for (let step = 0; step < 40; step++) {
      const before = upstream.head.current()
      if (!before) throw new Error('no head')
      const some = keys.filter(() => dice(2) === 0)
      // Half of the time, values are on their way while the head moves.
      const isRacing = dice(2) === 0
      // Of its newest block, anvil answers at times with what the next one changes.
      if (isRacing) await live.mine({ blocks: 1 })
      const racing = isRacing ? readAll(cache.state(before), addresses, some) : Promise.resolve()
      const ended = racing.catch(() => 'its block is gone')
      await actions[dice(actions.length)]?.()
      if (dice(4) > 0) await follow()
      await ended
      for (const { number, hash } of new Set([before, upstream.head.current() ?? before])) {
        if (!(await isUpstreams(number, hash))) continue
        const answers = await readAll(cache.state({ number, hash }), addresses, some)
        expect(answers).toEqual(await readDirectly(number, addresses, some))
      }
    }
  }, 60_000)
})

it('compares accounts by their proofs where upstream traces nothing, and keeps the storage that is the same', async () => {
  await open({ missingMethods: traces })
  await readAll(stateAtHead(), [reader], keys)
  await live.mine({ blocks: 100 })
  await follow()
  proxy.resetStats()
  await readAll(stateAtHead(), [reader], keys)
  expect(proxy.stats().calls).toBe(0)
  await write('set', 3n, 77n)
  await follow()
  expect(stateAtHead().storage(reader, slotOf(3))).toBeUndefined()
})

it('forgets what upstream changed when upstream is a node for tests, whose state is changed by request', async () => {
  await open({ answer: undefined })
  await readAll(stateAtHead(), [reader], keys)
  await anvil.rpc('anvil_setStorageAt', [reader, slotOf(7), pad('0x99')])
  await live.mine({ blocks: 1 })
  await follow()
  expect((await readAll(stateAtHead(), [reader], [7])).slots).toEqual([0x99n])
})

it('does not trust a source again that left out a change', async () => {
  await open()
  await readAll(stateAtHead(), [reader], keys)
  // A change that is in no block, as an incomplete trace would leave it out.
  await anvil.rpc('anvil_setStorageAt', [reader, slotOf(0), pad('0x1234')])
  const mineAndFollow = async () => {
    await live.mine({ blocks: 1 })
    await follow()
  }
  await mineAndFollow()
  expect(stateAtHead().storage(reader, slotOf(0))).not.toBe(0x1234n)
  await expect.poll(() => mineAndFollow().then(() => cache.status().source)).not.toBe('trace_replayBlockTransactions')
  expect((await readAll(stateAtHead(), [reader], [0])).slots).toEqual([0x1234n])
})

it('is warm after a restart, and takes in what changed while it was stopped', async () => {
  await open()
  await readAll(stateAtHead(), [reader], keys)
  await close()
  await write('set', 5n, 5_555n)
  await live.mine({ blocks: 3 })
  await open()
  const values = await readAll(stateAtHead(), [reader], keys)
  // The slot that changed has its new value from the change itself.
  expect(proxy.stats().calls).toBe(0)
  expect(values).toEqual(await readDirectly(await live.getBlockNumber(), [reader], keys))
})

it('keeps over a restart what holds, and not what ended', async () => {
  await open()
  const rowsOfSlot = async () => {
    const rows = await database.queries.selectFrom('upstream_values').select('field').execute()
    return rows.filter(({ field }) => Buffer.from(field).equals(Buffer.from(slotOf(5).slice(2), 'hex'))).length
  }
  for (const value of [1n, 2n, 3n]) {
    await readAll(stateAtHead(), [reader], keys)
    await write('set', 5n, value)
    await follow()
  }
  await cache.stop()
  // That of the block which is kept, and the one that holds.
  expect(await rowsOfSlot()).toBe(2)
  await close()
  await live.mine({ blocks: 1 })
  await open()
  expect(await readAll(stateAtHead(), [reader], keys)).toEqual(
    await readDirectly(await live.getBlockNumber(), [reader], keys),
  )
  await cache.stop()
  expect(await rowsOfSlot()).toBe(1)
})

it('is not misled by a reorg that happened while it was closed', async () => {
  await write('set', 5n, 1n)
  await open()
  await readAll(stateAtHead(), [reader], keys)
  await close()
  await anvil.rpc('anvil_reorg', [1, []])
  await open()
  const number = await live.getBlockNumber()
  expect(await readAll(stateAtHead(), [reader], keys)).toEqual(await readDirectly(number, [reader], keys))
})

it('throws a value away that was on its way while the chain turned', async () => {
  await write('set', 5n, 50n)
  await open()
  const state = stateAtHead()
  const release = proxy.hold()
  const reading = state.load({ ...nothing, slots: [[reader, slotOf(5)]] }).catch(() => 'its block is gone')
  await proxy.arrived(1)
  await anvil.rpc('anvil_reorg', [1, []])
  const moving = follow()
  await proxy.arrived(2)
  release()
  await Promise.all([reading, moving])
  const number = await live.getBlockNumber()
  expect(await readAll(stateAtHead(), [reader], [5])).toEqual(await readDirectly(number, [reader], [5]))
})

it('answers of the block that was asked for when the head moves while values are on their way', async () => {
  await open()
  const old = upstream.head.current()
  if (!old) throw new Error('no head')
  const release = proxy.hold()
  const reading = readAll(cache.state(old), [reader], [5, 6])
  await proxy.arrived(1)
  await write('set', 5n, 987_654n)
  const moving = follow()
  await proxy.arrived(2)
  release()
  const [values] = await Promise.all([reading, moving])
  expect(values).toEqual(await readDirectly(old.number, [reader], [5, 6]))
  const head = await live.getBlockNumber()
  expect(await readAll(stateAtHead(), [reader], [5, 6])).toEqual(await readDirectly(head, [reader], [5, 6]))
})

it('stays within its bytes', async () => {
  await open({}, 64_000)
  for (let step = 0; step < 10; step++)
    await readAll(
      stateAtHead(),
      [],
      keys.map((key) => key + step * 100),
    )
  expect(cache.status().bytes).toBeLessThanOrEqual(64_000)
})
