import { type Address, type Hex, structLogBytes, type TracedRun, type Word } from '@understudy/evm'
import type { BlockReplay } from '../chain/history/blockReplay.ts'
import type { History } from '../chain/history/history.ts'
import {
  type AskOptional,
  type AskUpstream,
  createAskOptional,
  type FromUpstream,
  type Local,
} from '../chain/origins.ts'
import { decodeRawBlock } from '../ethereum/rawBlock.ts'
import type { CallOverrides, CallRequest, Execution, ExecutionPoint } from '../execution/execution.ts'
import { settle } from '../shared/async/maybePromise.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import { currentTime } from '../shared/budget/requestBudget.ts'
import type { Engine } from '../shared/engine.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import { bytesFromHex } from '../shared/hex.ts'
import { JsonText } from '../shared/json/jsonText.ts'
import type { BlockTag } from '../state/blockTag.ts'
import type { Overlay } from '../state/overlay.ts'
import { type LoadingView, loadAccount, loadCode } from '../state/view.ts'
import { type AccessListResult, createAccessList } from './accessList.ts'
import { createPlainRuns, type PlainRuns } from './comparison/plainRuns.ts'
import { requireTransaction, runBefore, runBlock, runTransaction, type TransactionRun } from './runs/runBlock.ts'
import { type Runnable, type RunTime, runTraced, type Tracing, traceRun } from './runs/runTraced.ts'
import { type TraceConfig, type TraceRecipe, tracerOf } from './runs/traceRecipe.ts'
import { askBlockTraces } from './upstreamBlockTraces.ts'

export type { TraceConfig } from './runs/traceRecipe.ts'

/** Where a traced call runs: after the block, or in it before the transaction `transactionIndex`. */
export type TracedCallPoint = { block: BlockTag; transactionIndex?: bigint }

export type AccountState = { balance: bigint; nonce: bigint; code: Uint8Array }

export type TransactionTrace = { txHash: Word; result: unknown }

/**
 * Replays for tracing. Local transactions use the function overrides of their block, and calls the current ones;
 * upstream's transactions use none.
 */
export type Traces = {
  traceTransaction(hash: Word, config: TraceConfig): Promise<unknown>
  traceBlock(tag: BlockTag, config: TraceConfig): Promise<TransactionTrace[] | JsonText>
  /** Traces an encoded block, on the state of its parent. Throws `INVALID_PARAMS` if it cannot be decoded. */
  traceRawBlock(encoded: Hex, config: TraceConfig): Promise<TransactionTrace[] | JsonText>
  traceCall(
    request: CallRequest,
    point: TracedCallPoint,
    overrides: CallOverrides,
    config: TraceConfig,
  ): Promise<unknown>
  /** Runs a request after a block. A failed call is part of the result. */
  runCall(request: CallRequest, point: TracedCallPoint, overrides?: CallOverrides): Promise<TracedRun>
  runCallAt(request: CallRequest, at: ExecutionPoint, overrides?: CallOverrides): Promise<TracedRun>
  runMessage(runnable: Omit<Runnable, 'time'>): Promise<TracedRun>
  /** Throws `TRANSACTION_NOT_FOUND` if there is no such sealed transaction. */
  runTransaction(hash: Word): Promise<TracedRun>
  /** A transaction, or a request after a block. */
  runSubject(subject: Word | CallRequest, block: BlockTag): Promise<TracedRun>
  /** The same, to be replayed by later requests, each in its own computing time. */
  runRepeatable(subject: Word | CallRequest, block: BlockTag): Promise<TracedRun>
  /** Either without function overrides, also on the state of the live chain. */
  runPlain: PlainRuns
  /** What a recipe makes of a run: a value, or its JSON if another thread made it. */
  makeOfTransaction(hash: Word, recipe: TraceRecipe): Promise<unknown>
  makeOfCall(request: CallRequest, point: TracedCallPoint, recipe: TraceRecipe): Promise<unknown>
  /** Finish with a run before requesting the next. */
  runBlock(tag: BlockTag): AsyncGenerator<TransactionRun>
  /** A block and the state before one of its transactions. Throws `INVALID_PARAMS` for `field` if it has fewer. */
  pointWithin(tag: BlockTag, transactionIndex: bigint, field: string): Promise<ExecutionPoint>
  /** An account after a transaction of a block; `undefined` if there is no such transaction. */
  loadAccountAfter(address: Address, tag: BlockTag, transactionIndex: bigint): Promise<AccountState | undefined>
  /**
   * The state before a transaction of a block, and a run of the transaction: `undefined` for the first point of a block
   * without transactions. Throws `INVALID_PARAMS` if there is no such transaction.
   */
  runBefore(tag: BlockTag, transactionIndex: bigint): Promise<{ view: Overlay; run: TracedRun | undefined }>
  /** Whether a transaction is local. Throws `TRANSACTION_NOT_FOUND` if it is not sealed. */
  isOwn(hash: Word): Promise<boolean>
  /** The access list that a call needs, and the gas that it uses with it. */
  createAccessList(request: CallRequest, block: BlockTag, overrides?: CallOverrides): Promise<AccessListResult>
  /** Calls upstream methods that only some nodes support. */
  ask: AskOptional
}

