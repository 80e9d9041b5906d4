import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../anvil.ts'
import { type FaultProxy, startFaultProxy } from '../faultProxy.ts'
import { postJsonRpc } from '../jsonRpc.ts'
import { createRandom } from '../random.ts'
import { type BatchRefusal, batchRefusals } from './batches.ts'
import { quantity } from './calls.ts'
import { endings, failures } from './failures.ts'
import { manyRefusals, wideRefusals } from './logs.ts'
import { methodRefusals } from './methods.ts'
import { behaviours, mixFaults } from './mix.ts'
import { providers } from './providers.ts'
import type { Refusal } from './refusal.ts'
import { notYetRefusals } from './replicas.ts'
import { hashRefusals, stateRefusals } from './state.ts'

const account = `0x${'11'.repeat(20)}`
/** Logs its call data's length as a topicless log of no data. */
const logger = `0x${'22'.repeat(20)}`

let anvil: Anvil
let proxy: FaultProxy

beforeAll(async () => {
  anvil = await startAnvil({ args: ['--no-mining'] })
  proxy = await startFaultProxy(anvil.url)
  await anvil.rpc('anvil_setCode', [logger, '0x60006000a000'])
  const [from] = await anvil.rpc<string[]>('eth_accounts')
  for (let block = 0; block < 12; block++) {
    await anvil.rpc('eth_sendTransaction', [{ from, to: logger }])
    await anvil.rpc('evm_mine')
  }
})
afterEach(() => proxy.clear())
afterAll(async () => {
  await proxy.stop()
  await anvil.stop()
})

const call = (id: number, method = 'eth_chainId', params: readonly unknown[] = []) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const batch = (size: number) => Array.from({ length: size }, (_, id) => call(id))
const post = (body: unknown) =>
  fetch(proxy.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const rpc = <T>(method: string, ...params: unknown[]): Promise<T> => postJsonRpc<T>(proxy.url, method, params)
const balanceAt = (block: unknown) => rpc<string>('eth_getBalance', account, block)
const head = async () => Number(await anvil.rpc('eth_blockNumber'))
const logsOf = (fromBlock: unknown, toBlock: unknown) => rpc<unknown[]>('eth_getLogs', { fromBlock, toBlock })

describe('batches', () => {
  it.each<[BatchRefusal, number, unknown]>([
    ['status', 400, { id: null, error: { code: -32600 } }],
    ['object', 200, { id: null, error: { code: -32600 } }],
    ['empty', 200, []],
    ['counted', 200, { id: null, error: { message: 'batch of 3 calls is larger than 2' } }],
    ['freePlan', 200, [0, 1, 2].map((id) => ({ id, error: { code: 31 } }))],
    ['freePlanStatus', 500, [0, 1, 2].map((id) => ({ id, error: { code: 31 } }))],
    ['forbidden', 403, 'Forbidden'],
    ['forbiddenObject', 403, { id: null, error: { code: -32600 } }],
    ['tooManyRequests', 400, { id: null, error: { message: 'too many requests' } }],
    ['payload', 413, 'Payload Too Large'],
    ['first', 200, [{ id: 0, error: { code: -32600 } }]],
    ['proxyd', 200, { id: null, error: { code: -32014 } }],
    ['besu', 200, { id: null, error: { code: -32005 } }],
  ])('of more than two are refused as %s', async (refuseBatches, status, body) => {
    proxy.set({ refuseBatches, maxBatch: 2 })
    const refused = await post(batch(3))
    expect(refused.status).toBe(status)
    const text = await refused.text()
    if (typeof body === 'string') expect(text).toBe(body)
    else expect(JSON.parse(text)).toMatchObject(body as object)
    expect(await (await post(batch(2))).json()).toMatchObject([{ result: '0x7a69' }, { result: '0x7a69' }])
    proxy.set({ maxBatch: undefined })
    expect(await (await post(batch(1))).text()).not.toContain('0x7a69')
  })

  it('have a test for each way of refusing them', () => {
    expect(Object.keys(batchRefusals)).toHaveLength(13)
  })
})

describe('requests', () => {
  it.each(Object.entries<Refusal>({ ...failures, ...endings }))('fail by %s', async (_, refusal) => {
    proxy.set({ sometimes: [{ share: 1, refusal: { ...refusal, afterMs: 0 } }] })
    if ('reset' in refusal) return expect(post(call(7))).rejects.toThrow('fetch failed')
    const [alone, together] = [await post(call(7)), await post(batch(2))]
    expect([alone.status, together.status]).toEqual([refusal.status ?? 200, refusal.status ?? 200])
    if ('text' in refusal) return expect(await alone.text()).toBe(refusal.text)
    expect(await alone.json()).toEqual({ jsonrpc: '2.0', id: 7, error: refusal.error })
    const one = { error: refusal.error }
    expect(await together.json()).toMatchObject('batch' in refusal ? { id: null, ...one } : [one, one])
  })

  it('fail for a share of them, the same ones for the same seed', async () => {
    const sometimes = [{ share: 0.3, refusal: failures.unavailable }]
    const statuses = async (seed: number) => {
      const seeded = await startFaultProxy(anvil.url, { seed })
      seeded.set({ sometimes })
      const found = []
      for (const request of batch(100)) {
        const body = JSON.stringify(request)
        found.push((await fetch(seeded.url, { method: 'POST', body })).status)
      }
      await seeded.stop()
      return found
    }
    const first = await statuses(5)
    expect(first.filter((status) => status === 503).length).toBeGreaterThan(15)
    expect(first.filter((status) => status === 200).length).toBeGreaterThan(50)
    expect(await statuses(5)).toEqual(first)
    expect(await statuses(6)).not.toEqual(first)
  })

  it('fail late, when the failure takes time', async () => {
    proxy.set({ sometimes: [{ share: 1, refusal: { ...failures.timeout, afterMs: 60 } }] })
    const started = performance.now()
    expect((await post(call(1))).status).toBe(504)
    expect(performance.now() - started).toBeGreaterThanOrEqual(59)
  })

  it('are answered at first, and all refused later', async () => {
    proxy.set({ later: { after: 2, refusal: endings.paymentRequired } })
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push((await post(call(1))).status)
    expect(statuses).toEqual([200, 200, 402, 402])
  })

  it('are limited to a rate', async () => {
    proxy.set({ rate: { perSecond: 3, refusal: failures.retryAfter } })
    const answers = await Promise.all(batch(5).map(post))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429])
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1')
    await expect.poll(async () => (await post(call(1))).status, { interval: 200 }).toBe(200)
  })
})

