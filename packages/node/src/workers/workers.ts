import type { OverrideTable, RunResult, StateDiff } from '@understudy/evm'
import type { OtherThreads, WantedRun } from '../execution/otherThreads.ts'
import { createMutex } from '../shared/async/mutex.ts'
import { type Clock, every, type Timer } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import { needsThread, type TraceRecipe } from '../traces/runs/traceRecipe.ts'
import { isSendable } from './sentBlock.ts'
import { type Numbers, WorkerEnded, WorkerThread } from './worker.ts'

/** Long runs of one thread at a time: they take turns in it. */
const lanesOfThread = 3
/** How long an idle thread is kept. */
const idleMs = 30_000
/** How often threads are checked. */
const checkMs = 1000
/** How long a thread may not answer, beyond the time limit of a run, before it is ended. */
const graceMs = 5000
/** How many calls that no thread takes start another one, in milliseconds of `busyMs`. */
const busyCalls = 500
const busyMs = 1000
/** A table of more overrides is not copied for each change of it. */
const overrideLimit = 1000

export type Workers = OtherThreads & {
  /** Threads that run now, and runs that have ended in threads. */
  counts(): { threads: number; runs: number }
  stop(): Promise<void>
}

type Options = {
  /** Maximum number of threads. 0: there is one, for tracers in JavaScript, which never run in the main thread. */
  workers: number
  /** Maximum computing time of a run, in seconds. */
  callTimeout: number
  /** Maximum size of the JavaScript heap of a thread, in MB. */
  workerMemory: number
}

type Needs = { clock: Clock; logger: Logger; file?: URL | undefined }

type ThreadNeeds = Pick<Options, 'callTimeout'> & {
  heapMb: number
  file: URL
  numbers: Numbers
  clock: Clock
  logger: Logger
}

/** The threads that run. Those that are idle for long, or do not answer, are ended. */
class Threads {
  readonly #needs: ThreadNeeds
  readonly #all = new Set<WorkerThread>()
  /** Since when a thread has not answered. */
  readonly #silentSince = new Map<WorkerThread, number>()
  /** Since when a thread has had nothing to do, and what it had been given then. */
  readonly #idleSince = new Map<WorkerThread, { at: number; orders: number }>()
  #checks: Timer | undefined
  #isStopped = false

  constructor(needs: ThreadNeeds) {
    this.#needs = needs
  }

