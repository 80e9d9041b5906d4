import { isDeepStrictEqual } from 'node:util'
import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV2,
  deployUniswapV3,
  type FaultProxy,
  startAnvil,
  startFaultProxy,
  type TestClient,
  type UniswapV2,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, keccak256, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Json = Record<string, unknown>
type StructLogs = { structLogs: Json[]; failed: boolean; returnValue: Hex }

const tracingMethods = [
  'debug_traceTransaction',
  'debug_traceBlockByHash',
  'debug_traceBlockByNumber',
  'trace_transaction',
  'trace_block',
  'trace_filter',
  'trace_replayBlockTransactions',
]

let anvil: Anvil
let live: TestClient
let proxy: FaultProxy
let uniswap: UniswapV2
let reverter: Address
let factory: Address
let network: TestNetwork
/** Transactions of upstream, by what is special about them. */
const sent: Record<string, Hex> = {}

beforeAll(async () => {
  anvil = await startAnvil({ args: ['--steps-tracing'] })
  live = await connectClient(anvil.url)
  uniswap = await deployUniswapV2(live)
  reverter = await deployContract(live, artifacts.Reverter)
  factory = await deployContract(live, artifacts.Factory)
  const call = (to: Address, data: Hex, value = 0n) => live.sendTransaction({ to, data, value, gas: 900_000n })
  const reverterCall = (functionName: 'attemptInside' | 'withAssert' | 'withInvalidOpcode' | 'withNothing') =>
    encodeFunctionData({ abi: artifacts.Reverter.abi, functionName })
  const withReason = encodeFunctionData({ abi: artifacts.Reverter.abi, functionName: 'withReason', args: ['no'] })
  const create = encodeFunctionData({ abi: artifacts.Factory.abi, functionName: 'create', args: [7n] })

  sent.swap = await uniswap.swap(10n ** 18n)
  const concentrated = await deployUniswapV3(live)
  sent['V3 swap'] = await concentrated.swap(10n ** 18n)
  sent.transfer = await live.sendTransaction({ to: reverterOwner(), value: parseEther('1') })
  sent['caught revert'] = await call(reverter, reverterCall('attemptInside'))
  sent.revert = await call(reverter, withReason)
  sent.panic = await call(reverter, reverterCall('withAssert'))
  sent['invalid opcode'] = await call(reverter, reverterCall('withInvalidOpcode'))
  sent['inner create'] = await call(factory, create, 5n)
  // Its code is the chain id.
  sent['chain id'] = await live.sendTransaction({ data: '0x4660005260206000f3', gas: 900_000n })
  // Several in one block: each runs on what the one before left.
  await anvil.rpc('evm_setAutomine', [false])
  const first = await call(factory, create)
  const second = await call(factory, create)
  await anvil.rpc('evm_mine')
  await anvil.rpc('evm_setAutomine', [true])
  sent['first of a block'] = first
  sent['second of a block'] = second

  proxy = await startFaultProxy(anvil.url)
  proxy.set({ missingMethods: tracingMethods })
  // With an id of its own: what upstream ran, it ran with upstream's.
  network = await startNetwork({ forkUrls: [proxy.url], chainId: 4_321n, callTimeout: 60 })
})
afterAll(async () => {
  await network?.stop()
  await proxy?.stop()
  await anvil?.stop()
})

const quantity = (value: bigint): Hex => `0x${value.toString(16)}`
const reverterOwner = () => live.account.address
const here = <T = Json>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)
const there = <T = Json>(method: string, ...params: unknown[]) => anvil.rpc<T>(method, params)

const names = [
  'swap',
  'V3 swap',
  'transfer',
  'caught revert',
  'revert',
  'panic',
  'invalid opcode',
  'inner create',
  'first of a block',
  'second of a block',
]

/** anvil takes the intrinsic gas off that of the outermost call, where go-ethereum and its vectors do not. */
const withoutOuterGas = ({ gas, ...trace }: Json) => trace
const without = (name: string, trace: unknown): Json =>
  JSON.parse(JSON.stringify(trace, (key, value) => (key === name ? undefined : value)))
/** anvil shows accounts that the transaction created as empty ones before it, which go-ethereum leaves out. */
const withoutEmptyAccounts = (state: Record<string, Json>) =>
  Object.fromEntries(
    Object.entries(state).filter(([, { balance, nonce, code }]) => balance !== '0x0' || nonce || code !== undefined),
  )

