import type { Worker } from 'node:worker_threads'
import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV2,
  startAnvil,
  testAccounts,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInternalBudget, withBudget } from '../../src/shared/budget/requestBudget.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Request = readonly [method: string, ...params: unknown[]]

const sender = testAccounts[0].address
/** Follows a chain of 100 slots, and writes them. */
const worker: Address = '0x00000000000000000000000000000000000c0de5'
const works = '0x600060075b805481016001015f5260205f208091559060010190816064116100045760205ff3'
/** Hashes 150 000 times: more than a slice of a turn. */
const counter: Address = '0x00000000000000000000000000000000000c0de7'
const counts = '0x5f5b600101805f5260205f205080620249f011610001575f5260205ff3'
/** Hashes 4 KiB without end. */
const hasher: Address = '0x00000000000000000000000000000000000c0de6'
const hashesForever = '0x5b6110005f2050600056'
/** Adds its first slot to what it is given, and hashes the sum 300 times; reverts with the hash if it is given zero. */
const mixer: Address = '0x00000000000000000000000000000000000c0de8'
const mixes = '0x5f355f54015f5261012c5b60205f205f526001900380' + '61000a575f3561002457' + '60205ffd5b60205ff3'
const manyGas = 10n ** 15n

let anvil: Anvil
let network: TestNetwork
let requests: Record<string, Request>
let heavy: Hex
let failed: Hex

/** The answers as they are sent, in the order of the requests. */
async function answers(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const [name, [method, ...params]] of Object.entries(requests)) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: name, method, params })
    texts[name] = await (await fetch(network.url, { method: 'POST', body })).text()
  }
  return texts
}

async function callMixer(given: number): Promise<unknown> {
  const params = [{ to: mixer, data: numberToHex(given, { size: 32 }) }, 'latest']
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
  return (await fetch(network.url, { method: 'POST', body })).json()
}

const runs = () => network.node.services.workers().runs

