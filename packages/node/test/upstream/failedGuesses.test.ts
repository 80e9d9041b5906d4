import {
  type Anvil,
  connectClient,
  type FaultProxy,
  type RpcCall,
  startAnvil,
  startFaultProxy,
  type TestClient,
  testAccounts,
} from '@understudy/testkit'
import type { Address, Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const zero: Address = `0x${'00'.repeat(20)}`
const from = testAccounts[3].address
const target: Address = `0x${'7a'.repeat(20)}`
const rich: Address = `0x${'51'.repeat(20)}`
const miner: Address = `0x${'b1'.repeat(20)}`

/** Answers the balance of the address in its slot 0: while that is not loaded, the balance of nobody. */
const balanceOfStored: Address = `0x${'c0'.repeat(20)}`
/** Calls the address in its slot 0 with all that it was given, as a proxy does. */
const proxyOfStored: Address = `0x${'c1'.repeat(20)}`
/** Answers its slot 1 when its slot 0 is zero, and 7 otherwise. */
const slotOfZero: Address = `0x${'c2'.repeat(20)}`
/** Answers the balance of the zero address. */
const balanceOfZero: Address = `0x${'c3'.repeat(20)}`
const codes: [Address, Hex][] = [
  [balanceOfStored, '0x5f54315f5260205ff3'],
  [proxyOfStored, '0x365f5f375f5f365f5f545af43d5f5f3e3d5ff3'],
  [slotOfZero, '0x5f54600e576001545f5260205ff35b60205ff3'],
  [balanceOfZero, '0x5f315f5260205ff3'],
  // What the proxy stands for answers 42.
  [target, '0x602a5f5260205ff3'],
]
const slot = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
const wordOf = (address: Address): Hex => `0x${address.slice(2).padStart(64, '0')}`

/** Upstream answers an error for one account, and for one slot of a contract. */
const refusesKeys = ({ method, params = [] }: RpcCall) => {
  const isZero = /^eth_get(Balance|Code|TransactionCount|Proof)$/.test(method) && params[0] === zero
  const isSlot = method === 'eth_getStorageAt' && params[0] === slotOfZero && params[1] === slot(1)
  return isZero || isSlot ? { error: { code: -32000, message: 'this key is broken' } } : undefined
}

describe.each([
  ['names what a call reads', []],
  ['names nothing ahead', ['debug_traceCall', 'eth_createAccessList']],
])('an upstream that %s, and answers an error for some keys', (_, missingMethods) => {
  let anvil: Anvil
  let proxy: FaultProxy
  let live: TestClient
  let network: TestNetwork

  beforeAll(async () => {
    anvil = await startAnvil()
    proxy = await startFaultProxy(anvil.url)
    live = await connectClient(anvil.url)
    // A transaction pays the coinbase: that account is needed.
    await anvil.rpc('anvil_setCoinbase', [miner])
    for (const code of codes) await anvil.rpc('anvil_setCode', code)
    await anvil.rpc('anvil_setBalance', [rich, '0x1234'])
    await anvil.rpc('anvil_setStorageAt', [balanceOfStored, slot(0), wordOf(rich)])
    await anvil.rpc('anvil_setStorageAt', [proxyOfStored, slot(0), wordOf(target)])
    await anvil.rpc('anvil_setStorageAt', [slotOfZero, slot(0), slot(5)])
    await live.mine({ blocks: 1 })
    proxy.set({ answer: refusesKeys, missingMethods })
  })
  afterAll(async () => {
    await proxy.stop()
    await anvil.stop()
  })
  beforeEach(async () => {
    network = await startNetwork({ forkUrls: [proxy.url], pollIntervalMs: 60_000 })
  })
  afterEach(() => network.stop())

  const call = (to: Address, data: Hex = '0x') => ({ from, to, data, gas: '0x30d40' })

  it.each([
    ['the balance of an address that it reads first', balanceOfStored, 0x1234n],
    ['another contract whose address it reads first', proxyOfStored, 42n],
    ['a slot only when another one is zero', slotOfZero, 0n],
  ])('lets a contract be used that reads %s', async (_reads, to, value) => {
    expect(BigInt(await network.rpc<Hex>('eth_call', call(to, '0x12345678'), 'latest'))).toBe(value)
    expect(BigInt(await network.rpc<Hex>('eth_estimateGas', call(to, '0x12345679')))).toBeGreaterThan(21_000n)
    const traced = await network.rpc<{ output: Hex }>('debug_traceCall', call(to, '0x1234567a'), 'latest', {
      tracer: 'callTracer',
    })
    expect(BigInt(traced.output)).toBe(value)
    const hash = await network.rpc<Hex>('eth_sendTransaction', call(to, '0x1234567b'))
    const receipt = await network.client.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    expect(await network.rpc('debug_traceTransaction', hash, { tracer: 'prestateTracer' })).toHaveProperty(to)
  })

  it.each([['eth_call'], ['eth_estimateGas'], ['eth_sendTransaction']])(
    'refuses %s of what needs such a key, with the reason',
    async (method) => {
      await expect(network.rpc(method, call(balanceOfZero))).rejects.toMatchObject({
        details: expect.stringContaining('this key is broken'),
      })
      await network.rpc('dev_setStorageAt', slotOfZero, slot(0), slot(0))
      await expect(network.rpc(method, call(slotOfZero))).rejects.toMatchObject({
        details: expect.stringContaining('this key is broken'),
      })
      await network.rpc('dev_setStorageAt', slotOfZero, slot(1), slot(9))
      await network.rpc(method, call(slotOfZero))
    },
  )

  it('seals what others sent, though the account of one sender cannot be read any more', async () => {
    const [, sick, well] = testAccounts
    await network.rpc('evm_setAutomine', false)
    await network.rpc('dev_followAccount', sick.address)
    const hashes = []
    for (const { address } of [sick, well])
      hashes.push(await network.rpc<Hex>('eth_sendTransaction', { from: address, to: target, gas: '0x30d40' }))
    proxy.set({
      answer: (asked) =>
        asked.params?.[0] === sick.address.toLowerCase()
          ? { error: { code: -32000, message: 'this key is broken' } }
          : refusesKeys(asked),
    })
    await live.mine({ blocks: 1 })
    proxy.resetStats()
    await network.rpc('evm_mine')
    expect(await network.rpc('eth_getTransactionReceipt', hashes[1])).toMatchObject({ status: '0x1' })
    proxy.set({ answer: refusesKeys })
  })
})
