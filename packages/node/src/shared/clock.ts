import { AsyncLocalStorage } from 'node:async_hooks'

export type Timer = { cancel(): void }

/** The source of time. Tests inject a clock that they advance manually. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `task` once after `delayMs`. Does not keep the process alive. */
  after(delayMs: number, task: () => void): Timer
}

const ofProcess = AsyncLocalStorage.snapshot()

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    // A timer belongs to the process, not to the request that set it, whose network may be removed before the timer ends.
    const timer = ofProcess(() => setTimeout(task, delayMs))
    timer.unref()
    return { cancel: () => clearTimeout(timer) }
  },
}

/** Runs `task` each `periodMs` until it is cancelled. */
export function every(clock: Clock, periodMs: number, task: () => void): Timer {
  const run = () => {
    timer = clock.after(periodMs, run)
    task()
  }
  let timer = clock.after(periodMs, run)
  return { cancel: () => timer.cancel() }
}

/** Waits `delayMs`, or rejects with the signal's reason if it is aborted first. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      timer.cancel()
      reject(signal?.reason)
    }
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** The result of a task or, if it takes longer than `limitMs`, what `late` returns or throws. */
export async function within<Result, Late>(
  clock: Clock,
  limitMs: number,
  task: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  let cancel = () => {}
  const limit = new Promise<void>((resolve) => {
    cancel = clock.after(limitMs, resolve).cancel
  })
  try {
    return await Promise.race([task, limit.then(late)])
  } finally {
    cancel()
  }
}
