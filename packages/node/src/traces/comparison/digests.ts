/** At most so many digests of a sequence are kept. */
const digestLimit = 4096

/**
 * Digests of the beginnings of a sequence, at regular intervals, in bounded memory: where two sequences part is known to an
 * interval, however long they are. The interval doubles when there are too many.
 */
export class Digests {
  #interval = 1
  #count = 0
  #low = 0
  #high = 0
  readonly #kept: string[] = []

  /** How many items the sequence has. */
  get count(): number {
    return this.#count
  }

  /** Adds an item, as integers of 32 bits. */
  add(...parts: readonly number[]): void {
    for (const part of parts) {
      this.#low = Math.imul(this.#low ^ part, 0x01000193) + 0x9e3779b9
      this.#high = Math.imul(this.#high ^ (part + (this.#low >>> 15)), 0x85ebca6b)
    }
    this.#count++
    if (this.#count % this.#interval !== 0) return
    this.#kept.push(this.#digest)
    if (this.#kept.length < digestLimit) return
    const sparse = this.#kept.filter((_, index) => index % 2 === 1)
    this.#kept.splice(0, this.#kept.length, ...sparse)
    this.#interval *= 2
  }

  get #digest(): string {
    return `${this.#low | 0}:${this.#high | 0}`
  }

  /** The items among which is the first that differs, from `from` until before `to`; `undefined` if all are equal. */
  parting(other: Digests): { from: number; to: number } | undefined {
    if (this.#count === other.#count && this.#digest === other.#digest) return undefined
    const interval = Math.max(this.#interval, other.#interval)
    let to = interval
    while (this.#at(to) !== undefined && this.#at(to) === other.#at(to)) to += interval
    return { from: to - interval, to }
  }

  #at(count: number): string | undefined {
    return this.#kept[count / this.#interval - 1]
  }
}
