import type { Address, Word } from '@understudy/evm'
import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  type FaultProxy,
  requireSuccess,
  startAnvil,
  startFaultProxy,
  testAccounts,
} from '@understudy/testkit'
import { type Hex, keccak256, pad, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../shared/logger.ts'
import { createFieldReader } from './stateReader.ts'
import type { Request } from './transport/requests.ts'
import { createUpstream, type Upstream } from './upstream.ts'
import type { Base } from './wantedState.ts'

let anvil: Anvil
let proxy: FaultProxy
let upstream: Upstream
let reader: Address
/** The blocks before and after the slots were written. */
let before: Base
let after: Base

const slotOf = (key: number): Word => keccak256(`${pad(toHex(key))}${'00'.repeat(32)}`)
const nothing = { accounts: [], codes: [], slots: [], blockHashes: [] }

beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await startFaultProxy(anvil.url)
  const client = await connectClient(anvil.url)
  reader = (await deployContract(client, artifacts.SlotReader)).toLowerCase() as Hex
  before = await client.getBlock()
  const fill = { address: reader, abi: artifacts.SlotReader.abi, functionName: 'fill', args: [100n, 7n] } as const
  await requireSuccess(client, await client.writeContract(fill))
  after = await client.getBlock()
  upstream = createUpstream({ urls: [proxy.url] }, { logger: createLogger('silent') })
  await upstream.request('eth_chainId', [])
})
beforeEach(() => proxy.resetStats())
afterAll(async () => {
  await upstream.stop()
  await proxy.stop()
  await anvil.stop()
})

test('accounts, slots and block hashes are read in one HTTP request', async () => {
  const slots = Array.from({ length: 90 }, (_, key) => [reader, slotOf(key)] as const)
  const [owner, other] = [testAccounts[0].address, testAccounts[1].address].map((it) => it.toLowerCase() as Address)
  if (!owner || !other) throw new Error('no accounts')
  const state = await upstream.readState(after, {
    accounts: [owner, reader],
    codes: [reader],
    slots,
    blockHashes: [before.number],
  })
  expect(proxy.stats()).toMatchObject({ requests: 1, calls: 97 })
  expect(state.accounts.get(reader)).toMatchObject({ balance: 0n, nonce: 1n })
  expect(state.accounts.get(reader)?.code.length).toBeGreaterThan(100)
  expect(state.accounts.get(owner)).toMatchObject({ nonce: 2n, code: new Uint8Array() })
  expect(state.slots.get(reader)?.get(slotOf(0))).toBe(7n)
  expect(state.slots.get(reader)?.get(slotOf(89))).toBe(96n)
  const block = await anvil.rpc<{ hash: Word }>('eth_getBlockByNumber', [toHex(before.number), false])
  expect(state.blockHashes).toEqual(new Map([[before.number, block.hash]]))
})

test('state is that of the block asked for', async () => {
  const slots = [[reader, slotOf(0)]] as const
  const read = async (block: Base) =>
    (await upstream.readState(block, { ...nothing, slots })).slots.get(reader)?.get(slotOf(0))
  expect([await read(before), await read(after)]).toEqual([0n, 7n])
})

test('an account that does not exist is empty', async () => {
  const address: Address = `0x${'99'.repeat(20)}`
  const state = await upstream.readState(after, { ...nothing, accounts: [address] })
  expect(state.accounts).toEqual(new Map([[address, { balance: 0n, nonce: 0n, code: new Uint8Array() }]]))
})

test('pruned state is an error that names the block', async () => {
  proxy.set({ prunedBelow: Number(after.number) })
  await expect(upstream.readState(before, { ...nothing, accounts: [reader] })).rejects.toMatchObject({
    kind: 'UPSTREAM_STATE_PRUNED',
    details: { block: `${before.number} (${before.hash})` },
  })
  proxy.clear()
})

test('reading stops when the signal says so', async () => {
  const release = proxy.hold()
  const controller = new AbortController()
  const reading = upstream.readState(after, { ...nothing, accounts: [reader] }, controller.signal)
  await proxy.arrived(1)
  controller.abort(new Error('client went away'))
  await expect(reading).rejects.toThrow('client went away')
  release()
})

test('a hundred slots take two HTTP requests at a time, so one delay of upstream', async () => {
  proxy.set({ delayMs: 50 })
  const slots = Array.from({ length: 100 }, (_, key) => [reader, slotOf(key)] as const)
  await upstream.readState(after, { ...nothing, accounts: [reader], slots })
  expect(proxy.stats()).toMatchObject({ requests: 2, maxInFlight: 2 })
  proxy.clear()
})

test('tens of thousands of slots are read in turns, and when one fails the rest is not asked for', async () => {
  let inFlight = 0
  let most = 0
  let asked = 0
  const request: Request = async (_method, _params, { signal } = {}) => {
    asked++
    inFlight++
    most = Math.max(most, inFlight)
    signal?.addEventListener('abort', () => {})
    await new Promise((resolve) => setImmediate(resolve))
    inFlight--
    if (asked > 5_000) throw new Error('enough')
    return '0x1' as never
  }
  const slots = Array.from({ length: 40_000 }, (_, key) => [reader, slotOf(key)] as const)
  const wanted = { balances: [], nonces: [], codes: [], slots, blockHashes: [] }
  await expect(createFieldReader(request, ({ hash }) => ({ blockHash: hash }))(before, wanted)).rejects.toThrow(
    'enough',
  )
  expect(most).toBeLessThanOrEqual(2_000)
  expect(asked).toBeLessThanOrEqual(6_000)
})
