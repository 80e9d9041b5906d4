import type { NetworkError } from '../../shared/errors.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { StateNames } from '../endpoint/endpointProfile.ts'
import type { Call } from './outcome.ts'

/** A call that waits for its answer. */
export type Item = Call & {
  /** Whether it waits while upstream is known to be away. */
  waitsForRecovery: boolean
  /** When it is no longer sent again after a failure, in milliseconds since 1970. */
  retriesUntil: number
  /** The endpoint that it is for, if it is for one. */
  at: Endpoint | undefined
  /** Whether it may take seconds, whatever its method. */
  isSlow?: boolean | undefined
  /** Whether it repeats a call that takes longer than is typical: it is sent once. */
  isHedge: boolean
  /** Number of failed HTTP requests that included this call. */
  failures: number
  /** Number of errors without a clear reason. */
  unclearErrors: number
  /** How often it was sent again after a pause. */
  attempts: number
  /** Whether the block whose state it reads was looked for. */
  isLookedFor: boolean
  /** When it was first answered that its block is not there yet, in milliseconds since 1970. */
  unseenSince: number | undefined
  /** The endpoint that failed it last: another one is preferred. */
  failedAt: Endpoint | undefined
  /** The endpoints that cannot answer it, with what they said. */
  refusals: Map<Endpoint, NetworkError>
  /** How the block of its state is named, if not as its endpoint does, and what was answered to its hash. */
  stateNames: StateNames | undefined
  firstRefusal: NetworkError | undefined
  /** The last problem, for the error on timeout. */
  problem: string | undefined
  /** Its callers have gone. */
  settled: boolean
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Number of failures until a call is batched with fewer others. */
const wholeTrials = 5

/** Methods that may be slow upstream. */
const slowMethod = /^(debug_|trace_|eth_getLogs$|eth_createAccessList$)/

/** Calls that wait to be sent, in order. */
export class Queue {
  #items: Item[] = []

  get length(): number {
    return this.#items.length
  }

  push(items: readonly Item[]): void {
    this.#items.push(...items)
  }

  /** Puts calls that were already sent at the front. */
  putBack(items: readonly Item[]): void {
    this.#items = [...items, ...this.#items]
  }

  remove(item: Item): void {
    this.#items = this.#items.filter((other) => other !== item)
  }

  /** Removes and returns the calls of a kind. */
  takeAll(isTaken: (item: Item) => boolean): Item[] {
    const taken = this.#items.filter(isTaken)
    this.#items = this.#items.filter((item) => !isTaken(item))
    return taken
  }

  /** Removes and returns everything. */
  drain(): Item[] {
    return this.#items.splice(0)
  }

  /** The first call that can be sent, and the endpoint that it goes to; slow ones only if `mayBeSlow`. */
  next(
    mayBeSlow: boolean,
    endpointOf: (item: Item) => Endpoint | undefined,
  ): { item: Item; endpoint: Endpoint } | undefined {
    for (const item of this.#items) {
      const endpoint = mayBeSlow || !isSlow(item) ? endpointOf(item) : undefined
      if (endpoint) return { item, endpoint }
    }
    return undefined
  }

  /**
   * Removes and returns the calls of one HTTP request: a slow call alone, or a batch of quick ones. A call that failed
   * often is batched with fewer others, in case its batch was too large.
   */
  take(first: Item, batchLimit: number, mayJoin: (item: Item) => boolean): Item[] {
    const limit = isSlow(first)
      ? 1
      : Math.max(1, Math.floor(batchLimit / 4 ** Math.max(0, first.failures - wholeTrials)))
    const taken: Item[] = []
    const rest: Item[] = []
    for (const item of this.#items) {
      const joins = taken.length < limit && (item === first || (!isSlow(item) && !isSlow(first) && mayJoin(item)))
      if (!item.settled) (joins ? taken : rest).push(item)
    }
    this.#items = rest
    return taken
  }
}

/** In a batch, a slow call would delay the others. */
export function isSlow({ method, isSlow = slowMethod.test(method) }: Call & Pick<Item, 'isSlow'>): boolean {
  return isSlow
}
