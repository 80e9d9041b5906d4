import type { Call } from './outcome.ts'

/** A call that waits for its answer. */
export type Item = Call & {
  /** Whether it waits while upstream is known to be away. */
  isPatient: boolean
  /** Number of failed HTTP requests that included this call. */
  failures: number
  /** Number of temporary errors. */
  doubts: number
  /** The last problem, for the error on timeout. */
  problem: string | undefined
  /** Its callers have gone. */
  settled: boolean
  resolve(result: unknown): void
  reject(error: unknown): void
}

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

  /**
   * Removes and returns the calls of one HTTP request: a slow call alone, or a batch of quick ones. Empty if only slow
   * calls wait and none may be sent. A call that failed before is batched with fewer others, in case its batch was too
   * large.
   */
  take(batchLimit: number, mayBeSlow: boolean): Item[] {
    const first = this.#items.find((item) => mayBeSlow || !isSlow(item))
    if (!first) return []
    const limit = isSlow(first) ? 1 : Math.max(1, Math.floor(batchLimit / 4 ** first.failures))
    const taken: Item[] = []
    const rest: Item[] = []
    for (const item of this.#items) {
      const joins = taken.length < limit && (item === first || !(isSlow(item) || isSlow(first)))
      ;(joins ? taken : rest).push(item)
    }
    this.#items = rest
    return taken
  }
}

/** In a batch, a slow call would delay the others. */
export function isSlow({ method }: Call): boolean {
  return slowMethod.test(method)
}
