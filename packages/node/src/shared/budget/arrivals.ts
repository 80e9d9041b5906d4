import { AsyncResource } from 'node:async_hooks'
import type { MaybePromise } from '../async/maybePromise.ts'
import { FairQueue, type Sender } from './fairQueue.ts'

/** How long a process answers what arrives in one turn of the event loop, of all its networks, in milliseconds. */
const allowanceMs = 10
/** How long one message goes on while others wait, in milliseconds. */
const sliceMs = 2

/** `until`: when a task that can be divided ends its slice; by `performance.now()`. */
export type Task<Result> = (until: number) => Result

/**
 * Shares one allowance for each turn of the event loop among everything that is answered as it arrives. Whatever exceeds it
 * waits for a later turn, in the turns of its sender. So neither many messages nor many connections hold up others.
 */
export function createArrivals(now = () => performance.now()) {
  const waiting = new FairQueue<() => void>()
  let spentMs = 0
  let isPlanned = false
  /** A task runs, or goes on in microtasks. */
  let isBusy = false

  function plan(): void {
    if (isPlanned) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      spentMs = 0
      serveWaiting()
    })
  }

  function serveWaiting(): void {
    while (waiting.size > 0 && !isBusy && spentMs < allowanceMs) waiting.next()?.()
    if (waiting.size > 0) plan()
  }

  function run<Result>(task: Task<Result>, ms: number): Result {
    const startedAt = now()
    const end = () => {
      isBusy = false
      spentMs += now() - startedAt
      plan()
    }
    const endAndServe = () => {
      end()
      serveWaiting()
    }
    isBusy = true
    let result: Result | undefined
    try {
      result = task(startedAt + ms)
      return result
    } finally {
      // A tick that a microtask asks for comes after all microtasks.
      if (result instanceof Promise) queueMicrotask(() => process.nextTick(endAndServe))
      else end()
    }
  }

  /** Runs a task now, or when it is the turn of its sender. What it does until it waits for something outside of this thread counts. */
  function inTurn<Result>(sender: Sender, task: Task<MaybePromise<Result>>, isBegun: boolean) {
    if (!isBusy && waiting.size === 0 && spentMs < allowanceMs) return run(task, allowanceMs - spentMs)
    return new Promise<Result>((resolve, reject) => {
      // Another sender's message may be what serves it: it runs in the asynchronous context of its own.
      const context = new AsyncResource('Arrival')
      const work = () => {
        try {
          resolve(context.runInAsyncScope(run<MaybePromise<Result>>, undefined, task, sliceMs))
        } catch (error) {
          reject(error)
        }
      }
      waiting.add(sender, work, { isBegun })
      plan()
    })
  }

  return {
    /** Answers what has arrived. */
    answer: <Result>(sender: Sender, task: Task<MaybePromise<Result>>) => inTurn(sender, task, false),
    /** Goes on with an answer that was begun: before others of its connection are. */
    goOn: <Result>(sender: Sender, task: Task<MaybePromise<Result>>) => inTurn(sender, task, true),
    /** Whether what arrives now has to wait. */
    mustWait: () => waiting.size > 0 || spentMs >= allowanceMs,
  }
}

/** Those of the process: its networks share an event loop. */
export const arrivals = createArrivals()