  get size(): number {
    return this.#all.size
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  [Symbol.iterator](): IterableIterator<WorkerThread> {
    return this.#all.values()
  }

  requireRunning(): void {
    if (this.#isStopped) throw new NetworkError('REQUEST_CANCELLED', {})
  }

  begin(): WorkerThread {
    this.requireRunning()
    const thread = new WorkerThread({
      ...this.#needs,
      onEnd: () => this.#forget(thread),
    })
    this.#all.add(thread)
    this.#checks ??= every(this.#needs.clock, checkMs, () => this.#check())
    return thread
  }

  #forget(thread: WorkerThread): void {
    this.#all.delete(thread)
    this.#silentSince.delete(thread)
    this.#idleSince.delete(thread)
    if (this.#all.size > 0) return
    this.#checks?.cancel()
    this.#checks = undefined
  }

  /** It gets no other run from now on. */
  end(thread: WorkerThread): Promise<void> {
    this.#forget(thread)
    return thread.end()
  }

  /** Ends threads that have nothing to do, and those that do not answer: what they run cannot be stopped otherwise. */
  #check(): void {
    for (const thread of this.#all) {
      if (this.#hasBeenIdle(thread)) {
        void this.end(thread)
        continue
      }
      if (thread.isAlive()) {
        this.#silentSince.delete(thread)
        continue
      }
      const since = this.#silentSince.get(thread) ?? this.#needs.clock.now()
      this.#silentSince.set(thread, since)
      if (this.#needs.clock.now() - since < this.#needs.callTimeout * 1000 + graceMs) continue
      this.#needs.logger.warn({ runs: thread.runs }, 'Ended a worker thread that did not answer')
      void this.end(thread)
    }
  }

  #hasBeenIdle(thread: WorkerThread): boolean {
    const now = this.#needs.clock.now()
    const since = this.#idleSince.get(thread)
    if (thread.isIdle && since?.orders === thread.orders) return now - since.at >= idleMs
    this.#idleSince.set(thread, { at: now, orders: thread.orders })
    return false
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#checks?.cancel()
    await Promise.all([...this.#all].map((thread) => this.end(thread)))
  }
}

/** Threads for long runs and for traces. They are started when they are needed, and ended when they are not. */
export function createWorkers(
  { workers, callTimeout, workerMemory: heapMb }: Options,
  { clock, logger, file = new URL('./thread.js', import.meta.url) }: Needs,
): Workers {
  const count = Math.max(1, workers)
  const numbers = createNumbers()
  const threads = new Threads({ callTimeout, heapMb, file, numbers, clock, logger })
  /** Runs whose thread ended run again, one by one in a thread of their own: one of them may have been the reason. */
  const again = createMutex()
  /** Calls that no thread took, since when. */
  let refused = { calls: 0, at: 0 }
  let runs = 0

  /** Starts a thread where many calls would use it. */
  function noteRefused(): void {
    if (threads.size >= count || threads.isStopped) return
    const now = clock.now()
    if (now - refused.at > busyMs) refused = { calls: 0, at: now }
    if (++refused.calls < busyCalls) return
    refused.calls = 0
    threads.begin()
  }

  /** The one with the fewest runs, or another while more may run; of those that are as busy, one that knows the state. */
  function choose({ view }: WantedRun): WorkerThread {
    const number = numbers.view(view.identity)
    const [first, ...others] = shared()
    if (!first) return threads.begin()
    const best = others.reduce((best, thread) => (load(thread, number) < load(best, number) ? thread : best), first)
    return best.runs > 0 && shared().length < count ? threads.begin() : best
  }

  const load = (thread: WorkerThread, view: number) => thread.runs - (thread.knows(view) ? 0.5 : 0)
  let alone: WorkerThread | undefined
  const shared = () => [...threads].filter((thread) => thread !== alone)

  function runAgain(wanted: WantedRun): Promise<RunResult> {
    return again.run(async () => {
      wanted.signal?.throwIfAborted()
      alone = threads.begin()
      try {
        return await alone.run(wanted)
      } catch (error) {
        if (!(error instanceof WorkerEnded)) throw error
        threads.requireRunning()
        if (error.isOutOfMemory)
          throw new NetworkError('LIMIT_EXCEEDED', {
            what: 'the run or its trace needs more memory than a worker thread has',
            limit: `${heapMb} MB`,
          })
        throw new NetworkError('EXECUTION_TOO_LONG', { seconds: callTimeout }, { cause: error })
      } finally {
        const ended = alone
        alone = undefined
        if (ended) await threads.end(ended)
      }
    })
  }

  return {
    lanes: count * lanesOfThread,
    counts: () => ({ threads: threads.size, runs }),
    takes({ block, options: { onStep, overrides, trace } }) {
      if (onStep || !isSendable(block)) return false
      if (trace && needsThread(trace.recipe as TraceRecipe)) return true
      return workers > 0 && (!overrides || isCopyable(overrides))
    },
    async run(wanted) {
      try {
        return await choose(wanted).run(wanted)
      } catch (error) {
        if (!(error instanceof WorkerEnded)) throw error
        threads.requireRunning()
        logger.warn({ err: error.cause, isOutOfMemory: error.isOutOfMemory }, 'A worker thread ended')
        return await runAgain(wanted)
      } finally {
        runs++
      }
    },
    output(call, most) {
      if (workers === 0 || !isSendable(call.block)) return undefined
      if (call.overrides && !isCopyable(call.overrides)) return undefined
      let least: WorkerThread | undefined
      for (const thread of threads)
        if (thread !== alone && thread.runs === 0 && thread.outputs < (least?.outputs ?? most)) least = thread
      if (!least) {
        noteRefused()
        return undefined
      }
      runs++
      return least.output(call)
    },
    advance(from: object, to: object, diff: StateDiff) {
      if (threads.size === 0) return
      for (const thread of threads) thread.advance(numbers.view(from), numbers.view(to), diff)
    },
    stop: () => threads.stop(),
  }
}

const copyable = new WeakMap<OverrideTable, boolean>()

/** Asked for each run: tables are told apart by their objects. */
function isCopyable(table: OverrideTable): boolean {
  const known = copyable.get(table)
  if (known !== undefined) return known
  const found = 'replacements' in table && [...table.targets].length <= overrideLimit
  copyable.set(table, found)
  return found
}

/** Numbers of objects; clients may be named by strings. */
function createNumbers(): Numbers {
  let last = 0
  const ofObjects = new WeakMap<object, number>()
  const ofObject = (object: object) => {
    const number = ofObjects.get(object) ?? ++last
    ofObjects.set(object, number)
    return number
  }
  return {
    view: ofObject,
    turn: (turn) => (typeof turn === 'object' ? ofObject(turn) : String(turn)),
  }
}
