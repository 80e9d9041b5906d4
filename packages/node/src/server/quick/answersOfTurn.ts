/** How long an answer may wait for others of its turn, in milliseconds. */
const longestWaitMs = 1

/**
 * Writes the answers that one turn of the event loop makes together, at its end. A write wakes a client that sleeps, which
 * takes as long as several requests; a client that is awake is given the next answers at little cost.
 */
export class AnswersOfTurn {
  #waiting: (() => void)[] = []
  /** When those that wait are due. */
  #until = 0
  readonly #writeAll = () => {
    const writes = this.#waiting
    this.#waiting = []
    for (const write of writes) write()
  }

  /** Writes an answer at the end of this turn. */
  add(write: () => void): void {
    if (this.#waiting.length === 0) {
      this.#until = performance.now() + longestWaitMs
      setImmediate(this.#writeAll)
    }
    this.#waiting.push(write)
  }

  /** Writes what has waited for long enough. Call it before another request is answered in the same turn. */
  writeDue(): void {
    if (this.#waiting.length > 0 && performance.now() >= this.#until) this.#writeAll()
  }
}

/** Those of all connections. */
export const answersOfTurn = new AnswersOfTurn()
