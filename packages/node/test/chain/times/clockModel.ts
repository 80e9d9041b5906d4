/** What a request to seal blocks says about their times, in seconds. */
export type GivenTimes = {
  /** The time of the first block. */
  at?: number | undefined
  /** How much later than the current time the first block is. */
  before?: number
  /** From each block to the next one of the request. */
  between?: number
}

/** The times of a network's blocks, as docs/differences-from-anvil.md and docs/methods.md describe them, in whole seconds. */
export class ClockModel {
  /** Of each block, the newest last. */
  times: number[]
  /** How far the network's clock is ahead of the real one. */
  shift = 0
  next: number | undefined
  interval: number | undefined
  readonly #realTime: () => number
  readonly #leastStep: 0 | 1

  constructor(realTime: () => number, times: number[], allowSameTimestamp: boolean) {
    this.#realTime = realTime
    this.times = times
    this.#leastStep = allowSameTimestamp ? 0 : 1
  }

  get head(): number {
    return this.times.at(-1) as number
  }

  /** The clock's time, or the newest block's if that is later. */
  get now(): number {
    return Math.max(this.#realTime() + this.shift, this.head)
  }

  get earliest(): number {
    return this.head + this.#leastStep
  }

  /** The time of a block that is sealed now. */
  get pending(): number {
    if (this.next !== undefined) return Math.max(this.next, this.earliest)
    return Math.max(this.interval === undefined ? this.now : this.head + this.interval, this.earliest)
  }

  /** False if the first block may not have the time that is given. */
  mine(count: number, { at, before, between }: GivenTimes = {}): boolean {
    if (count > 0 && at !== undefined && at < this.earliest) return false
    for (let mined = 0; mined < count; mined++) {
      const apart = mined === 0 ? before : between
      const isGiven = mined === 0 && at !== undefined
      const moves = isGiven || this.next !== undefined || apart !== undefined
      const isApart = apart !== undefined && this.next === undefined && this.interval === undefined
      const from = mined === 0 ? this.now : this.head
      this.times.push(isGiven ? at : isApart ? Math.max(from + apart, this.earliest) : this.pending)
      if (!moves) continue
      this.next = undefined
      this.#goOnFrom(this.head)
    }
    return true
  }

  setNext(time: number): boolean {
    if (time < this.earliest) return false
    this.next = time
    return true
  }

  /** Returns the whole shift. */
  increase(seconds: number): number {
    this.#goOnFrom(this.now + seconds)
    return this.shift
  }

  /** Returns by how much the shift changed. */
  setTime(time: number): number {
    const before = this.shift
    this.#goOnFrom(Math.max(time, this.head))
    this.next = undefined
    return this.shift - before
  }

  /** Returns whether there was one. */
  removeInterval(): boolean {
    if (this.interval === undefined) return false
    this.interval = undefined
    this.#goOnFrom(this.head)
    return true
  }

  /** Takes a snapshot: what it returns reverts to it. */
  snapshot(): () => void {
    const { times, shift, next, interval } = this
    const kept = [...times]
    return () => Object.assign(this, { times: [...kept], shift, next, interval })
  }

  #goOnFrom(time: number): void {
    this.shift = time - this.#realTime()
  }
}
