import type { Call } from './outcome.ts'

/** A call that waits for its answer. */
export type Item = Call & {
  /** HTTP requests that failed with this call in them. */
  failures: number
  /** Times that it was answered in a way that may be momentary. */
  doubts: number
  /** What went wrong last, for the error at the end of its time. */
  problem: string | undefined
  /** Nobody waits for it any more. */
  settled: boolean
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Methods that may take long upstream. */
const slowMethod = /^(debug_|trace_|eth_getLogs$|eth_createAccessList$)/

/** Calls that wait to be sent, in their order. */
export class Queue {
  #items: Item[] = []

  get length(): number {
    return this.#items.length
  }

  push(items: readonly Item[]): void {
    this.#items.push(...items)
  }

  /** Puts calls first that were sent before. */
  putBack(items: readonly Item[]): void {
    this.#items = [...items, ...this.#items]
  }

  remove(item: Item): void {
    this.#items = this.#items.filter((other) => other !== item)
  }

  /** Takes everything. */
  drain(): Item[] {
    return this.#items.splice(0)
  }

  /**
   * Takes what goes into one HTTP request: a slow call alone, or a batch of quick ones. Nothing when only slow ones wait and none may go.
   * A call that failed before goes with fewer others: its batch may have been what was too much.
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

/** In a batch, a slow call would keep the others waiting for it. */
export function isSlow({ method }: Call): boolean {
  return slowMethod.test(method)
}
