import { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Clock } from '../shared/clock.ts'

/** How long the tracked items of one block may compute together, in milliseconds. */
export const computingMs = 500
/** Of that, what is kept for items that take long. */
const heavyShareMs = 100
/** How long one block waits for upstream on behalf of all of them. */
const waitingMs = 3_000
/** From here on an item takes long. */
const heavyMs = 10
/** What blocks in quick succession may compute together; it comes back at half the time that passes. */
const reserveMs = 5_000
const refill = 0.5

/** What was known of an item when it was evaluated last. `before` is what it took the time before that. */
type Past = { ms: number; before: number; turn: number }

/** Bounds how long blocks stand still for tracked items, and shares that time fairly among them. */
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

  /** A block begins. */
  renew(): void {
    const now = this.#clock.now()
    this.#reserveMs = Math.min(reserveMs, this.#reserveMs + Math.max(0, now - this.#refilledAt) * refill)
    this.#refilledAt = now
    this.#time = new ComputingTime(Math.min(computingMs, Math.max(0, this.#reserveMs)))
    this.#waitLeftMs = waitingMs
  }

  /** Those that take little time first; among them, and among the others, those that waited longest. */
  order(items: readonly Item[]): Item[] {
    const turn = (item: Item) => this.#past.get(item)?.turn ?? 0
    return [...items].sort((a, b) => Number(this.#isHeavy(a)) - Number(this.#isHeavy(b)) || turn(a) - turn(b))
  }

  /** What is left for an item; `undefined` when it has to wait for the next block. */
  timeFor(item: Item): ComputingTime | undefined {
    const kept = this.#isHeavy(item) ? 0 : heavyShareMs
    if (this.#time.leftMs <= kept) return undefined
    return this.isKnown(item) ? this.#time : this.#time.atMost(heavyMs)
  }

  /** Whether it was evaluated before. Those that were not may take no longer at first than one that is not heavy. */
  isKnown(item: Item): boolean {
    return this.#past.has(item)
  }

  /** Notes how long an item computed; one that was cut short keeps its place, and is the first of its kind next time. */
  spent(item: Item, ms: number, wasCut: boolean): void {
    const past = this.#past.get(item)
    const turn = wasCut ? (past?.turn ?? 0) : ++this.#turn
    this.#past.set(item, { ms, before: past?.ms ?? Number.POSITIVE_INFINITY, turn })
    this.#reserveMs -= ms
  }

  /** Milliseconds that may still be waited for upstream. */
  get waitLeftMs(): number {
    return this.#waitLeftMs
  }

  waited(ms: number): void {
    this.#waitLeftMs -= ms
  }

  /** How long an item computed when it was evaluated last, in milliseconds. */
  lastMs(item: Item): number {
    return this.#past.get(item)?.ms ?? 0
  }

  /** Once alone may be because the machine was busy. */
  #isHeavy(item: Item): boolean {
    const { ms = 0, before = 0 } = this.#past.get(item) ?? {}
    return Math.min(ms, before) >= heavyMs
  }
}
