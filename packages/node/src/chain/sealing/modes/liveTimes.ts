import type { Header } from '../../../ethereum/header.ts'

type Timed = Pick<Header, 'number' | 'timestamp'>

/** Finds out whether blocks of the live chain share timestamps, because it has several in a second. */
export class LiveTimes {
  #last: Timed
  #areShared = false

  /** `origin`: the first block of the live chain that is known. */
  constructor(origin: Timed) {
    this.#last = origin
  }

  /** What blocks have shown so far. */
  get areShared(): boolean {
    return this.#areShared
  }

  /** A block of the live chain that was seen; in any order. */
  add({ number, timestamp }: Timed): void {
    if (number > this.#last.number && timestamp === this.#last.timestamp) this.#areShared = true
    this.#last = { number, timestamp }
  }
}