describe('state', () => {
  it.each(Object.entries(stateRefusals))('of all except the last two blocks is refused by %s', async (_, noState) => {
    proxy.set({ newestStates: 2, noState })
    const newest = await head()
    for (const block of ['latest', quantity(newest), quantity(newest - 1)]) expect(await balanceAt(block)).toBe('0x0')
    const { hash } = await rpc<{ hash: string }>('eth_getBlockByNumber', quantity(newest - 2), false)
    const words =
      typeof noState === 'function' ? noState({ block: newest - 2, head: newest, first: newest - 1 }) : noState
    for (const block of [quantity(newest - 2), { blockHash: hash }])
      await expect(balanceAt(block)).rejects.toMatchObject(words.error)
    expect(await rpc('eth_getBlockByNumber', '0x1', false)).toMatchObject({ number: '0x1' })
  })

  it('is read by the tag only', async () => {
    proxy.set({ stateByTagOnly: true })
    expect(await balanceAt('latest')).toBe('0x0')
    await expect(balanceAt(quantity(await head()))).rejects.toThrow('missing trie node')
  })

  it('of an old block is silently that of the newest', async () => {
    const past = quantity(await head())
    await anvil.rpc('evm_mine')
    await anvil.rpc('anvil_setBalance', [account, '0x5'])
    expect(await balanceAt(past)).toBe('0x0')
    proxy.set({ stateIsLatest: true })
    expect(await balanceAt(past)).toBe('0x5')
    await anvil.rpc('anvil_setBalance', [account, '0x0'])
  })

  it.each(Object.entries(hashRefusals))(
    'is not read by a hash, which is refused by %s',
    async (_, refuseBlockHashes) => {
      const { number, hash } = await rpc<{ number: string; hash: string }>('eth_getBlockByNumber', 'latest', false)
      proxy.set({ refuseBlockHashes })
      expect(await balanceAt(number)).toBe('0x0')
      const words = typeof refuseBlockHashes === 'function' ? refuseBlockHashes(hash) : refuseBlockHashes
      await expect(balanceAt({ blockHash: hash })).rejects.toMatchObject(words.error)
    },
  )

  it('is refused with an HTTP status when the call came alone, and without in a batch', async () => {
    proxy.set({ newestStates: 1, noState: stateRefusals.infura })
    const old = call(1, 'eth_getBalance', [account, '0x1'])
    expect((await post(old)).status).toBe(403)
    const together = await post([old, call(2)])
    expect(together.status).toBe(200)
    expect(await together.json()).toMatchObject([
      { id: 1, error: { code: -32002 } },
      { id: 2, result: '0x7a69' },
    ])
  })
})