describe('transactions from before the fork, run again here', () => {
  it.each(names)('%s: callTracer shows what anvil shows', async (name) => {
    const config = { tracer: 'callTracer', tracerConfig: { withLog: true } }
    const ours = await here('debug_traceTransaction', sent[name], config)
    const theirs = await there('debug_traceTransaction', sent[name], config)
    const { gas, gasUsed } = await live.getTransaction({ hash: sent[name] as Hex }).then(async ({ gas }) => ({
      gas,
      gasUsed: (await live.getTransactionReceipt({ hash: sent[name] as Hex })).gasUsed,
    }))
    expect([ours.gas, ours.gasUsed]).toEqual([quantity(gas), quantity(gasUsed)])
    // anvil shows the gas of the whole block so far, and counts logs from the start of the transaction.
    theirs.gasUsed = ours.gasUsed
    expect(without('index', withoutOuterGas(ours))).toEqual(without('index', withoutOuterGas(theirs)))
  })
  it.each(names)('%s: trace_transaction shows what anvil shows', async (name) => {
    expect(await here('trace_transaction', sent[name])).toEqual(await there('trace_transaction', sent[name]))
  })
  it.each(names)('%s: prestateTracer shows what anvil shows', async (name) => {
    const traced = async (diffMode: boolean) => {
      const params = [sent[name], { tracer: 'prestateTracer', tracerConfig: { diffMode } }]
      const [ours, theirs] = await Promise.all([
        here('debug_traceTransaction', ...params),
        there<Record<string, Json>>('debug_traceTransaction', ...params),
      ])
      // anvil does not show the hashes of codes, which newer versions of go-ethereum do.
      return { ours: without('codeHash', ours), theirs }
    }
    const diff = await traced(true)
    expect(diff.ours).toEqual(diff.theirs)
    const whole = await traced(false)
    expect(whole.ours).toEqual(withoutEmptyAccounts(whole.theirs))
  })
  it.each(names)('%s: 4byteTracer shows what anvil shows', async (name) => {
    const config = { tracer: '4byteTracer' }
    expect(await here('debug_traceTransaction', sent[name], config)).toEqual(
      await there('debug_traceTransaction', sent[name], config),
    )
  })
  it.each(names)('%s: struct logs show what anvil shows', async (name) => {
    // viem takes ten megabytes, and the memory of a V3 swap is twenty.
    const config = { enableMemory: name !== 'V3 swap' }
    const ours = await here<StructLogs>('debug_traceTransaction', sent[name], config)
    const theirs = await there<StructLogs>('debug_traceTransaction', sent[name], config)
    // anvil has words of its own for errors, and counts refunds from the start of each call.
    const shown = theirs.structLogs.map((log, index) => {
      const { error, refund } = ours.structLogs[index] ?? {}
      return { ...log, refund, ...(log.error !== undefined && { error }) }
    })
    expect(ours.structLogs.length).toBe(shown.length)
    const different = ours.structLogs.findIndex((log, index) => !isDeepStrictEqual(log, shown[index]))
    expect(ours.structLogs[different]).toEqual(shown[different])
    expect([ours.failed, ours.returnValue]).toEqual([theirs.failed, theirs.returnValue])
  })
  it.each(names)('%s: the state diff is what anvil shows', async (name) => {
    const { blockNumber, transactionIndex } = await live.getTransactionReceipt({ hash: sent[name] as Hex })
    const block = `0x${blockNumber.toString(16)}`
    const ours = await here<Json[]>('trace_replayBlockTransactions', block, ['trace', 'stateDiff'])
    const theirs = await there<Json[]>('trace_replayBlockTransactions', block, ['trace', 'stateDiff'])
    expect(ours[transactionIndex]).toEqual(theirs[transactionIndex])
  })
})

