import type { Clock } from '../../shared/clock.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { Item } from './queue.ts'

/** Sends calls that failed again: in a moment, together, and at once if there is another endpoint. */
export type Retry = (items: readonly Item[], endpoint: Endpoint, problem: string) => void

type Needs = {
  /** Whether there is more than one endpoint. */
  hasOthers: boolean
  clock: Clock
  random: () => number
  /** Puts calls back, to be sent again. */
  again(items: readonly Item[]): void
}

export function createRetries({ hasOthers, clock, random, again }: Needs): Retry {
  /** Calls that failed in this turn, by how often they did. */
  const failed = new Map<number, Item[]>()

  function retryFailed(): void {
    for (const [attempts, items] of failed)
      if (attempts === 1 && hasOthers) again(items)
      else clock.after(againMs(attempts, random), () => again(items))
    failed.clear()
  }

  return (items, endpoint, problem) => {
    for (const item of items) {
      item.failedAt = endpoint
      item.problem = problem
      item.attempts++
      const together = failed.get(item.attempts)
      if (together) together.push(item)
      else failed.set(item.attempts, [item])
      if (failed.size === 1 && !together) setImmediate(retryFailed)
    }
  }
}

/** Returns a delay that doubles with each time in a row, in milliseconds, with random jitter of up to a half. */
const backoff =
  (firstMs: number, longestMs: number) =>
  (times: number, random: () => number): number =>
    Math.round(Math.min(longestMs, firstMs * 2 ** (times - 1)) * (0.5 + random() / 2))

/** The delay after the nth failure in a row until an endpoint is asked whether it is back. */
export const backoffMs = backoff(250, 5_000)

/** The delay after the nth time in a row that an endpoint limited the rate of requests, without saying for how long. */
export const limitMs = backoff(100, 2_000)

/** The delay until a call that failed for the nth time is sent again. */
export const againMs = backoff(25, 2_000)