describe('replicas', () => {
  /** Mines a block that lagging replicas have not seen. */
  async function mineUnseen(): Promise<{ number: number; block: string; hash: string; transaction: string }> {
    await rpc('eth_blockNumber')
    const [from] = await anvil.rpc<string[]>('eth_accounts')
    const transaction = await anvil.rpc<string>('eth_sendTransaction', [{ from, to: logger }])
    await anvil.rpc('evm_mine')
    const { hash, number } = await anvil.rpc<{ hash: string; number: string }>('eth_getBlockByNumber', [
      'latest',
      false,
    ])
    return { number: Number(number), block: number, hash, transaction }
  }

  it('answer by what they have seen', async () => {
    proxy.set({ replicas: [60_000], notYet: notYetRefusals.unknownBlock })
    const { number, block, hash, transaction } = await mineUnseen()
    const before = quantity(number - 1)
    expect(await rpc('eth_blockNumber')).toBe(before)
    expect(await rpc('eth_getBlockByNumber', 'latest', false)).toMatchObject({ number: before })
    expect(await rpc('eth_getBlockByNumber', block, false)).toBeNull()
    expect(await rpc('eth_getBlockByHash', hash, false)).toBeNull()
    expect(await rpc('eth_getBlockReceipts', block)).toBeNull()
    expect(await rpc('eth_getTransactionReceipt', transaction)).toBeNull()
    for (const unseen of [block, { blockHash: hash }]) await expect(balanceAt(unseen)).rejects.toThrow('unknown block')
    await expect(rpc('eth_getLogs', { blockHash: hash })).rejects.toThrow('unknown block')
    expect(await logsOf(before, block)).toHaveLength(
      (await anvil.rpc<[]>('eth_getLogs', [{ fromBlock: before, toBlock: before }])).length,
    )
    expect(await logsOf(block, 'latest')).toEqual([])
    expect(await rpc('eth_getTransactionCount', testSender, 'latest')).toBe(
      await anvil.rpc('eth_getTransactionCount', [testSender, before]),
    )

    proxy.set({ replicas: [400] })
    await expect.poll(() => rpc('eth_blockNumber'), { interval: 50 }).toBe(block)
    expect(await balanceAt({ blockHash: hash })).toBe('0x0')
    expect(await logsOf(block, block)).toHaveLength(1)
    expect(await rpc('eth_getTransactionReceipt', transaction)).toMatchObject({ blockHash: hash })
  })

  it('see blocks each at another time', async () => {
    proxy.set({ replicas: [0, 60_000] })
    const { number, block } = await mineUnseen()
    const heads = new Set(await Promise.all(Array.from({ length: 20 }, () => rpc('eth_blockNumber'))))
    expect(heads).toEqual(new Set([block, quantity(number - 1)]))
  })

  it.each(Object.entries(notYetRefusals))('say %s of state that they have not seen', async (_, notYet) => {
    proxy.set({ replicas: [60_000], notYet })
    const { number, block } = await mineUnseen()
    const asked = { block: number, head: Number(await rpc('eth_blockNumber')) }
    const words = typeof notYet === 'function' ? notYet(asked) : notYet
    await expect(balanceAt(block)).rejects.toMatchObject(words.error)
  })
})

const testSender = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

describe('logs', () => {
  it.each(Object.entries(wideRefusals))('of more than three blocks are refused by %s', async (_, tooWide) => {
    proxy.set({ logs: { blocks: 3, tooWide } })
    expect(await logsOf('0x2', '0x4')).toHaveLength(3)
    const asked = { from: 2, to: 5, limit: 3, until: 4 }
    const words = typeof tooWide === 'function' ? tooWide(asked) : tooWide
    await expect(logsOf('0x2', '0x5')).rejects.toMatchObject(words.error)
    await expect(logsOf('earliest', 'latest')).rejects.toMatchObject({ code: words.error.code })
  })

  it.each(Object.entries(manyRefusals))('beyond five are refused by %s', async (_, tooMany) => {
    proxy.set({ logs: { rows: 5, tooMany } })
    expect(await logsOf('0x2', '0x6')).toHaveLength(5)
    const asked = { from: 2, to: 9, limit: 5, until: 6 }
    const words = typeof tooMany === 'function' ? tooMany(asked) : tooMany
    await expect(logsOf('0x2', '0x9')).rejects.toMatchObject(words.error)
  })
})

it.each(Object.entries(methodRefusals))('methods are refused by %s', async (_, missingMethod) => {
  proxy.set({ missingMethods: ['debug_*', 'eth_getProof'], missingMethod })
  for (const method of ['debug_traceCall', 'eth_getProof']) {
    const words = typeof missingMethod === 'function' ? missingMethod(method) : missingMethod
    await expect(rpc(method)).rejects.toMatchObject(words.error)
    expect((await post(call(1, method))).status).toBe(words.status)
  }
  expect(await rpc('eth_chainId')).toBe('0x7a69')
})

it.each(Object.entries(providers))('%s answers what it is asked as it likes', async (_, faults) => {
  proxy.set(faults)
  const requests = Array.from({ length: 10 }, () => balanceAt('latest').catch(() => undefined))
  expect(await Promise.all(requests)).toContain('0x0')
})

describe('a mix', () => {
  it('is the same for the same seed', () => {
    const mixes = (seed: number) => {
      const random = createRandom(seed)
      return Array.from({ length: 5 }, () => JSON.stringify(mixFaults(random)))
    }
    expect(mixes(3)).toEqual(mixes(3))
    expect(new Set(mixes(3)).size).toBe(5)
  })

  it('has several behaviours at one time', () => {
    const random = createRandom(1)
    const sizes = Array.from({ length: 50 }, () => Object.keys(mixFaults(random)).length)
    expect(Math.max(...sizes)).toBeGreaterThan(4)
    expect(Object.keys(behaviours)).toContain('lagging')
  })
})