/** In the code of other nodes. */
function asUnknownHeader(error: unknown): never {
  if (!isNetworkError(error, 'BLOCK_NOT_FOUND')) throw error
  throw new NetworkError('HEADER_NOT_FOUND', { block: error.details.block }, { cause: error })
}

type Needs = {
  history: Pick<History, 'at' | 'loadBlock' | 'loadReplay' | 'replayDecoded' | 'loadTransaction' | 'resolve'>
  execution: Pick<Execution, 'prepare'>
  /** An engine with the current function overrides. */
  overridingEngine: Engine
  /** An engine with the overrides as of the change `seq`. */
  engineAt(seq: number): Promise<Engine>
  engine: Engine
  upstream: AskUpstream | undefined
  /** The state of the live chain at a block; `undefined` if nothing is forked. */
  liveAt: ((block: History['origin']) => LoadingView) | undefined
}

type RunNeeds = Pick<Needs, 'history' | 'execution' | 'overridingEngine' | 'engine' | 'engineAt'>

/** Runs transactions and calls again. */
class Runs {
  readonly #limitMs: number
  readonly #needs: RunNeeds

  /** `limitMs`: maximum computing time of a request. */
  constructor(limitMs: number, needs: RunNeeds) {
    this.#limitMs = limitMs
    this.#needs = needs
  }

