import type { BlockContext, Message, Engine as OneEngine, PausedRun, RunResult, StateView } from '@understudy/evm'
import type { MaybePromise } from '../shared/async/maybePromise.ts'
import { currentBudget } from '../shared/budget/requestBudget.ts'
import type { Clock } from '../shared/clock.ts'
import { type Engine, type EngineOptions, EnoughStepsError } from '../shared/engine.ts'
import { createLanes, type Lanes, type LongRun } from './lanes.ts'
import type { OtherThreads, WantedRun } from './otherThreads.ts'
import { createOutputs } from './outputs.ts'

/** How long a run may compute before the event loop and other requests get a turn. */
const sliceMs = 10
/** How long the first slice of a run is that other threads can take over. */
const firstSliceMs = 5

/** Internal work, such as sealing. It gets every other turn, and its own lane. */
const network = Symbol('network')

type Job = LongRun & {
  wanted: WantedRun
  signal: AbortSignal | undefined
  time: EngineOptions['time']
  /** When the current slice ends. */
  until: number
  start(engine: OneEngine): RunResult | PausedRun
  paused: PausedRun | undefined
  /** The run starts in a lane. */
  isLong: boolean
  resolve(result: RunResult): void
  reject(error: unknown): void
}

/** A job that is answered at once resolves no promise. */
const unsettled: Pick<Job, 'resolve' | 'reject'> = { resolve() {}, reject() {} }

/** The many long runs of a batch would spend its time on attempts. */
const mayAttempt = ({ lane, time, isLong }: Job) => lane !== undefined || (!isLong && (time?.mayAttempt ?? true))

/** Gives up a run on the main engine, to begin again in a lane. */
function giveUp(run: PausedRun, time: Job['time'], tookMs: number): void {
  run.abandon()
  time?.attempted(tookMs)
  time?.requireLeft()
}

const hasEnough = ({ wanted }: Job) => wanted.options.steps?.isEnough?.() === true

const mustPause = (job: Job) => performance.now() >= job.until || hasEnough(job)

/** Throws `EnoughStepsError` if the listener of a paused run has heard enough. */
function unlessEnough(job: Job, result: RunResult | PausedRun): RunResult | PausedRun {
  if (result.type !== 'paused' || !hasEnough(job)) return result
  job.paused = result
  throw new EnoughStepsError()
}

type Needs = {
  /**
   * The main engine: runs everything that fits into one slice, so that frequently read state stays loaded there. Without
   * it, every run is a long one.
   */
  main: OneEngine | undefined
  createLane: () => OneEngine
  threads?: OtherThreads | undefined
  clock: Clock
}

/**
 * Shares engines among clients. A run that takes longer than a slice restarts in a lane and continues there slice by
 * slice, in turns with other clients' runs. Between slices, the event loop runs.
 */
export class Turns implements Engine {
  readonly output: Engine['output']
  readonly #main: OneEngine | undefined
  readonly #threads: OtherThreads | undefined
  readonly #lanes: Lanes<Job>
  /** Messages that took longer than a slice: when state was missing they run again. */
  readonly #longMessages = new WeakSet<Message>()
  /** Calls that were run for their output alone, and took longer than a slice. */
  readonly #longCalls = new WeakSet<Message>()
  /** Runnable jobs by client; the first client has the next turn. */
  readonly #ready = new Map<Job['turn'], Job[]>()
  #spentMs = 0
  #planned = false
  #wasNetworks = false

