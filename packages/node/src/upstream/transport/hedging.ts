import type { Clock, Timer } from '../../shared/clock.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { type Item, isSlow } from './queue.ts'

/** The least time after which a second endpoint is asked, in milliseconds. */
const leastMs = 20

type Needs = {
  clock: Clock
  /** Another endpoint that is usable now. */
  otherThan(endpoint: Endpoint): Endpoint | undefined
  send(endpoint: Endpoint, items: readonly Item[]): void
  /** Called when a call needs no other answer any more. */
  forget(item: Item): void
}

/**
 * Hedged requests: what an endpoint has not answered when 95 of 100 of its requests would have been is asked of another as
 * well, once, and the first answer counts.
 */
export function createHedging({ clock, otherThan, send, forget }: Needs) {
  /** Answers for the call it repeats; where it fails, that goes on. */
  function repeat(item: Item, at: Endpoint): Item {
    let isOver = false
    return {
      ...item,
      at,
      isHedge: true,
      get settled() {
        return isOver || item.settled
      },
      resolve(result) {
        isOver = true
        item.resolve(result)
        forget(item)
      },
      reject() {
        isOver = true
      },
    }
  }

  return {
    /** `undefined` if the calls are slow or too few requests are known to know what is typical. */
    after(endpoint: Endpoint, items: readonly Item[]): Timer | undefined {
      const ms = endpoint.typicalMs()
      if (ms === undefined || items.some((item) => item.isHedge || item.at || isSlow(item))) return undefined
      return clock.after(Math.max(leastMs, ms), () => {
        const open = items.filter(({ settled }) => !settled)
        const other = open.length > 0 ? otherThan(endpoint) : undefined
        if (other)
          send(
            other,
            open.map((item) => repeat(item, other)),
          )
      })
    },
  }
}
