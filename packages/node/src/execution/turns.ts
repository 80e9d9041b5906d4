import type { BlockContext, Message, Engine as OneEngine, PausedRun, RunResult, StateView } from '@understudy/evm'
import { currentBudget } from '../shared/budget/requestBudget.ts'
import type { Clock, Timer } from '../shared/clock.ts'
import type { Engine, EngineOptions } from '../shared/engine.ts'

/** How long a run may compute before the event loop and other requests get a turn. */
const sliceMs = 10
/** How long calls from memory may compute, one after the other, before the event loop gets a turn. */
const nowLimitMs = 50
/** Maximum number of long runs of clients, each on its own engine. */
const laneLimit = 3
/** How long idle engines are kept. */
const idleMs = 10_000

/** Internal work, such as sealing. It gets every other turn, and its own lane. */
const network = Symbol('network')

/** An engine for long runs; it executes one run at a time. */
type Lane = { engine: OneEngine; job: Job | undefined; isNetworks: boolean }

type Job = {
  turn: object | string | symbol
  signal: AbortSignal | undefined
  time: EngineOptions['time']
  /** When the current slice ends. */
  until: number
  start(engine: OneEngine): RunResult | PausedRun
  lane: Lane | undefined
  paused: PausedRun | undefined
  /** The run starts in a lane. */
  isLong: boolean
  resolve(result: RunResult): void
  reject(error: unknown): void
}

/** A job that is answered at once resolves no promise. */
const unsettled: Pick<Job, 'resolve' | 'reject'> = { resolve() {}, reject() {} }

/** The many long runs of a batch would spend its time on attempts. */
const mayRun = ({ lane, time }: Job) => lane !== undefined || (time?.mayAttempt ?? true)

/** Gives up a run on the main engine, to begin again in a lane. */
function giveUp(run: PausedRun, time: Job['time'], tookMs: number): void {
  run.abandon()
  time?.attempted(tookMs)
  time?.requireLeft()
}

type Needs = {
  /** The main engine: runs everything that fits into one slice, so that frequently read state stays loaded there. */
  main: OneEngine
  createLane: () => OneEngine
  clock: Clock
}

/**
 * Shares engines among clients. A run that takes longer than a slice restarts in a lane and continues there slice by
 * slice, in turns with other clients' runs. Between slices, the event loop runs.
 */
export function createTurns({ main, createLane, clock }: Needs): Engine {
  const lanes: Lane[] = []
  /** Runnable jobs by client; the first client has the next turn. */
  const ready = new Map<Job['turn'], Job[]>()
  const waitingForLane: Job[] = []
  let spentMs = 0
  let planned = false
  let wasNetworks = false
  let idle: Timer | undefined
  /** What calls took that were answered at once, since others were served. */
  let nowMs = 0
  const resetNow = () => {
    nowMs = 0
  }

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
      const result = mayRun(job) ? slice(job) : undefined
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
      job.until = startedAt + Math.min(sliceMs, time?.leftMs ?? sliceMs)
      result = job.paused ? job.paused.resume() : job.start(lane?.engine ?? main)
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
    waitingForLane.push(job)
    assign()
  }

  /** Assigns lanes to waiting jobs: first to the client with the fewest, and never all lanes to one client. */
  function assign(): void {
    const held = (turn: Job['turn']) => lanes.filter(({ job }) => job?.turn === turn).length
    for (;;) {
      const candidates = waitingForLane.filter(({ turn }) => held(turn) < (turn === network ? 1 : laneLimit - 1))
      const job = candidates.sort((a, b) => held(a.turn) - held(b.turn)).find(({ turn }) => freeLane(turn))
      const lane = job && freeLane(job.turn)
      if (!lane) return
      waitingForLane.splice(waitingForLane.indexOf(job), 1)
      idle?.cancel()
      lane.job = job
      job.lane = lane
      enqueue(job)
    }
  }

  function freeLane(turn: Job['turn']): Lane | undefined {
    const isNetworks = turn === network
    const same = lanes.filter((lane) => lane.isNetworks === isNetworks)
    const free = same.find(({ job }) => !job)
    if (free || same.length >= (isNetworks ? 1 : laneLimit)) return free
    const lane: Lane = { engine: createLane(), job: undefined, isNetworks }
    lanes.push(lane)
    return lane
  }

  /** Frees the resources of a finished run. */
  function leave(job: Job): void {
    job.paused?.abandon()
    const { lane } = job
    if (!lane) return
    lane.job = undefined
    assign()
    if (lanes.some((one) => one.job)) return
    idle?.cancel()
    idle = clock.after(idleMs, () => lanes.splice(0))
  }

  function run(
    message: Message,
    block: BlockContext,
    view: StateView,
    { time, ...options }: EngineOptions,
  ): RunResult | Promise<RunResult> {
    const budget = currentBudget()
    const job: Job = {
      turn: budget?.turn ?? network,
      signal: budget?.signal,
      time,
      until: 0,
      start: (engine) =>
        engine.start(message, block, view, { ...options, shouldPause: () => performance.now() >= job.until }),
      lane: undefined,
      paused: undefined,
      // Steps that were already reported cannot be reported again.
      isLong: options.onStep !== undefined,
      ...unsettled,
    }
    if (!planned && !job.isLong && mayRun(job)) {
      const result = slice(job)
      if (result) return result
      job.isLong = true
    }
    return new Promise((resolve, reject) => {
      job.resolve = resolve
      job.reject = reject
      if (job.isLong || !mayRun(job)) wait(job)
      else enqueue(job)
    })
  }

  return {
    run,
    outputNow(message, block, view, { ms, overrides }) {
      if (ready.size > 0 || nowMs >= nowLimitMs) return undefined
      const startedAt = performance.now()
      if (nowMs === 0) setImmediate(resetNow)
      try {
        return main.output(message, block, view, {
          overrides,
          shouldPause: () => performance.now() - startedAt >= ms,
        })
      } finally {
        nowMs += performance.now() - startedAt
      }
    },
    advance(from, to, diff) {
      for (const engine of [main, ...lanes.map((lane) => lane.engine)]) engine.advance(from, to, diff)
    },
  }
}
