import { createHash } from 'node:crypto'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/shared/clock.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const keys = {
  read: 'reader-5ecret-00001',
  writer: 'writer-5ecret-00002',
  other: 'others-5ecret-00004',
  admin: 'keeper-5ecret-00003',
}
const roles = { read: 'read', writer: 'write', other: 'write', admin: 'admin' }
type Key = keyof typeof keys

const yearMs = 365 * 86_400_000
let laterMs = 0
const clock = { ...systemClock, now: () => systemClock.now() + laterMs }

/** A fork, whose live chain has the contract that is called. */
let upstream: Anvil
let network: TestNetwork
let call: { from: string; to: string; data: string }
const options = {
  apiKeys: Object.entries(keys).map(([name, key]) => `${key}:${roles[name as Key]}`),
  simulationLimit: 5,
  simulationStorageLimit: 1,
}
beforeAll(async () => {
  upstream = await startAnvil()
  const counter = await deployContract(await connectClient(upstream.url), artifacts.Counter, [7n])
  network = await startNetwork({ ...options, forkUrls: [upstream.url], upstreamTimeoutMs: 1000 }, { clock })
  const data = encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'increment' })
  call = { from: testAccounts[0].address.toLowerCase(), to: counter.toLowerCase(), data }
})
afterAll(async () => {
  await network.stop()
  await upstream.stop()
})

type Entry = { id: string; isShared: boolean; owner: string; status: string; gasUsed: string }

async function ask<T>(key: Key, method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ id: 1, jsonrpc: '2.0', method, params })
  const response = await fetch(network.url, { method: 'POST', headers: { 'x-access-key': keys[key] }, body })
  const { result, error } = await response.json()
  if (error) throw new Error(`${error.data?.kind}: ${error.message}`)
  return result
}
const save = async (key: Key, more: object = {}) => {
  const outcome = await ask<{ saved: string[]; results: unknown[] }>(key, 'dev_simulate', {
    calls: [call],
    save: true,
    ...more,
  })
  return { ...outcome, id: outcome.saved[0] as string }
}
const listed = async (key: Key) => (await ask<{ items: Entry[] }>(key, 'dev_getSimulations')).items.map(({ id }) => id)

beforeEach(async () => {
  // Nothing is left of the test before.
  for (const id of await listed('admin')) await ask('admin', 'dev_shareSimulation', id, false)
  for (let count = 0; count < options.simulationLimit; count++) await save('admin')
})

it('stores nothing unless it is asked to, and for readers never', async () => {
  const before = await listed('admin')
  expect(await ask('read', 'dev_simulate', { calls: [call] })).toMatchObject({ saved: [null] })
  await expect(save('read')).rejects.toThrow('UNAUTHORIZED: unauthorized: dev_simulate needs a key with the role write')
  await expect(ask('read', 'dev_shareSimulation', before[0])).rejects.toThrow('UNAUTHORIZED')
  expect(await listed('admin')).toEqual(before)
})

it('stores those that succeed, or those that fail, where only these are wanted', async () => {
  const failing = { ...call, data: '0xdeadbeef' }
  const saved = async (wanted: unknown) => {
    const { saved } = await ask<{ saved: string[] }>('writer', 'dev_simulate', { calls: [call, failing], save: wanted })
    return saved.map((id) => typeof id)
  }
  expect([await saved('succeeded'), await saved('failed'), await saved(false)]).toEqual([
    ['string', 'object'],
    ['object', 'string'],
    ['object', 'object'],
  ])
  const { items } = await ask<{ items: Entry[] }>('writer', 'dev_getSimulations', { limit: 2 })
  expect(items.map(({ status }) => status)).toEqual(['failed', 'succeeded'])
})

