import {
  type BlockContext,
  type CoverageSink,
  encodeDone,
  type Missing,
  type Engine as OneEngine,
  type OverrideTable,
  type ReachedCode,
  type RunOptions,
  type RunResult,
  type StateDiff,
} from '@understudy/evm'
import { ComputingTime } from '../shared/budget/computingTime.ts'
import { createInternalBudget, withBudget } from '../shared/budget/requestBudget.ts'
import type { Engine, Output } from '../shared/engine.ts'
import { isNetworkError } from '../shared/errors.ts'
import { leastJsonBytes } from '../shared/json/leastJsonBytes.ts'
import { tracedRunOf } from '../traces/runs/tracedRun.ts'
import { type TraceRecipe, tracerOf } from '../traces/runs/traceRecipe.ts'
import type {
  CopiedReach,
  FromThread,
  Keys,
  NowRequest,
  OutputRequest,
  RunOutcome,
  RunRequest,
  Values,
} from './messages.ts'
import { receivedBlock, type SentBlock } from './sentBlock.ts'
import { KnownStates, ThreadView } from './threadView.ts'

/**
 * What is unknown is asked for together, with passes that are thrown away. Then it is asked for one by one: a run should
 * not begin again for each value that depends on another.
 */
const passLimit = 20
const passesMs = 20

/** State is missing that the main thread does not have in memory: it loads it, and sends the run again. */
class StateMissing extends Error {
  readonly missing: Missing

  constructor(missing: Missing) {
    super('State is missing')
    this.missing = missing
  }
}

/** The trace is larger than its answer may be. */
class TraceTooLong extends Error {
  readonly bytes: number

  constructor(bytes: number) {
    super('The trace is too long')
    this.bytes = bytes
  }
}

/** A run whose values could not be loaded: the main thread knows why. */
const cancelled = new Error('The run was cancelled')

type Needs = {
  engine: Engine
  createEngine(): OneEngine
  send(message: FromThread, transfer?: readonly ArrayBuffer[]): void
  askNow(request: NowRequest): Values
}

const cannotWait = () => Promise.reject(new Error('A call of which only the output is wanted cannot wait'))

type Running = { abort: AbortController; receive: ((values: Values | undefined) => void) | undefined }

/** The runs of a thread. */
export class ThreadRuns {
  readonly #needs: Needs
  readonly #states = new KnownStates()
  readonly #running = new Map<number, Running>()
  #overrides: OverrideTable | undefined
  /** The engine of calls of which only the output is wanted, and the block that they run in. */
  #outputs: OneEngine | undefined
  #block: BlockContext | undefined

  constructor(needs: Needs) {
    this.#needs = needs
  }

  begin(request: RunRequest): void {
    void this.#run(request)
  }

  cancel(id: number): void {
    this.#running.get(id)?.abort.abort(cancelled)
  }

  receive(id: number, values: Values | undefined): void {
    this.#running.get(id)?.receive?.(values)
  }

  /** For runs that begin from now on. */
  setOverrides(overrides: OverrideTable | undefined): void {
    this.#overrides = overrides
  }

  setBlock(block: SentBlock): void {
    this.#block = receivedBlock(block)
  }