  timeFor({ timeout }: TraceConfig): ComputingTime {
    const time = currentTime(this.#limitMs)
    return timeout === undefined ? time : time.atMost(timeout)
  }

  async engineFor({ seq }: BlockReplay): Promise<Engine> {
    return seq === undefined ? this.#needs.engine : this.#needs.engineAt(seq)
  }

  /** Throws `TRANSACTION_NOT_FOUND`. */
  async requireSealed(hash: Word) {
    const found = await this.#needs.history.loadTransaction(hash)
    const blockHash = found && blockHashOf(found)
    if (!found || !blockHash) throw new NetworkError('TRANSACTION_NOT_FOUND', { hash })
    return { isOwn: found.origin === 'local', blockHash }
  }

  async *runBlock(tag: BlockTag): AsyncGenerator<TransactionRun> {
    yield* this.runWhole(await this.#needs.history.loadReplay(tag), this.timeFor({}))
  }

  /** Transactions of a type unknown here are left out of a trace of their block. */
  async *runWhole(replay: BlockReplay, time: ComputingTime, tracing?: Tracing): AsyncGenerator<TransactionRun> {
    yield* runBlock(await this.engineFor(replay), replay, time, { isPassed: () => true, tracingOf: () => tracing })
  }

  async runOf(
    hash: Word,
    blockHash: Word,
    time: RunTime = this.timeFor({}),
    tracing?: Tracing,
  ): Promise<TransactionRun> {
    const replay = await this.#needs.history.loadReplay({ hash: blockHash })
    return runTransaction(await this.engineFor(replay), replay, hash, time, tracing)
  }

  async prepareCall(
    request: CallRequest,
    { block, transactionIndex }: TracedCallPoint,
    overrides: CallOverrides | undefined,
    time: RunTime,
  ): Promise<Runnable> {
    const at =
      transactionIndex === undefined
        ? await this.#needs.history.at(block)
        : await this.pointWithin(block, transactionIndex, time)
    return this.prepareCallAt(request, at, overrides, time)
  }

  async prepareCallAt(
    request: CallRequest,
    at: ExecutionPoint,
    overrides: CallOverrides | undefined,
    time: RunTime,
  ): Promise<Runnable> {
    const { message, point } = await this.#needs.execution.prepare(request, at, overrides)
    return { message, ...point, kind: 'call', time }
  }

  async runCall(
    request: CallRequest,
    point: TracedCallPoint,
    overrides?: CallOverrides,
    time: RunTime = this.timeFor({}),
  ): Promise<TracedRun> {
    return runTraced(this.#needs.overridingEngine, await this.prepareCall(request, point, overrides, time))
  }

  async pointWithin(tag: BlockTag, transactionIndex: bigint, time: RunTime = this.timeFor({}), field = 'txIndex') {
    const replay = await this.#needs.history.loadReplay(tag)
    requireTransaction(replay, transactionIndex, field)
    return this.pointAfter(replay, Number(transactionIndex), time)
  }

  /** The state after the first `count` transactions of a block: replaying them produces it. */
  async pointAfter(replay: BlockReplay, count: number, time: RunTime) {
    const runs = runBlock(await this.engineFor(replay), replay, time, { count })
    while (!(await runs.next()).done);
    return { block: replay.block, view: replay.state }
  }

  async runSealed(hash: Word, time?: RunTime): Promise<TracedRun> {
    return (await this.runOf(hash, (await this.requireSealed(hash)).blockHash, time)).run
  }

  runEither(subject: Word | CallRequest, block: BlockTag, time?: RunTime): Promise<TracedRun> {
    return typeof subject === 'string'
      ? this.runSealed(subject, time)
      : this.runCall(subject, { block }, undefined, time)
  }
}

/** `callTimeout`: maximum computing time of a request, in seconds. */
export function createTraces(
  { callTimeout }: { callTimeout: number },
  { history, execution, overridingEngine, engineAt, engine, upstream, liveAt }: Needs,
): Traces {
  const runs = new Runs(callTimeout * 1000, { history, execution, overridingEngine, engine, engineAt })
  const ask = createAskOptional(upstream)

  async function traceReplay(replay: BlockReplay, config: TraceConfig): Promise<TransactionTrace[] | JsonText> {
    return tracesOf(runs.runWhole(replay, runs.timeFor(config), debugTracing(config)))
  }

  return {
    ask,
    async traceTransaction(hash, config) {
      const tracing = debugTracing(config)
      const { isOwn, blockHash } = await runs.requireSealed(hash)
      const here = async () => (await runs.runOf(hash, blockHash, runs.timeFor(config), tracing)).trace
      const there = (asked: object) => ask('debug_traceTransaction', [hash, asked], { hasFallback: true })
      return isOwn ? here() : preferUpstream(config, there, here)
    },
    async traceBlock(tag, config) {
      debugTracing(config)
      const { origin, number, hash } = await settle(
        () => history.resolve(tag),
        (block) => block,
        asUnknownHeader,
      )
      // Some nodes answer with an empty list.
      if (number === 0n) throw new NetworkError('GENESIS_NOT_TRACEABLE', {})
      const here = async () => traceReplay(await history.loadReplay({ hash }), config)
      const there = (asked: object) => askBlockTraces({ number, hash }, asked, { history, ask })
      return origin === 'local' ? here() : preferUpstream(config, there, here)
    },
    async traceRawBlock(encoded, config) {
      const block = decodeRawBlock(bytesFromHex(encoded))
      if (!block) throw new NetworkError('INVALID_PARAMS', { field: 'params[0]', problem: 'is not the RLP of a block' })
      return traceReplay(await history.replayDecoded(block).catch(asUnknownHeader), config)
    },
    async traceCall(request, point, overrides, config) {
      const tracing = debugTracing(config)
      const runnable = await runs.prepareCall(request, point, overrides, runs.timeFor(config))
      return (await traceRun(overridingEngine, runnable, tracing)).trace
    },
    runCall: (request, point, overrides) => runs.runCall(request, point, overrides),
    runCallAt: async (request, at, overrides) =>
      runTraced(overridingEngine, await runs.prepareCallAt(request, at, overrides, runs.timeFor({}))),
    runMessage: (runnable) => runTraced(overridingEngine, { ...runnable, time: runs.timeFor({}) }),
    createAccessList(request, block, overrides) {
      const time = runs.timeFor({})
      return createAccessList((listed) => runs.runCall(listed, { block }, overrides, time), request)
    },
    async loadAccountAfter(address, tag, transactionIndex) {
      const replay = await history.loadReplay(tag)
      if (transactionIndex >= BigInt(replay.transactions.length)) return undefined
      const { view } = await runs.pointAfter(replay, Number(transactionIndex) + 1, runs.timeFor({}))
      const { balance, nonce } = await loadAccount(view, address)
      return { balance, nonce, code: await loadCode(view, address) }
    },
    runBefore: async (tag, index) =>
      runBefore(await history.loadReplay(tag), index, runs.timeFor({}), (replay) => runs.engineFor(replay)),
    runBlock: (tag) => runs.runBlock(tag),
    pointWithin: (tag, index, field) => runs.pointWithin(tag, index, undefined, field),
    runTransaction: (hash) => runs.runSealed(hash),
    runPlain: createPlainRuns({
      history,
      execution,
      engine,
      liveAt,
      requireBlock: async (hash) => (await runs.requireSealed(hash)).blockHash,
      pointAfter: (replay, count, time) => runs.pointAfter(replay, count, time),
      newTime: () => runs.timeFor({}),
    }),
    runSubject: (subject, block) => runs.runEither(subject, block),
    runRepeatable: (subject, block) => runs.runEither(subject, block, () => runs.timeFor({})),
    makeOfTransaction: async (hash, recipe) =>
      (await runs.runOf(hash, (await runs.requireSealed(hash)).blockHash, runs.timeFor({}), tracingOf(recipe))).trace,
    async makeOfCall(request, point, recipe) {
      const runnable = await runs.prepareCall(request, point, undefined, runs.timeFor({}))
      return (await traceRun(overridingEngine, runnable, tracingOf(recipe))).trace
    },
    isOwn: async (hash) => (await runs.requireSealed(hash)).isOwn,
  }
}

/**
 * Upstream traces its own blocks, which are historical. Struct logs are traced here, because some nodes return them
 * empty.
 */
async function preferUpstream<T>(
  config: TraceConfig,
  askThere: (config: object) => Promise<unknown>,
  here: () => Promise<T>,
): Promise<T> {
  const timeout = config.timeout === undefined ? undefined : `${config.timeout}ms`
  const there = async () => (await askThere({ ...config, timeout })) as T | undefined
  if (config.tracer !== undefined) return (await there()) ?? here()
  try {
    return await here()
  } catch (error) {
    if (isNetworkError(error, 'LIMIT_EXCEEDED') || isNetworkError(error, 'EXECUTION_TOO_LONG')) throw error
    const traced = await there()
    if (traced === undefined) throw error
    return traced
  }
}

/** `undefined` while it is pending. */
function blockHashOf(found: Local<{ block: { hash: Word | undefined } | undefined }> | FromUpstream): Word | undefined {
  if (found.origin === 'local') return found.value.block?.hash
  return typeof found.value.blockHash === 'string' ? (found.value.blockHash as Word) : undefined
}

/** The trace that a configuration asks for. Throws if it is not one. */
function debugTracing(config: TraceConfig): Tracing {
  const tracing = tracingOf({ type: 'debug', config })
  tracerOf(tracing.recipe, tracing.budget)
  return tracing
}

const tracingOf = (recipe: TraceRecipe): Tracing => ({ recipe, budget: { bytes: structLogBytes } })

/** The traces of a block. Those that another thread has made are joined as they are. */
async function tracesOf(runs: AsyncGenerator<TransactionRun>): Promise<TransactionTrace[] | JsonText> {
  const traces: TransactionTrace[] = []
  for await (const { hash: txHash, trace } of runs) traces.push({ txHash, result: trace })
  if (!traces.some(({ result }) => result instanceof JsonText)) return traces
  return JsonText.list(
    traces.map(({ txHash, result }) => {
      const text = result instanceof JsonText ? result.bytes : Buffer.from(JSON.stringify(result))
      return Buffer.concat([Buffer.from(`{"txHash":"${txHash}","result":`), text, Buffer.from('}')])
    }),
  )
}
