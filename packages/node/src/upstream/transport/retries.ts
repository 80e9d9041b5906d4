import type { Clock } from '../../shared/clock.ts'
import { againMs } from './backoff.ts'
import type { Endpoint } from './endpoint.ts'
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