it('shows one to the key that saved it and to admins, and to all once it is shared', async () => {
  const { id, results } = await save('writer')
  for (const key of ['writer', 'admin'] as const)
    expect(await ask(key, 'dev_getSimulation', id)).toMatchObject({ id, isShared: false, result: results[0] })
  for (const key of ['read', 'other'] as const) {
    await expect(ask(key, 'dev_getSimulation', id)).rejects.toThrow('NOT_FOUND')
    expect(await listed(key)).toEqual([])
  }
  await expect(ask('other', 'dev_shareSimulation', id)).rejects.toThrow('NOT_FOUND')
  expect(await ask('writer', 'dev_shareSimulation', id)).toMatchObject({ id, isShared: true })
  expect(await ask('read', 'dev_getSimulation', id)).toMatchObject({ id, isShared: true })
  expect(await listed('other')).toEqual([id])
  await expect(ask('other', 'dev_shareSimulation', id, false)).rejects.toThrow('UNAUTHORIZED')
  await ask('writer', 'dev_shareSimulation', id, false)
  await expect(ask('read', 'dev_getSimulation', id)).rejects.toThrow('NOT_FOUND')
})

it('keeps as many as it may, and those that are shared', async () => {
  const { id } = await save('writer')
  await ask('writer', 'dev_shareSimulation', id)
  const later: string[] = []
  for (let count = 0; count < options.simulationLimit; count++) later.unshift((await save('writer')).id)
  expect(await listed('admin')).toEqual([...later.slice(0, -1), id])
  for (const each of later.slice(0, -1)) await ask('writer', 'dev_shareSimulation', each)
  await expect(save('writer')).rejects.toThrow('LIMIT_EXCEEDED: limit exceeded: stored simulations. Stop sharing some')
  await expect(save('writer', { calls: Array(options.simulationLimit + 1).fill(call) })).rejects.toThrow(
    'LIMIT_EXCEEDED',
  )
})

it('keeps no more bytes than it may', async () => {
  // A few of them exceed the limit, because this cannot be compressed.
  const hash = (index: number) => createHash('sha256').update(String(index)).digest('hex')
  const random = Array.from({ length: 8_000 }, (_, index) => hash(index)).join('')
  const large = {
    calls: [{ ...call, data: `0x${random}` }],
    blockOverrides: { gasLimit: '0x77359400' },
  }
  const ids: string[] = []
  for (let count = 0; count < 4; count++) ids.push((await save('writer', large)).id)
  const left = await listed('writer')
  expect(left[0]).toBe(ids[3])
  expect(left).not.toContain(ids[0])
  for (const id of left) if (ids.includes(id)) await ask('writer', 'dev_shareSimulation', id)
  await expect(save('writer', large).then(({ id }) => id)).rejects.toThrow('megabytes of stored simulations')
})

it('gives pages', async () => {
  const all = await listed('admin')
  const page = (options: object) => ask<{ items: Entry[]; next: string | null }>('admin', 'dev_getSimulations', options)
  const first = await page({ limit: 2 })
  const second = await page({ limit: 2, cursor: first.next })
  const skipped = await page({ limit: 10, skip: 3 })
  expect([first, second, skipped].map(({ items }) => items.map(({ id }) => id))).toEqual([
    all.slice(0, 2),
    all.slice(2, 4),
    all.slice(3),
  ])
  expect(skipped.next).toBeNull()
  await expect(page({ cursor: 'x' })).rejects.toThrow('INVALID_PARAMS')
})

it('opens a shared one a year later from the data directory, without the live chain', async () => {
  const { id } = await save('writer')
  await ask('writer', 'dev_shareSimulation', id)
  const before = await ask('read', 'dev_getSimulation', id)
  await upstream.stop()
  laterMs = yearMs
  await network.restart()
  try {
    await eventually(
      () => ask<{ upstream: { reachable: boolean } }>('read', 'dev_getNetworkInfo'),
      ({ upstream }) => !upstream.reachable,
    )
    expect(await ask('read', 'dev_getSimulation', id)).toEqual(before)
    expect(before).toMatchObject({
      request: { call, block: 'latest' },
      result: { status: 'succeeded', message: { from: call.from, to: call.to, input: call.data } },
    })
  } finally {
    laterMs = 0
    upstream = await startAnvil({ port: upstream.port })
  }
})