  /** What a call returns; `undefined` when it fails, takes longer than it may, or needs what the network has not in memory. */
  output({ id, view: number, message, hasOverrides, ms }: OutputRequest): Output {
    if (!this.#block) return undefined
    this.#outputs ??= this.#needs.createEngine()
    const now = (keys: Keys) => this.#needs.askNow({ id, keys })
    const view = new ThreadView(this.#states, number, { now, need: cannotWait, load: cannotWait })
    view.asksNow = true
    const overrides = hasOverrides ? this.#overrides : undefined
    const until = performance.now() + ms
    const shouldPause = () => performance.now() >= until
    try {
      return this.#outputs.output(message, this.#block, view, { overrides, shouldPause })
    } catch {
      return undefined
    }
  }

  advance(from: number, to: number, diff: StateDiff): void {
    const identity = this.#states.identity(from)
    if (!identity) return
    const next = this.#states.at(to).identity
    this.#needs.engine.advance(identity, next, diff)
    this.#outputs?.advance(identity, next, diff)
  }

  async #run(request: RunRequest): Promise<void> {
    const { id, turn, leftMs } = request
    const abort = new AbortController()
    const running: Running = { abort, receive: undefined }
    this.#running.set(id, running)
    const time = new ComputingTime(leftMs)
    const budget = createInternalBudget({ callTimeout: leftMs / 1000, requestKeys: 0 }, abort.signal, `${turn}`)
    let outcome: RunOutcome
    try {
      outcome = await withBudget(budget, () => this.#end(request, time, running))
    } catch (error) {
      outcome = outcomeOf(error)
    }
    this.#running.delete(id)
    const { type } = outcome
    const transfer =
      type === 'done' ? [outcome.done.bytes, outcome.trace?.json].flatMap((bytes) => bytes?.buffer ?? []) : []
    this.#needs.send({ type: 'ended', id, spentMs: leftMs - time.leftMs, outcome }, transfer as ArrayBuffer[])
  }

  /** Runs a message, and makes the trace of it that is wanted. */
  async #end(request: RunRequest, time: ComputingTime, running: Running): Promise<RunOutcome> {
    const { message, trace } = request
    const block = receivedBlock(request.block)
    const coverage = request.coverage === undefined ? undefined : new Reach(request.coverage)
    const options = { ...request.options, coverage }
    const view = this.#viewOf(request, running)
    view.keep(request.values)
    const overrides = request.hasOverrides ? this.#overrides : undefined
    const run = async (more: Pick<RunOptions, 'onStep' | 'steps'> = {}): Promise<RunResult> => {
      for (let pass = 0; ; pass++) {
        view.asksNow ||= pass >= passLimit || request.leftMs - time.leftMs > passesMs
        view.begin()
        const result = await this.#needs.engine.run(message, block, view, { ...options, ...more, overrides, time })
        if (result.type !== 'missing' || view.asksNow || !(await view.fill(result))) return result
      }
    }
    const result = await run()
    if (result.type !== 'done') return result
    const reached = coverage?.reached ?? []
    if (!trace) return { type: 'done', done: encodeDone(result), trace: undefined, reached }
    view.asksNow = true
    const budget = { bytes: trace.budgetBytes }
    const traced = tracedRunOf(
      { message, block, view, transactionPosition: trace.transactionPosition, time },
      result,
      async (steps) => {
        const again = await run(steps)
        if (again.type === 'missing') throw new StateMissing(again)
      },
    )
    const value = await tracerOf(trace.recipe as TraceRecipe, budget)(traced)
    const json = jsonOf(value, trace.answerBytes)
    return { type: 'done', done: encodeDone(result), trace: { json, budgetBytes: budget.bytes }, reached }
  }

  #viewOf({ id, view }: RunRequest, running: Running): ThreadView {
    const ask = (type: 'need' | 'load', keys: Keys) =>
      new Promise<Values>((resolve, reject) => {
        running.receive = (values) => {
          running.receive = undefined
          if (values) resolve(values)
          else reject(cancelled)
        }
        this.#needs.send({ type, id, keys: keysOf(keys) })
      })
    return new ThreadView(this.#states, view, {
      now: (keys) => this.#needs.askNow({ id, keys }),
      need: (keys) => ask('need', keys),
      load: (keys) => ask('load', keys),
    })
  }
}

/** Keeps what a run reaches for the main thread. */
class Reach implements CoverageSink {
  readonly session: number
  readonly reached: { session: number; reached: CopiedReach }[] = []

  constructor(session: number) {
    this.session = session
  }

  add(session: number, { code, ...rest }: ReachedCode): void {
    this.reached.push({ session, reached: { ...rest, code: code() } })
  }
}

const keysOf = ({ accounts, codes, slots, blockHashes, calls }: Keys): Keys => ({
  ...{ accounts, codes, slots, blockHashes, calls },
})

/** The JSON of a trace in UTF-8. */
function jsonOf(value: unknown, limit: number): Uint8Array {
  const least = leastJsonBytes(value, limit + 1)
  if (least > limit) throw new TraceTooLong(least)
  try {
    return new TextEncoder().encode(JSON.stringify(value) ?? 'null')
  } catch (error) {
    // Escapes can make a string longer than JavaScript's maximum.
    if (error instanceof RangeError) throw new TraceTooLong(limit + 1)
    throw error
  }
}

function outcomeOf(error: unknown): RunOutcome {
  if (error === cancelled) return { type: 'cancelled' }
  if (error instanceof StateMissing) return error.missing
  if (error instanceof TraceTooLong) return { type: 'tooLarge', bytes: error.bytes }
  if (isNetworkError(error, 'EXECUTION_TOO_LONG')) return { type: 'timeout' }
  if (isNetworkError(error)) return { type: 'refused', kind: error.kind, details: error.details, data: error.data }
  return { type: 'failed', error }
}
