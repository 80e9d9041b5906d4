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

/** Methods that may take long upstream: in a batch they would keep the others waiting. */
const slowMethod = /^(debug_|trace_|eth_getLogs$|eth_createAccessList$|eth_getProof$)/

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

  /** Takes what goes into one HTTP request. A call that failed before goes with fewer others: its batch may have been what was too much. */
  take(batchLimit: number): Item[] {
    const [first] = this.#items
    if (!first) return []
    if (slowMethod.test(first.method)) return this.#items.splice(0, 1)
    const limit = Math.max(1, Math.floor(batchLimit / 4 ** first.failures))
    const taken: Item[] = []
    const rest: Item[] = []
    for (const item of this.#items) {
      const joins = taken.length < limit && !slowMethod.test(item.method)
      ;(joins ? taken : rest).push(item)
    }
    this.#items = rest
    return taken
  }
}