  constructor({ main, createLane, threads, clock }: Needs) {
    this.#main = main
    this.#threads = threads
    this.#lanes = createLanes<Job>({
      createLane,
      elsewhere: threads?.lanes ?? 0,
      clock,
      begin: (job) => (job.site === 'elsewhere' ? void this.#runElsewhere(job) : this.#enqueue(job)),
    })
    this.output = createOutputs(main, {
      threads,
      attemptMs: threads ? firstSliceMs : sliceMs,
      isBusy: () => this.#planned || this.#ready.size > 0,
      onLong: (message) => this.#longCalls.add(message),
    })
  }

  run(message: Message, block: BlockContext, view: StateView, options: EngineOptions): MaybePromise<RunResult> {
    const budget = currentBudget()
    const { time, trace, ...runOptions } = options
    const turn = budget?.turn ?? network
    const wanted: WantedRun = { message, block, view, options, turn, signal: budget?.signal }
    const isElsewhere = turn !== network && (this.#threads?.takes(wanted) ?? false)
    const job: Job = {
      turn,
      site: turn === network ? 'network' : isElsewhere ? 'elsewhere' : 'here',
      wanted,
      signal: budget?.signal,
      time,
      until: 0,
      start: (engine) => engine.start(message, block, view, { ...runOptions, shouldPause: () => mustPause(job) }),
      lane: undefined,
      paused: undefined,
      // Steps that were already reported cannot be reported again, and a trace is made by the thread that runs.
      isLong:
        !this.#main ||
        options.onStep !== undefined ||
        this.#longCalls.has(message) ||
        (isElsewhere && (trace !== undefined || this.#longMessages.has(message))),
      ...unsettled,
    }
    if (!this.#planned && mayAttempt(job)) {
      const result = this.#slice(job)
      if (result) return result
      job.isLong = true
    }
    return new Promise((resolve, reject) => {
      job.resolve = resolve
      job.reject = reject
      if (mayAttempt(job)) this.#enqueue(job)
      else this.#wait(job)
    })
  }

  advance(...[from, to, diff]: Parameters<Engine['advance']>): void {
    for (const engine of [this.#main, ...this.#lanes.engines(), this.#threads]) engine?.advance(from, to, diff)
  }

  retreat(...[from, to, keys]: Parameters<Engine['retreat']>): void {
    for (const engine of [this.#main, ...this.#lanes.engines()]) engine?.retreat(from, to, keys)
  }

  stop(): void {
    this.#lanes.stop()
  }

  #plan(): void {
    if (this.#planned) return
    this.#planned = true
    setImmediate(() => {
      this.#planned = false
      this.#spentMs = 0
      while (this.#ready.size > 0 && this.#spentMs < sliceMs) this.#takeTurn()
      if (this.#ready.size > 0) this.#plan()
    })
  }

  #enqueue(job: Job): void {
    const jobs = this.#ready.get(job.turn)
    if (jobs) jobs.push(job)
    else this.#ready.set(job.turn, [job])
    this.#plan()
  }

  #takeTurn(): void {
    const [first] = this.#ready.keys()
    const turn = this.#ready.has(network) && !this.#wasNetworks ? network : first
    const jobs = turn !== undefined && this.#ready.get(turn)
    if (!jobs) return
    this.#wasNetworks = turn === network
    const job = jobs.shift()
    this.#ready.delete(turn)
    if (jobs.length > 0) this.#ready.set(turn, jobs)
    if (job) this.#settle(job)
  }

  /** Runs a slice, and resolves the job if it was the last one. */
  #settle(job: Job): void {
    try {
      const result = mayAttempt(job) ? this.#slice(job) : undefined
      if (result) job.resolve(result)
      else if (job.lane) this.#enqueue(job)
      else this.#wait(job)
    } catch (error) {
      job.reject(error)
    }
  }

  /** `undefined` if the run is not finished. */
  #slice(job: Job): RunResult | undefined {
    const { signal, time, lane } = job
    const startedAt = performance.now()
    let result: RunResult | PausedRun | undefined
    try {
      signal?.throwIfAborted()
      time?.requireLeft()
      const ms = lane || job.site !== 'elsewhere' ? sliceMs : firstSliceMs
      job.until = startedAt + Math.min(ms, time?.leftMs ?? ms)
      const engine = lane?.engine ?? this.#main
      if (!engine) throw new Error('There is no engine for this run')
      result = unlessEnough(job, job.paused ? job.paused.resume() : job.start(engine))
    } finally {
      const tookMs = performance.now() - startedAt
      this.#spentMs += tookMs
      time?.spend(tookMs)
      if (this.#spentMs >= sliceMs) this.#plan()
      if (result?.type !== 'paused') this.#leave(job)
    }
    if (result.type !== 'paused') return result
    if (lane) job.paused = result
    else giveUp(result, time, performance.now() - startedAt)
    return undefined
  }

  #wait(job: Job): void {
    job.isLong = true
    this.#longMessages.add(job.wanted.message)
    this.#lanes.wait(job)
  }

  async #runElsewhere(job: Job): Promise<void> {
    try {
      job.signal?.throwIfAborted()
      job.time?.requireLeft()
      const result = await this.#threads?.run(job.wanted)
      this.#leave(job)
      if (result) return job.resolve(result)
      job.lane = undefined
      job.site = 'here'
      this.#wait(job)
    } catch (error) {
      this.#leave(job)
      job.reject(error)
    }
  }

  /** Frees the resources of a finished run. */
  #leave(job: Job): void {
    job.paused?.abandon()
    this.#lanes.leave(job)
  }
}