describe('transactions of the network', () => {
  let counter: Address
  let incremented: Hex
  let block: Hex
  beforeAll(async () => {
    counter = await deployContract(network.client, artifacts.Counter, [7n])
    incremented = await network.client.writeContract({
      address: counter,
      abi: artifacts.Counter.abi,
      functionName: 'increment',
    })
    block = quantity(await network.client.getBlockNumber())
    // What happens later is not seen by it.
    await here('dev_setStorageAt', counter, '0', `0x${'0'.repeat(62)}63`)
  })
  const read = () => ({
    to: counter,
    data: encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'number' }),
  })
  const number = (value: number) => `0x${value.toString(16).padStart(64, '0')}`

  it('are traced on the state that they ran on', async () => {
    const { pre, post } = await here<{ pre: Record<string, Json>; post: Record<string, Json> }>(
      'debug_traceTransaction',
      incremented,
      { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
    )
    expect([pre[counter]?.storage, post[counter]?.storage]).toEqual([
      { [number(0)]: number(7) },
      { [number(0)]: number(8) },
    ])
    const { gasUsed } = await network.client.getTransactionReceipt({ hash: incremented })
    const struct = await here<StructLogs & { gas: number }>('debug_traceTransaction', incremented)
    expect(struct.gas).toBe(Number(gasUsed))
  })

  it('are traced with their block', async () => {
    const config = { tracer: 'callTracer' }
    const trace = await here('debug_traceTransaction', incremented, config)
    const { hash } = await network.client.getBlock({ blockNumber: BigInt(block) })
    expect(await here('debug_traceBlockByNumber', block, config)).toEqual([{ txHash: incremented, result: trace }])
    expect(await here('debug_traceBlockByHash', hash, config)).toEqual([{ txHash: incremented, result: trace }])
    expect(await here('trace_block', block)).toEqual(await here('trace_transaction', incremented))
    expect(await here('trace_get', incremented, [])).toMatchObject({ traceAddress: [] })
    expect(await here('trace_get', incremented, ['0x5'])).toBeNull()
    expect(await here('trace_replayBlockTransactions', block, ['trace'])).toMatchObject([
      { transactionHash: incremented, trace: [{ traceAddress: [] }], stateDiff: null, vmTrace: null },
    ])
    expect(await here('trace_replayTransaction', incremented, ['stateDiff'])).toMatchObject({
      stateDiff: { [counter]: { storage: { [number(0)]: { '*': { from: number(7), to: number(8) } } } } },
    })
  })

  it('are found by the addresses that take part', async () => {
    const range = { fromBlock: '0x1', toBlock: 'latest' }
    const found = await here<Json[]>('trace_filter', { ...range, toAddress: [counter] })
    expect(found.map(({ transactionHash, type }) => [transactionHash, type])).toEqual([
      [expect.any(String), 'create'],
      [incremented, 'call'],
    ])
    expect(await here('trace_filter', { ...range, toAddress: [counter], after: 1, count: 5 })).toEqual([found[1]])
    const both = { fromAddress: [counter], toAddress: [counter], mode: 'intersection' }
    expect(await here('trace_filter', { ...range, ...both })).toEqual([])
  })

  it('are found among those from before the fork too, by upstream where it can', async () => {
    const filter = { fromBlock: '0x1', toBlock: 'latest', toAddress: [counter, reverter.toLowerCase()] }
    const ours = await here<Json[]>('trace_filter', filter)
    const theirs = await there<Json[]>('trace_filter', { ...filter, toBlock: quantity(await live.getBlockNumber()) })
    const kinds = (traces: Json[]) => traces.map(({ transactionHash, traceAddress }) => [transactionHash, traceAddress])
    expect(kinds(ours).slice(0, -2)).toEqual(kinds(theirs))
    proxy.set({ missingMethods: [] })
    const other = await startNetwork({ forkUrls: [proxy.url] })
    expect(kinds(await other.rpc<Json[]>('trace_filter', filter))).toEqual(kinds(ours).slice(0, -2))
    // Nodes do not agree on what both lists together mean.
    for (const mode of ['union', 'intersection']) {
      const fromAddress = [reverterOwner().toLowerCase()]
      const both = {
        fromBlock: '0x1',
        toBlock: quantity(await live.getBlockNumber()),
        fromAddress,
        toAddress: [reverter.toLowerCase()],
        mode,
      }
      const replayed = kinds(await here<Json[]>('trace_filter', both))
      expect(replayed.length).toBeGreaterThan(0)
      expect(kinds(await other.rpc<Json[]>('trace_filter', both))).toEqual(replayed)
    }
    await other.stop()
    proxy.set({ missingMethods: tracingMethods })
  })

  it('are traced with several tracers at once', async () => {
    const tracerConfig = { callTracer: {}, '4byteTracer': null, flatCallTracer: {}, noopTracer: {} }
    const mux = await here('debug_traceTransaction', incremented, { tracer: 'muxTracer', tracerConfig })
    expect(mux).toMatchObject({ callTracer: { to: counter }, '4byteTracer': { '0xd09de08a-0': 1 }, noopTracer: {} })
    await expect(
      here('debug_traceTransaction', incremented, { tracer: 'muxTracer', tracerConfig: { nope: {} } }),
    ).rejects.toThrow('names an unknown tracer')
    await expect(here('debug_traceTransaction', incremented, { tracer: 'nope' })).rejects.toThrow('expected one of')
  })

  it('are traced with JavaScript', async () => {
    const tracer = `{ ops: {}, slots: [], fault() {},
      step(log, db) { const op = log.op.toString(); this.ops[op] = (this.ops[op] || 0) + 1
        if (op === 'SSTORE') this.slots.push(toHex(db.getState(log.contract.getAddress(), toWord(log.stack.peek(0).toString(16))))) },
      result(ctx, db) { return { ops: this.ops, slots: this.slots, hash: toHex(ctx.txHash), gasUsed: ctx.gasUsed,
        other: db.getBalance('0x00000000000000000000000000000000deadbeef').toString(), code: db.getCode('${reverter}').length } } }`
    const { gasUsed } = await network.client.getTransactionReceipt({ hash: incremented })
    const found = await here<{ ops: Record<string, number>; code: number }>('debug_traceTransaction', incremented, {
      tracer,
    })
    const { opcodeGas } = await here<{ opcodeGas: { opcode: string; count: number }[] }>(
      'trace_transactionOpcodeGas',
      incremented,
    )
    expect(found.ops).toEqual(Object.fromEntries(opcodeGas.map(({ opcode, count }) => [opcode, count])))
    // State that the transaction did not touch is loaded for the tracer.
    expect(found).toMatchObject({ slots: [number(7)], hash: incremented, gasUsed: Number(gasUsed), other: '0' })
    expect(found.code).toBe(((await live.getCode({ address: reverter }))?.length ?? 0) / 2 - 1)
    const ofBlock = await here<Json[]>('debug_traceBlockByNumber', block, { tracer })
    expect(ofBlock).toEqual([{ txHash: incremented, result: found }])
    const config = (code: string) => ({ tracer: code, timeout: '20s' })
    const bad = config('{ fault() {}, result() { return 1 }, step() { for (;;); } }')
    await expect(here('debug_traceTransaction', incremented, bad)).rejects.toThrow(
      "computed for more than 200 ms    in server-side tracer function 'step'",
    )
    await expect(here('debug_traceCall', read(), 'latest', config('{ result() {} }'))).rejects.toThrow(
      'function fault()',
    )
    const calls = config('{ n: 0, fault() {}, enter() { this.n++ }, exit() {}, result() { return this.n } }')
    expect(await here('debug_traceTransaction', sent['inner create'], calls)).toBe(1)
    expect(await network.client.getBlockNumber()).toBeGreaterThan(0n)
  })

  it('are not traced when there are none', async () => {
    await expect(here('debug_traceTransaction', number(1), {})).rejects.toThrow('transaction not found')
    await expect(here('debug_traceBlockByNumber', '0xffffff', {})).rejects.toThrow('does not exist')
    await expect(here('debug_traceBlockByNumber', '0x0', {})).rejects.toThrow('genesis is not traceable')
  })

  it('calls are traced with what they are told to see', async () => {
    const config = { tracer: 'callTracer' }
    const output = async (block: string, more: Json = {}) =>
      (await here('debug_traceCall', read(), block, { ...config, ...more })).output
    expect(await output('latest')).toBe(number(0x63))
    // What is written between two blocks belongs to the first.
    expect(await output(block)).toBe(number(0x63))
    expect(await output(block, { txIndex: '0x0' })).toBe(number(7))
    expect(await output(block, { stateOverrides: { [counter]: { stateDiff: { [number(0)]: number(5) } } } })).toBe(
      number(5),
    )
    const failing = {
      to: reverter,
      data: encodeFunctionData({ abi: artifacts.Reverter.abi, functionName: 'withNothing' }),
    }
    expect(await here('debug_traceCall', failing, 'latest', config)).toMatchObject({ error: 'execution reverted' })
    expect(await here('debug_traceCall', failing, 'latest', {})).toMatchObject({ failed: true })
    await expect(output(block, { txIndex: '0x7' })).rejects.toThrow('the block has 1 transactions')
  })

  it('calls of OpenEthereum build on each other', async () => {
    const increment = {
      from: live.account.address,
      to: counter,
      data: encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'increment' }),
    }
    const outputs = await here<Json[]>(
      'trace_callMany',
      [
        [increment, ['trace']],
        [read(), ['trace']],
      ],
      'latest',
    )
    expect(outputs[1]?.output).toBe(number(0x64))
    expect(await here('trace_call', read(), ['trace', 'stateDiff'])).toMatchObject({
      output: number(0x63),
      stateDiff: {},
    })
    type Vm = { vmTrace: { code: Hex; ops: { op: string; pc: number; cost: number; ex: Json; sub: unknown }[] } }
    const { vmTrace } = await here<Vm>('trace_call', read(), ['vmTrace'])
    expect(vmTrace.code).toBe(await network.client.getCode({ address: counter }))
    const { structLogs } = await here<StructLogs>('debug_traceCall', read(), 'latest')
    expect(vmTrace.ops.map(({ op, pc, cost }) => [op, pc, cost])).toEqual(
      structLogs.map(({ op, pc, gasCost }) => [op, pc, gasCost]),
    )
    expect(vmTrace.ops.find(({ op }) => op === 'SLOAD')?.ex).toMatchObject({ push: ['0x63'], store: null })
    const [one] = await here<Vm[]>('trace_callMany', [[increment, ['vmTrace']]], 'latest')
    expect(one?.vmTrace.ops.find(({ op }) => op === 'SSTORE')?.ex).toMatchObject({ store: { key: '0x0', val: '0x64' } })
    const [replayed] = await here<Vm[]>('trace_replayBlockTransactions', block, ['vmTrace'])
    expect(await here('trace_replayTransaction', incremented, ['vmTrace'])).toMatchObject({
      vmTrace: replayed?.vmTrace,
    })
    const raw = await network.client.signTransaction(
      await network.client.prepareTransactionRequest({ to: counter, data: increment.data }),
    )
    const unsent = await here<Vm>('trace_rawTransaction', raw, ['vmTrace'])
    expect(unsent.vmTrace.ops.find(({ op }) => op === 'SSTORE')?.ex).toMatchObject({ store: { val: '0x64' } })
  })

  it('show overridden functions as they answer', async () => {
    const override = await here<{ id: string }>('dev_addFunctionOverride', {
      contractAddress: counter,
      functionAbi: 'function number() view returns (uint256)',
      returnValues: ['1234'],
    })
    expect(await here('debug_traceCall', read(), 'latest', { tracer: 'callTracer' })).toMatchObject({
      output: number(1234),
    })
    await here('dev_removeFunctionOverride', override.id)
  })

  it('are given in their encodings', async () => {
    const { hash, size } = await network.client.getBlock({ blockNumber: BigInt(block) })
    const raw = await here<Hex>('debug_getRawBlock', block)
    expect(BigInt(raw.length / 2 - 1)).toBe(size)
    expect(keccak256(await here<Hex>('debug_getRawHeader', block))).toBe(hash)
    expect(keccak256(await here<Hex>('debug_getRawTransaction', incremented))).toBe(incremented)
    expect(await here('debug_getRawReceipts', block)).toEqual([expect.stringMatching(/^0x02f9/)])
    expect(await here('debug_getRawTransaction', number(1))).toBeNull()
    const upstreamBlock = await live.getBlock({ blockNumber: 5n })
    expect(keccak256(await here<Hex>('debug_getRawHeader', '0x5'))).toBe(upstreamBlock.hash)
  })

  it('are run again from the encoding of their block', async () => {
    const config = { tracer: 'callTracer' }
    const raw = await here<Hex>('debug_getRawBlock', block)
    expect(await here('debug_traceBlock', raw, config)).toEqual(await here('debug_traceBlockByNumber', block, config))
    // A block of another node, on a parent that is known: the same calls, with another coinbase.
    const { miner, parentHash } = await network.client.getBlock({ blockNumber: BigInt(block) })
    const other = raw.replace(miner.slice(2).toLowerCase(), '5e'.repeat(20))
    const calls = (traces: Json[]) => traces.map(({ result }) => result)
    expect(calls(await here<Json[]>('debug_traceBlock', other, config))).toEqual(
      calls(await here<Json[]>('debug_traceBlock', raw, config)),
    )
    const orphan = raw.replace(parentHash.slice(2), '5e'.repeat(32))
    await expect(here('debug_traceBlock', orphan, config)).rejects.toThrow('header not found')
    await expect(here('debug_traceBlock', '0xc0', config)).rejects.toThrow('is not the RLP of a block')
    expect(await here('debug_getRawTransactions', block)).toEqual([await here('debug_getRawTransaction', incremented)])
    const { hash } = await live.getBlock({ blockNumber: 5n })
    const [transaction = '0x'] = await here<Hex[]>('debug_getRawTransactions', hash)
    expect((await live.getBlock({ blockNumber: 5n })).transactions).toEqual([keccak256(transaction)])
  })

  it('say which accounts they changed, and how they left them', async () => {
    const { hash } = await network.client.getBlock({ blockNumber: BigInt(block) })
    const changed = await here<string[]>('debug_getModifiedAccountsByNumber', block)
    expect(changed).toEqual(expect.arrayContaining([counter, live.account.address.toLowerCase()]))
    expect(await here('debug_getModifiedAccountsByHash', hash)).toEqual(changed)
    const since = await here<string[]>(
      'debug_getModifiedAccountsByNumber',
      quantity(await live.getBlockNumber()),
      block,
    )
    expect(since).toEqual(expect.arrayContaining(changed))
    await expect(here('debug_getModifiedAccountsByNumber', '0x3')).rejects.toThrow('not supported')
    await expect(here('debug_getModifiedAccountsByNumber', block, block)).rejects.toThrow('is not after')
    const code = await network.client.getCode({ address: counter as Address })
    expect(await here('debug_codeByHash', keccak256(code ?? '0x'))).toBe(code)
    expect(await here('debug_codeByHash', number(1))).toBeNull()
    const sender = live.account.address
    const nonce = await network.client.getTransactionCount({ address: sender })
    expect(await here('debug_accountInfoAt', block, 0, sender)).toMatchObject({
      nonce: quantity(BigInt(nonce)),
      code: '0x',
    })
    expect(await here('debug_accountInfoAt', block, '0x1', sender)).toBeNull()
    const first = await live.getTransaction({ hash: sent['first of a block'] as Hex })
    const after = (index: number) => here('debug_accountInfoAt', first.blockHash, index, sender)
    expect([(await after(0)).nonce, (await after(1)).nonce]).toEqual(
      [first.nonce + 1, first.nonce + 2].map((value) => quantity(BigInt(value))),
    )
  })

  it('are counted by their operations', async () => {
    const found = await here<{ opcodeGas: { opcode: string; count: number; gasUsed: number }[] }>(
      'trace_transactionOpcodeGas',
      sent['inner create'],
    )
    const { structLogs } = await here<StructLogs>('debug_traceTransaction', sent['inner create'], {})
    const counted = found.opcodeGas.reduce((sum, { count }) => sum + count, 0)
    expect(counted).toBe(structLogs.length)
    const creation = found.opcodeGas.find(({ opcode }) => opcode === 'CREATE')
    // 32000, its memory, and 2 gas a word of the code (EIP-3860).
    expect(creation?.gasUsed).toBeGreaterThan(32_000)
    expect(creation?.gasUsed).toBeLessThan(33_000)
    // Intrinsic gas, and what the code of the contract costs, are not those of an operation.
    const { gasUsed } = await live.getTransactionReceipt({ hash: sent['inner create'] as Hex })
    expect(found.opcodeGas.reduce((sum, each) => sum + each.gasUsed, 0)).toBeLessThan(Number(gasUsed) - 21_000)
    const ofBlock = await here<{ transactions: Json[] }>('trace_blockOpcodeGas', block)
    expect(ofBlock.transactions).toEqual([await here('trace_transactionOpcodeGas', incremented)])
  })

  it('are refused beyond a limit of memory, while the network still works', async () => {
    // An endless loop: 100 million gas of operations.
    const loop = { to: counter, data: '0x' }
    const stateOverrides = { [counter]: { code: '0x5b600056' } }
    await expect(here('debug_traceCall', loop, 'latest', { stateOverrides })).rejects.toThrow('the trace is too large')
    expect(await here('debug_traceCall', loop, 'latest', { stateOverrides, limit: 3 })).toMatchObject({
      failed: true,
      structLogs: [{ op: 'JUMPDEST' }, { op: 'PUSH1' }, { op: 'JUMP' }],
    })
    expect(await network.client.getBlockNumber()).toBeGreaterThan(0n)
  })
})

describe('an upstream that can trace', () => {
  it('traces its own transactions', async () => {
    proxy.set({ missingMethods: [] })
    const tracing = await startNetwork({ forkUrls: [proxy.url] })
    proxy.resetStats()
    const config = { tracer: 'callTracer' }
    expect(await tracing.rpc('debug_traceTransaction', sent.swap, config)).toEqual(
      await there('debug_traceTransaction', sent.swap, config),
    )
    expect(proxy.stats().byMethod).toMatchObject({ debug_traceTransaction: 1 })
    await tracing.stop()
    proxy.set({ missingMethods: tracingMethods })
  })
})
