import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  type FaultProxy,
  type Faults,
  startAnvil,
  startFaultProxy,
} from '@understudy/testkit'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../../startNetwork.ts'

type Call = Parameters<NonNullable<Faults['answer']>>[0]

/** Transactions of the block that is read. */
const count = 9
const full = '0x3'
const empty = '0x2'

let anvil: Anvil
let proxy: FaultProxy
let network: TestNetwork | undefined
let hashes: Hex[]
/** Blocks that were read with their transactions, to run them here. */
let replays: unknown[]

beforeAll(async () => {
  anvil = await startAnvil({ args: ['--steps-tracing'] })
  const live = await connectClient(anvil.url)
  const events = await deployContract(live, artifacts.Events)
  await anvil.rpc('evm_mine')
  await anvil.rpc('evm_setAutomine', [false])
  hashes = []
  for (let index = 0; index < count; index++) {
    const data = encodeFunctionData({ abi: artifacts.Events.abi, functionName: 'emitMany', args: [BigInt(index)] })
    hashes.push(await live.sendTransaction({ to: events, data, gas: 1_000_000n }))
  }
  await anvil.rpc('evm_mine')
  await anvil.rpc('evm_setAutomine', [true])
  await anvil.rpc('evm_mine')
  expect(await anvil.rpc('eth_getBlockByNumber', [full, false])).toMatchObject({ transactions: hashes })
})
afterAll(() => anvil.stop())

beforeEach(async () => {
  proxy = await startFaultProxy(anvil.url)
})
afterEach(async () => {
  await network?.stop()
  network = undefined
  await proxy.stop()
})

async function fork(faults: Faults, options = {}): Promise<TestNetwork> {
  network = await startNetwork({ forkUrls: [proxy.url], followHead: false, ...options })
  replays = []
  proxy.set({
    ...faults,
    answer(call) {
      if (call.method === 'eth_getBlockByHash' && call.params?.[1]) replays.push(call.params[0])
      return faults.answer?.(call)
    },
  })
  proxy.resetStats()
  return network
}

const oversized =
  (method: string): NonNullable<Faults['answer']> =>
  (call) =>
    call.method === method ? { result: 'x'.repeat(40e6) } : undefined

const traceless: Faults['answer'] = ({ method }) =>
  method.startsWith('debug_') ? { error: { code: -32000, message: 'tracing failed' } } : undefined

const asked = (method: string) => proxy.stats().byMethod[method] ?? 0

/** Refuses calls of a method, or one of its calls. */
const refusing =
  (method: string, message: string, isRefused = (_call: Call) => true): NonNullable<Faults['answer']> =>
  (call) =>
    call.method === method && isRefused(call) ? { error: { code: -32000, message } } : undefined

describe('receipts of a block of the live chain', () => {
  const method = 'eth_getBlockReceipts'

  it('are asked for in one call', async () => {
    const { rpc } = await fork({})
    expect(await rpc(method, full)).toEqual(await anvil.rpc(method, [full]))
    expect([asked(method), asked('eth_getTransactionReceipt')]).toEqual([1, 0])
  })

  it.each<[string, Faults]>([
    ['missing', { missingMethods: [method] }],
    ['too large', { answer: refusing(method, 'response size exceeded') }],
    ['too slow', { answer: refusing(method, 'execution timeout') }],
  ])('are asked for one by one, in one batch, where that is %s', async (_, faults) => {
    const { rpc } = await fork(faults)
    expect(await rpc(method, full)).toEqual(await anvil.rpc(method, [full]))
    expect(asked('eth_getTransactionReceipt')).toBe(count)
    expect(proxy.stats().largestBatch).toBeGreaterThanOrEqual(count)
    expect(asked(method)).toBeLessThan(12)
  })

  it('are asked for one by one at once after the method was found missing', async () => {
    const { rpc } = await fork({ missingMethods: [method] })
    await rpc(method, full)
    await rpc(method, full)
    expect([asked(method), asked('eth_getTransactionReceipt')]).toEqual([1, 2 * count])
  })

  it('of no transactions need no further request', async () => {
    const { rpc } = await fork({ missingMethods: [method] })
    expect(await rpc(method, empty)).toEqual([])
    expect(asked('eth_getTransactionReceipt')).toBe(0)
  })
})

