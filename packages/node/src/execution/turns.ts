import type { BlockContext, Message, Engine as OneEngine, PausedRun, RunResult, StateView } from '@understudy/evm'
import { currentBudget } from '../shared/budget/requestBudget.ts'
import type { Clock } from '../shared/clock.ts'
import { type Engine, type EngineOptions, EnoughStepsError } from '../shared/engine.ts'
import { createLanes, type LongRun } from './lanes.ts'
import { createNowRuns, sliceMs } from './nowRuns.ts'
import type { OtherThreads, WantedRun } from './otherThreads.ts'

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
export function createTurns({ main, createLane, threads, clock }: Needs): Engine & { stop(): void } {
  const lanes = createLanes<Job>({
    createLane,
    elsewhere: threads?.lanes ?? 0,
    clock,
    begin: (job) => (job.place === 'elsewhere' ? void runElsewhere(job) : enqueue(job)),
  })
  /** Messages that took longer than a slice: when state was missing they run again. */
  const longMessages = new WeakSet<Message>()
  /** Runnable jobs by client; the first client has the next turn. */
  const ready = new Map<Job['turn'], Job[]>()
  let spentMs = 0
  let planned = false
  let wasNetworks = false
  function plan(): void {
    if (planned) return
    planned = true
    setImmediate(() => {
      planned = false
      spentMs = 0
      while (ready.size > 0 && spentMs < sliceMs) takeTurn()
      if (ready.size > 0) plan()
    })
  }

  function enqueue(job: Job): void {
    const jobs = ready.get(job.turn)
    if (jobs) jobs.push(job)
    else ready.set(job.turn, [job])
    plan()
  }

  function takeTurn(): void {
    const [first] = ready.keys()
    const turn = ready.has(network) && !wasNetworks ? network : first
    const jobs = turn !== undefined && ready.get(turn)
    if (!jobs) return
    wasNetworks = turn === network
    const job = jobs.shift()
    ready.delete(turn)
    if (jobs.length > 0) ready.set(turn, jobs)
    if (job) settle(job)
  }

  /** Runs a slice, and resolves the job if it was the last one. */
  function settle(job: Job): void {
    try {
      const result = mayAttempt(job) ? slice(job) : undefined
      if (result) job.resolve(result)
      else if (job.lane) enqueue(job)
      else wait(job)
    } catch (error) {
      job.reject(error)
    }
  }

  /** `undefined` if the run is not finished. */
  function slice(job: Job): RunResult | undefined {
    const { signal, time, lane } = job
    const startedAt = performance.now()
    let result: RunResult | PausedRun | undefined
    try {
      signal?.throwIfAborted()
      time?.requireLeft()
      const ms = lane || job.place !== 'elsewhere' ? sliceMs : firstSliceMs
      job.until = startedAt + Math.min(ms, time?.leftMs ?? ms)
      const engine = lane?.engine ?? main
      if (!engine) throw new Error('There is no engine for this run')
      result = unlessEnough(job, job.paused ? job.paused.resume() : job.start(engine))
    } finally {
      const tookMs = performance.now() - startedAt
      spentMs += tookMs
      time?.spend(tookMs)
      if (spentMs >= sliceMs) plan()
      if (result?.type !== 'paused') leave(job)
    }
    if (result.type !== 'paused') return result
    if (lane) job.paused = result
    else giveUp(result, time, performance.now() - startedAt)
    return undefined
  }

  function wait(job: Job): void {
    job.isLong = true
    longMessages.add(job.wanted.message)
    lanes.wait(job)
  }

  async function runElsewhere(job: Job): Promise<void> {
    try {
      job.signal?.throwIfAborted()
      job.time?.requireLeft()
      const result = await threads?.run(job.wanted)
      leave(job)
      if (result) return job.resolve(result)
      job.lane = undefined
      job.place = 'here'
      wait(job)
    } catch (error) {
      leave(job)
      job.reject(error)
    }
  }

  /** Frees the resources of a finished run. */
  function leave(job: Job): void {
    job.paused?.abandon()
    lanes.leave(job)
  }

  function run(
    message: Message,
    block: BlockContext,
    view: StateView,
    options: EngineOptions,
  ): RunResult | Promise<RunResult> {
    const budget = currentBudget()
    const { time, trace, ...runOptions } = options
    const turn = budget?.turn ?? network
    const wanted: WantedRun = { message, block, view, options, turn, signal: budget?.signal }
    const isElsewhere = turn !== network && (threads?.takes(wanted) ?? false)
    const job: Job = {
      turn,
      place: turn === network ? 'network' : isElsewhere ? 'elsewhere' : 'here',
      wanted,
      signal: budget?.signal,
      time,
      until: 0,
      start: (engine) => engine.start(message, block, view, { ...runOptions, shouldPause: () => mustPause(job) }),
      lane: undefined,
      paused: undefined,
      // Steps that were already reported cannot be reported again, and a trace is made by the thread that runs.
      isLong:
        !main || options.onStep !== undefined || (isElsewhere && (trace !== undefined || longMessages.has(message))),
      ...unsettled,
    }
    if (!planned && mayAttempt(job)) {
      const result = slice(job)
      if (result) return result
      job.isLong = true
    }
    return new Promise((resolve, reject) => {
      job.resolve = resolve
      job.reject = reject
      if (mayAttempt(job)) enqueue(job)
      else wait(job)
    })
  }

  return {
    run,
    ...createNowRuns(main, {
      threads,
      isBusy: () => planned || ready.size > 0,
      onSpent(ms) {
        spentMs += ms
        if (spentMs >= sliceMs) plan()
      },
    }),
    advance(from, to, diff) {
      for (const engine of [main, ...lanes.engines(), threads]) engine?.advance(from, to, diff)
    },
    retreat(from, to, keys) {
      for (const engine of [main, ...lanes.engines()]) engine?.retreat(from, to, keys)
    },
    stop: () => lanes.stop(),
  }
}
