import type { Address, Word } from '@understudy/evm'
import { type Anvil, type FaultProxy, startAnvil, startFaultProxy } from '@understudy/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../../shared/logger.ts'
import { createUpstream, type Upstream } from '../upstream.ts'
import type { Base } from '../wantedState.ts'

let anvil: Anvil
let proxy: FaultProxy
let upstream: Upstream

const someone: Address = `0x${'5a'.repeat(20)}`
const nothing = { balances: [], nonces: [], codes: [], slots: [], blockHashes: [] }
const balanceAt = async (block: Base) =>
  (await upstream.readFields(block, { ...nothing, balances: [someone] })).balances.get(someone)

async function newestBlock(): Promise<Base> {
  const { number, hash } = await anvil.rpc<{ number: string; hash: Word }>('eth_getBlockByNumber', ['latest', false])
  return { number: BigInt(number), hash }
}

/** A block after which `someone` has one wei more. */
async function sealNext(): Promise<Base> {
  const [from] = await anvil.rpc<Address[]>('eth_accounts', [])
  await anvil.rpc('eth_sendTransactionSync', [{ from, to: someone, value: '0x1' }])
  return newestBlock()
}

beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await startFaultProxy(anvil.url)
})
beforeEach(async () => {
  proxy.clear()
  upstream = createUpstream({ urls: [proxy.url], timeoutMs: 2_000 }, { logger: createLogger('silent') })
  await upstream.request('eth_chainId', [])
  proxy.resetStats()
  return () => upstream.stop()
})
afterAll(async () => {
  await proxy?.stop()
  await anvil?.stop()
})

test('state is read by the hash of its block, in one request', async () => {
  const [first, second] = [await sealNext(), await sealNext()]
  const had = (await balanceAt(first)) ?? 0n
  expect(await balanceAt(second)).toBe(had + 1n)
  expect(proxy.stats()).toMatchObject({ requests: 2, byMethod: { eth_getBalance: 2 } })
})

test('state is read by number where hashes are refused, which is found out once, and each read is checked', async () => {
  proxy.set({ refuseBlockHashes: true })
  const [first, second] = [await sealNext(), await sealNext()]
  const had = (await balanceAt(first)) ?? 0n
  const { calls } = proxy.stats()
  expect([await balanceAt(first), await balanceAt(second)]).toEqual([had, had + 1n])
  expect(proxy.stats().calls).toBe(calls + 4)
})

test('a block that was reorganised away is an error, and never another of its number', async () => {
  const kept = await sealNext()
  const gone = await sealNext()
  const had = (await balanceAt(kept)) ?? 0n
  expect(await balanceAt(gone)).toBe(had + 1n)
  await anvil.rpc('anvil_reorg', [1, []])
  const successor = await newestBlock()
  expect([successor.number, successor.hash === gone.hash]).toEqual([gone.number, false])
  await expect(balanceAt(gone)).rejects.toMatchObject({ kind: 'UPSTREAM_REORGED', details: { hash: gone.hash } })
  expect([await balanceAt(kept), await balanceAt(successor)]).toEqual([had, had])
})

test('a first read of a block that is gone does not take the hashes from those that follow', async () => {
  const newest = await newestBlock()
  await expect(balanceAt({ ...newest, hash: `0x${'ab'.repeat(32)}` })).rejects.toMatchObject({
    kind: 'UPSTREAM_REORGED',
  })
  const tags: unknown[] = []
  proxy.set({
    answer({ method, params }) {
      if (method === 'eth_getBalance') tags.push(params?.[1])
      return undefined
    },
  })
  await balanceAt(newest)
  expect(tags).toEqual([{ blockHash: newest.hash }])
})

test('a node that has not seen the block yet is asked again', async () => {
  const newest = await sealNext()
  const had = await balanceAt(newest)
  let times = 0
  proxy.set({
    answer: ({ method }) =>
      method === 'eth_getBalance' && times++ < 2
        ? { error: { code: -32000, message: 'header for hash not found' } }
        : undefined,
  })
  expect(await balanceAt(newest)).toBe(had)
})

test('a URL that takes no hashes may serve later', async () => {
  const block = await sealNext()
  const had = await balanceAt(block)
  proxy.set({ refuseBlockHashes: true })
  expect(await balanceAt(block)).toBe(had)
})

test('where only the newest state is there, it is read as such, and not used once a later block is the newest', async () => {
  proxy.set({ stateByTagOnly: true })
  const block = await sealNext()
  await upstream.head.refresh()
  const had = await balanceAt(block)
  expect(had).toBeGreaterThan(0n)
  expect(upstream.profiles()).toMatchObject({ [proxy.url]: { stateNames: 'latest' } })
  await sealNext()
  await expect(balanceAt(block)).rejects.toMatchObject({ kind: 'UPSTREAM_STATE_PRUNED' })
  const newest = await newestBlock()
  await upstream.head.refresh()
  expect(await balanceAt(newest)).toBe((had ?? 0n) + 1n)
})

test('a read by number is not used if its block was replaced before it was answered', async () => {
  proxy.set({ refuseBlockHashes: true })
  await balanceAt(await sealNext())
  const gone = await sealNext()
  let replaced: Promise<unknown> | undefined
  proxy.set({
    async answer({ method }) {
      if (method !== 'eth_getBalance') return undefined as never
      replaced ??= anvil.rpc('anvil_reorg', [1, []])
      await replaced
      return undefined as never
    },
  })
  await expect(balanceAt(gone)).rejects.toMatchObject({ kind: 'UPSTREAM_REORGED', details: { hash: gone.hash } })
})

test('an endpoint that answers for every block with its newest state is found out', async () => {
  proxy.set({ stateIsLatest: true })
  await upstream.capabilities()
  expect(upstream.profiles()).toMatchObject({ [proxy.url]: { stateNames: 'latest' } })
})
