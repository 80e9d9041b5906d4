import { type Anvil, cpuTime, createFakeClock, startAnvil } from '@understudy/testkit'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccess } from '../../src/server/access.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { openSocket } from '../rawSocket.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const keys = { greedy: 'greedy-5ecret-00001', other: 'other-5ecret-000002' }

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork({
    apiKeys: Object.values(keys).map((key) => `${key}:admin`),
    filterLimit: 6,
    webSocketLimit: 6,
    totalSubscriptionLimit: 6,
  })
})
afterAll(() => network.stop())

async function send(url: string, key: string, method: string, ...params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'x-api-key': key }, body })
  return { status: response.status, answer: (await response.json()) as { result?: string; error?: unknown } }
}

const call = async (key: string, method: string, ...params: unknown[]) =>
  (await send(network.url, key, method, ...params)).answer

describe('a key that takes all it can', () => {
  it.each([
    ['eth_newFilter', [{}]],
    ['eth_newBlockFilter', []],
    ['eth_newPendingTransactionFilter', []],
  ])('of %s leaves some for another', async (method, params) => {
    const taken = []
    let answer = await call(keys.greedy, method, ...params)
    for (; answer.result !== undefined; answer = await call(keys.greedy, method, ...params)) taken.push(answer.result)
    expect(taken).toHaveLength(3)
    expect(answer).toMatchObject({ error: { code: -32005, message: expect.stringContaining('--filter-limit') } })
    const { result } = await call(keys.other, method, ...params)
    for (const id of [...taken, result]) await call(keys.other, 'eth_uninstallFilter', id)
    expect(result).toMatch(/^0x/)
  })

  it('of subscriptions leaves some for another, and has them again when its connection is closed', async () => {
    const open = (key: string) => openSocket(network.url, { 'x-api-key': key })
    const [first, second, other] = [await open(keys.greedy), await open(keys.greedy), await open(keys.other)]
    await first.request('eth_subscribe', 'newHeads')
    await first.request('eth_subscribe', 'logs', {})
    await second.request('eth_subscribe', 'newHeads')
    await expect(second.request('eth_subscribe', 'newHeads')).rejects.toMatchObject({
      code: -32005,
      message: expect.stringContaining('--total-subscription-limit'),
    })
    expect(await other.request('eth_subscribe', 'newHeads')).toMatch(/^0x/)
    await first.close()
    await eventually(
      () => second.request('eth_subscribe', 'newHeads').catch(() => undefined),
      (id) => id !== undefined,
    )
    for (const socket of [second, other]) await socket.close()
  })

  it('of WebSocket connections leaves some for another, and has them again when they are closed', async () => {
    const open = (key: string) => openSocket(network.url, { 'x-api-key': key })
    const taken = [await open(keys.greedy), await open(keys.greedy), await open(keys.greedy)]
    await expect(open(keys.greedy)).rejects.toThrow('HTTP 503')
    const other = await open(keys.other)
    expect(await other.request('eth_chainId')).toBe('0x7a69')
    for (const socket of [...taken, other]) await socket.close()
    const again = await eventually(
      () => open(keys.greedy).catch(() => undefined),
      (opened) => opened !== undefined,
    )
    await again?.close()
  })
})

describe('a key that has computed all it may', () => {
  const clock = createFakeClock()
  let slow: TestNetwork
  beforeAll(async () => {
    const apiKeys = Object.values(keys).map((key) => `${key}:read`)
    slow = await startNetwork({ apiKeys, keyComputing: 1 }, { clock })
  })
  afterAll(() => slow.stop())

  /** Hashes 4 KiB without end, or returns at once. */
  const codes = { long: '0x5b6110005f2050600056', short: '0x00' }
  const to = '0x00000000000000000000000000000000000c0de5'
  const run = (key: string, length: keyof typeof codes) =>
    send(slow.url, key, 'eth_call', { to }, 'latest', { [to]: { code: codes[length] } })
  const spent = {
    status: 429,
    answer: {
      error: {
        code: -32005,
        message: expect.stringContaining('1 seconds within a minute'),
        data: { kind: 'KEY_COMPUTE_QUOTA_EXCEEDED' },
      },
    },
  }

  it('waits until some has come back, and does not keep another key from computing', async () => {
    expect(await run(keys.greedy, 'long')).toMatchObject(spent)
    expect(await run(keys.greedy, 'short')).toMatchObject(spent)
    expect(await send(slow.url, keys.greedy, 'eth_chainId')).toMatchObject({
      status: 200,
      answer: { result: '0x7a69' },
    })
    expect(await run(keys.other, 'short')).toMatchObject({ status: 200, answer: { result: '0x' } })
    clock.advance(40_000)
    expect(await run(keys.greedy, 'short')).toMatchObject({ status: 200, answer: { result: '0x' } })
  })

  it('counts all requests of a batch', async () => {
    clock.advance(60_000)
    const before = cpuTime()
    const call = { jsonrpc: '2.0', method: 'eth_call', params: [{ to }, 'latest', { [to]: { code: codes.long } }] }
    const body = JSON.stringify([1, 2, 3, 4].map((id) => ({ ...call, id })))
    const response = await fetch(slow.url, { method: 'POST', headers: { 'x-api-key': keys.greedy }, body })
    const answers = (await response.json()) as object[]
    expect(answers.map((answer) => ({ status: 429, answer }))).toMatchObject([spent, spent, spent, spent])
    expect(cpuTime() - before).toBeLessThan(4_000)
  })
})

describe('a key for which much of the live chain was fetched', () => {
  let anvil: Anvil
  let fork: TestNetwork
  beforeAll(async () => {
    anvil = await startAnvil()
    const apiKeys = Object.values(keys).map((key) => `${key}:read`)
    fork = await startNetwork({ apiKeys, forkUrls: [anvil.url], keyValues: 20 })
  })
  afterAll(async () => {
    await fork?.stop()
    await anvil?.stop()
  })

  it('waits, and does not keep another key from reading', async () => {
    let account = 0x1000
    const read = (key: string) => send(fork.url, key, 'eth_getBalance', numberToHex(account++, { size: 20 }), 'latest')
    const answers = []
    for (let count = 0; count < 30; count++) answers.push(await read(keys.greedy))
    expect(answers[0]).toMatchObject({ status: 200, answer: { result: '0x0' } })
    expect(answers.at(-1)).toMatchObject({
      status: 429,
      answer: { error: { data: { kind: 'KEY_FETCH_QUOTA_EXCEEDED' } } },
    })
    expect(await read(keys.other)).toMatchObject({ status: 200, answer: { result: '0x0' } })
    const known = numberToHex(0x1000, { size: 20 })
    expect(await send(fork.url, keys.greedy, 'eth_getBalance', known, 'latest')).toMatchObject({ status: 200 })
  })
})

describe('computing', () => {
  it.each([
    [[], undefined],
    [['greedy'], undefined],
    [['greedy', 'other'], 45_000],
  ] as const)('of keys %j has a limit where there are several', (names, limitMs) => {
    const apiKeys = names.map((name) => ({ key: keys[name], role: 'read' as const }))
    const access = createAccess(
      { apiKeys, rateLimit: undefined, keyComputing: undefined, keyValues: undefined },
      { clock: systemClock },
    )
    const { quotas } = access.identify({ headers: { 'x-api-key': keys.greedy }, url: '/' })
    expect(quotas?.computing?.leftMs).toBe(limitMs)
  })
})
