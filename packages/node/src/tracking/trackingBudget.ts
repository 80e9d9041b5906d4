import { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Clock } from '../shared/clock.ts'

/** How long the tracked items of one block may compute together, in milliseconds. */
export const computingMs = 500
/** The part of it that is reserved for slow items. */
const heavyShareMs = 100
/** How long one block waits for upstream for all items together. */
const waitingMs = 3_000
/** An item is slow from this time on. */
const heavyMs = 10
/** Computing time for blocks in quick succession; it refills at half the elapsed time. */
const reserveMs = 5_000
const refill = 0.5

/** Computing times of an item's last evaluations. `before` is the previous one. */
type Past = { ms: number; before: number; turn: number }

/** Limits how long tracked items delay blocks, and shares that time fairly among them. */
export class TrackingBudget<Item extends object> {
  readonly #clock: Clock
  readonly #past = new WeakMap<Item, Past>()
  #turn = 0
  #time = new ComputingTime(computingMs)
  #waitLeftMs = waitingMs
  #reserveMs = reserveMs
  #refilledAt: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#refilledAt = clock.now()
  }

  /** Starts a block. */
  renew(): void {
    const now = this.#clock.now()
    this.#reserveMs = Math.min(reserveMs, this.#reserveMs + Math.max(0, now - this.#refilledAt) * refill)
    this.#refilledAt = now
    this.#time = new ComputingTime(Math.min(computingMs, Math.max(0, this.#reserveMs)))
    this.#waitLeftMs = waitingMs
  }

  /** Sorts fast items first, and within each group those that have waited longest. */
  order(items: readonly Item[]): Item[] {
    const turn = (item: Item) => this.#past.get(item)?.turn ?? 0
    return [...items].sort((a, b) => Number(this.#isHeavy(a)) - Number(this.#isHeavy(b)) || turn(a) - turn(b))
  }

  /** The remaining time for an item; `undefined` if it must wait for the next block. */
  timeFor(item: Item): ComputingTime | undefined {
    const kept = this.#isHeavy(item) ? 0 : heavyShareMs
    if (this.#time.leftMs <= kept) return undefined
    return this.isKnown(item) ? this.#time : this.#time.atMost(heavyMs)
  }

  /** Whether it was evaluated before. A new item may take no longer than a fast one. */
  isKnown(item: Item): boolean {
    return this.#past.has(item)
  }

  /**
   * Records how long an item computed; an item that was stopped keeps its position, and is first in its group next
   * time.
   */
  spent(item: Item, ms: number, wasCut: boolean): void {
    const past = this.#past.get(item)
    const turn = wasCut ? (past?.turn ?? 0) : ++this.#turn
    this.#past.set(item, { ms, before: past?.ms ?? Number.POSITIVE_INFINITY, turn })
    this.#reserveMs -= ms
  }

  /** Remaining time to wait for upstream, in milliseconds. */
  get waitLeftMs(): number {
    return this.#waitLeftMs
  }

  waited(ms: number): void {
    this.#waitLeftMs -= ms
  }

  /** How long an item last computed, in milliseconds. */
  lastMs(item: Item): number {
    return this.#past.get(item)?.ms ?? 0
  }

  /** A single slow evaluation may be due to a busy machine. */
  #isHeavy(item: Item): boolean {
    const { ms = 0, before = 0 } = this.#past.get(item) ?? {}
    return Math.min(ms, before) >= heavyMs
  }
}