beforeAll(async () => {
  anvil = await startAnvil()
  const live = await connectClient(anvil.url)
  const uniswap = await deployUniswapV2(live)
  const liveSwap = await uniswap.swap(10n ** 18n)
  await live.request({ method: 'anvil_mine' as never, params: [] as never })
  network = await startNetwork({ forkUrls: [anvil.url], callTimeout: 60, workers: 0 })
  const { rpc } = network
  await rpc('dev_setCode', worker, works)
  await rpc('dev_setCode', counter, counts)
  await rpc('dev_setCode', hasher, hashesForever)
  const reverter = await deployContract(network.client, artifacts.Reverter)
  const send = (transaction: object) =>
    rpc<Hex>('eth_sendTransaction', { from: sender, gas: '0xf00000', ...transaction })
  const chained = await send({ to: worker })
  heavy = await send({ to: counter })
  failed = await send({ to: hasher, gas: numberToHex(3_000_000) })
  await rpc('evm_setAutomine', false)
  const first = await send({ to: testAccounts[1].address, value: '0x1', gas: '0x5208' })
  await send({ to: worker, gas: '0xd00000' })
  const last = await send({ to: worker, gas: '0x100000' })
  await rpc('evm_mine')
  await rpc('evm_setAutomine', true)
  const { blockHash } = await rpc<{ blockHash: Hex }>('eth_getTransactionReceipt', last)
  await rpc('dev_addFunctionOverride', {
    contractAddress: reverter,
    functionAbi: 'function fake() view returns (uint256)',
    returnValues: ['7'],
  })
  const gas = numberToHex(30_000_000)
  const withReason = encodeFunctionData({ abi: artifacts.Reverter.abi, functionName: 'withReason', args: ['no'] })
  const fake = encodeFunctionData({ abi: parseAbi(['function fake() view returns (uint256)']) })
  const call = { from: sender, to: worker, gas }
  const names = { onlyTopCall: true }
  requests = {
    'a heavy call': ['eth_call', { ...call, to: counter }],
    'a call': ['eth_call', call],
    'an estimate': ['eth_estimateGas', { from: sender, to: worker }],
    'a heavy estimate': ['eth_estimateGas', { from: sender, to: counter }],
    'a call without enough gas': ['eth_call', { ...call, gas: '0x100000' }],
    'a call with overrides': [
      'eth_call',
      call,
      'latest',
      { [worker]: { stateDiff: { [numberToHex(0, { size: 32 })]: numberToHex(9, { size: 32 }) } } },
    ],
    'a heavy call of the past': ['eth_call', call, '0x10'],
    'a trace by calls': ['debug_traceTransaction', heavy, { tracer: 'callTracer' }],
    'a trace of a failed one': ['debug_traceTransaction', failed, { tracer: 'callTracer', tracerConfig: names }],
    'a trace of the state': ['debug_traceTransaction', chained, { tracer: 'prestateTracer' }],
    'a trace of several kinds': [
      'debug_traceTransaction',
      last,
      { tracer: 'muxTracer', tracerConfig: { callTracer: {}, '4byteTracer': {}, flatCallTracer: {} } },
    ],
    'some operations': ['debug_traceTransaction', chained, { limit: 1000, enableMemory: true, enableReturnData: true }],
    'a tracer in JavaScript': [
      'debug_traceTransaction',
      chained,
      {
        tracer:
          '{ n: 0, step(log, db) { this.n += log.op.toNumber() === 0x54 ? 1 : 0 }, fault() {}, result(ctx, db) { return [this.n, toHex(ctx.to), db.getBalance(ctx.from)] } }',
      },
    ],
    'a tracer that fails': ['debug_traceTransaction', chained, { tracer: '{ fault() {}, result() { throw 1 } }' }],
    'operations of OpenEthereum': ['trace_replayTransaction', first, ['vmTrace']],
    'the operations of a transfer': ['debug_traceTransaction', first, {}],
    'an unknown transaction': ['debug_traceTransaction', `0x${'11'.repeat(32)}`, {}],
    'a block by calls': ['debug_traceBlockByHash', blockHash, { tracer: 'callTracer' }],
    'a block by changes': [
      'debug_traceBlockByHash',
      blockHash,
      { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
    ],
    "a block of upstream's": ['debug_traceBlockByNumber', '0x3', { tracer: 'callTracer' }],
    "a swap of upstream's, by operations": ['debug_traceTransaction', liveSwap, {}],
    'a call with an access list': [
      'debug_traceCall',
      { ...call, accessList: [{ address: worker, storageKeys: [numberToHex(1, { size: 32 })] }] },
      'latest',
      { tracer: 'prestateTracer' },
    ],
    'a traced call in a block': ['debug_traceCall', call, { blockHash }, { tracer: 'callTracer', txIndex: '0x1' }],
    'a traced call with overrides': [
      'debug_traceCall',
      call,
      'latest',
      { tracer: 'callTracer', stateOverrides: { [worker]: { code: '0x60075f5260205ff3' } } },
    ],
    'a revert': ['debug_traceCall', { to: reverter, data: withReason }, 'latest', { tracer: 'callTracer' }],
    'a function override': ['debug_traceCall', { to: reverter, data: fake }, 'latest', { tracer: 'callTracer' }],
    'no funds': [
      'debug_traceCall',
      { from: hasher, to: worker, gas, gasPrice: '0xffffffffff', value: '0xffffffffffffffffffffff' },
      'latest',
      {},
    ],
    'an access list': ['eth_createAccessList', call],
    'calls of a transaction': ['trace_transaction', chained],
    'a replayed transaction': ['trace_replayTransaction', chained, ['trace', 'stateDiff']],
    'a replayed block': ['trace_replayBlockTransactions', 'latest', ['trace', 'stateDiff']],
    'the calls of a block': ['trace_block', 'latest'],
    'many calls': [
      'trace_callMany',
      [
        [call, ['trace']],
        [call, ['stateDiff']],
      ],
      'latest',
    ],
    'a traced call': ['trace_call', call, ['trace', 'stateDiff'], 'latest'],
    'a simulation': [
      'eth_simulateV1',
      {
        blockStateCalls: [
          { calls: [call, { ...call, to: counter }] },
          { calls: [call, { to: reverter, data: withReason }] },
        ],
      },
      'latest',
    ],
  }
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

describe('worker threads', () => {
  it('answer word for word as the main thread does', async () => {
    const alone = await answers()
    await network.restart({ workers: 1 })
    const withWorkers = await answers()
    for (const name of Object.keys(requests)) expect([name, withWorkers[name]]).toEqual([name, alone[name]])
    expect(runs()).toBeGreaterThan(10)
  }, 120_000)

  it('run tracers in JavaScript, without workers too', async () => {
    await network.restart({ workers: 0 })
    const traceWith = (body: string) =>
      network.rpc('debug_traceTransaction', failed, {
        tracer: 'muxTracer',
        tracerConfig: { [`{ fault() {}, result() { ${body} } }`]: {} },
      })
    await traceWith('return 1')
    let hasEnded = false
    const held = expect(traceWith('for (;;);').finally(() => (hasEnded = true))).rejects.toThrow('computed for more')
    for (let count = 0; count < 5; count++) await network.rpc('eth_chainId')
    expect(hasEnded).toBe(false)
    await held
    const { threads } = network.node.services.workers()
    expect(threads).toBe(1)
    // Nothing else runs there.
    const before = runs()
    await network.rpc('debug_traceTransaction', heavy, { tracer: 'callTracer' })
    await Promise.all(Array.from({ length: 64 }, () => callMixer(1)))
    expect(runs()).toBe(before)
  })

  it('are started where many calls compete', async () => {
    await network.restart({ workers: 1 })
    await network.rpc('dev_setCode', mixer, mixes)
    const threads = () => network.node.services.workers().threads
    const first = await callMixer(1)
    while (threads() === 0) {
      const answers = await Promise.all(Array.from({ length: 32 }, () => callMixer(1)))
      for (const answer of answers) expect(answer).toEqual(first)
    }
  }, 60_000)

  it('run calls beside the main thread, on the state that it has then', async () => {
    await network.restart({ workers: 1 })
    await network.rpc('dev_setCode', mixer, mixes)
    const thread = new Promise<Worker>((resolve) => process.once('worker', resolve))
    // Starts a thread, which many calls would do too.
    await network.rpc('debug_traceTransaction', heavy, { tracer: 'callTracer' })
    const mixed = (given: number, slot: number) => {
      let value: Hex = numberToHex(given + slot, { size: 32 })
      for (let count = 0; count < 300; count++) value = keccak256(value)
      return value
    }
    const expectMixed = async (slot: number) => {
      const given = Array.from({ length: 16 }, (_, index) => index)
      const expected = given.map((one) =>
        one === 0
          ? { error: expect.objectContaining({ code: 3, data: mixed(0, slot) }) }
          : { result: mixed(one, slot) },
      )
      expect(await Promise.all(given.map(callMixer))).toMatchObject(expected)
    }
    for (let round = 0; runs() < 200; round++) {
      const slot = round % 7
      await network.rpc('dev_setStorageAt', mixer, numberToHex(0, { size: 32 }), numberToHex(slot, { size: 32 }))
      const snapshot = await network.rpc('evm_snapshot')
      await expectMixed(slot)
      await network.rpc('dev_setStorageAt', mixer, numberToHex(0, { size: 32 }), numberToHex(9, { size: 32 }))
      await expectMixed(9)
      await network.rpc('evm_revert', snapshot)
      await expectMixed(slot)
    }
    await network.rpc('dev_setStorageAt', mixer, numberToHex(0, { size: 32 }), numberToHex(0, { size: 32 }))
    const asked = expectMixed(0)
    await (await thread).terminate()
    await asked
  }, 60_000)

  it('leave the main thread to others, and end what takes too long', async () => {
    await network.restart({ workers: 1, callTimeout: 1, callGasLimit: manyGas })
    const refusal = { message: expect.stringContaining('execution aborted (timeout = 1s)') }
    const endless = { to: hasher, gas: numberToHex(manyGas) }
    let ended = 0
    const refused = [
      network.rpc('debug_traceCall', endless, 'latest', { tracer: 'callTracer' }),
      network.rpc('eth_call', endless, 'latest'),
    ].map((answer) => expect(answer.finally(() => ended++)).rejects.toMatchObject({ details: refusal.message }))
    for (let count = 0; count < 5; count++) await network.rpc('eth_chainId')
    expect(ended).toBe(0)
    await Promise.all(refused)
    expect(runs()).toBeGreaterThanOrEqual(2)
  })

  it('that are killed are replaced, and their runs run again', async () => {
    const killed = new Promise<number>((resolve) => {
      process.once('worker', (thread) => thread.once('online', () => resolve(thread.terminate())))
    })
    await network.restart({ workers: 1, callTimeout: 60 })
    const trace = () => network.rpc('debug_traceTransaction', heavy, { tracer: 'callTracer' })
    const traced = trace()
    await killed
    expect(await traced).toEqual(await trace())
    expect(await traced).toMatchObject({ to: counter, type: 'CALL' })
  })

  it('that need too much memory end without the network', async () => {
    await network.restart({ workers: 1, workerMemory: 32 })
    await expect(network.rpc('debug_traceTransaction', failed, { enableMemory: true })).rejects.toMatchObject({
      details: expect.stringContaining('more memory than a worker thread has; the limit is 32 MB'),
    })
    expect(await network.rpc('debug_traceTransaction', failed, { limit: 1 })).toMatchObject({ failed: true })
  })

  it('that run when the network stops end with it', async () => {
    await network.restart({ workers: 1, callTimeout: 60, callGasLimit: manyGas })
    const { execution, history } = network.node.services
    const begun = new Promise((resolve) => {
      process.once('worker', (thread) => thread.once('online', resolve))
    })
    const at = await history.at('latest')
    const budget = createInternalBudget({ callTimeout: 60, requestKeys: 100 }, new AbortController().signal)
    const call = withBudget(budget, () => execution.call({ to: hasher, gas: manyGas }, at))
    const refused = expect(call).rejects.toMatchObject({ kind: 'REQUEST_CANCELLED' })
    await begun
    await network.restart()
    await refused
  })
})