describe('traces of a block of the live chain', () => {
  const whole = 'debug_traceBlockByHash'
  const single = 'debug_traceTransaction'
  const byCalls = { tracer: 'callTracer', tracerConfig: { withLog: true } }
  const there = (config: object) => anvil.rpc<unknown[]>('debug_traceBlockByNumber', [full, config])

  it('are asked for in one call', async () => {
    const { rpc } = await fork({})
    expect(await rpc('debug_traceBlockByNumber', full, byCalls)).toEqual(await there(byCalls))
    expect([asked(whole), asked(single)]).toEqual([1, 0])
  })

  it.each<[string, Faults, number]>([
    ['missing', { missingMethods: [whole] }, 1],
    ['too large', { answer: refusing(whole, 'response size exceeded') }, 1],
    ['larger than one answer may be', { answer: oversized(whole) }, 1],
    ['too slow', { answer: refusing(whole, 'execution timeout') }, 12],
  ])('are asked for by transaction where that is %s', async (_, faults, most) => {
    const { rpc } = await fork(faults)
    for (const config of [byCalls, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }]) {
      proxy.resetStats()
      const expected = await there(config)
      expect(expected).toHaveLength(count)
      expect(await rpc('debug_traceBlockByNumber', full, config)).toEqual(expected)
      expect(asked(single)).toBe(count)
      expect(asked(whole)).toBeLessThanOrEqual(most)
      expect(replays).toEqual([])
    }
    expect(await rpc('debug_traceBlockByHash', await hashOf(full), byCalls)).toEqual(await there(byCalls))
  })

  it('of no transactions need no further trace', async () => {
    const { rpc } = await fork({ answer: refusing(whole, 'response size exceeded') })
    expect(await rpc('debug_traceBlockByNumber', empty, byCalls)).toEqual([])
    expect([asked(whole), asked(single)]).toEqual([1, 0])
  })

  it('are made here where the endpoint traces nothing, which it is asked twice', async () => {
    const { rpc } = await fork({ answer: traceless })
    const traces = await rpc<{ txHash: Hex }[]>('debug_traceBlockByNumber', full, byCalls)
    expect(traces.map(({ txHash }) => txHash)).toEqual(hashes)
    expect([asked(whole), asked(single)]).toEqual([1, 1])
    expect(replays).toEqual([await hashOf(full)])
  })

  it('are made here where one transaction is refused, and the others are not asked for any more', async () => {
    const isSecond = ({ params = [] }: Call) => params[0] === hashes[1]
    const { rpc } = await fork({
      missingMethods: [whole],
      answer: refusing(single, 'response size exceeded', isSecond),
    })
    const traces = await rpc<{ txHash: Hex }[]>('debug_traceBlockByNumber', full, byCalls)
    expect(traces.map(({ txHash }) => txHash)).toEqual(hashes)
    expect(asked(single)).toBeLessThan(count)
    expect(replays).toEqual([await hashOf(full)])
  })

  it('are made here where a reorg has removed the block', async () => {
    let isAnswered = false
    const { rpc } = await fork({
      missingMethods: [whole],
      answer: ({ method }) => {
        if (method === single) isAnswered = true
        return method === 'eth_getBlockByNumber' && isAnswered
          ? { result: { hash: `0x${'11'.repeat(32)}` } }
          : undefined
      },
    })
    const traces = await rpc<{ txHash: Hex }[]>('debug_traceBlockByNumber', full, byCalls)
    expect(traces.map(({ txHash }) => txHash)).toEqual(hashes)
    expect(replays).toEqual([await hashOf(full)])
  })

  it('count as values of the live chain', async () => {
    const { rpc } = await fork({ missingMethods: [whole] }, { requestKeys: 5 })
    await expect(rpc('debug_traceBlockByNumber', full, byCalls)).rejects.toThrow('--request-keys')
    expect(asked(single)).toBeLessThanOrEqual(6)
  })
})

const hashOf = async (number: string) => (await anvil.rpc<{ hash: Hex }>('eth_getBlockByNumber', [number, false])).hash
