/** The owner of a share: an API key, or a connection if there are no keys. */
export type Holder = object | string

/**
 * A limit shared by several holders. A holder may have as much as it leaves free: alone it gets half, two get a third
 * each, and a later one always finds some free. No holder can lock out others, and nothing is reserved for absent ones.
 */
export class Shares {
  readonly limit: number
  readonly #held = new Map<Holder, number>()
  readonly #isShared: boolean
  readonly #exempt: Holder | undefined
  #used = 0

  /** Unless the limit is shared, a holder may have all of it; if it is shared, only the `exempt` one may. */
  constructor(limit: number, { isShared = true, exempt }: { isShared?: boolean; exempt?: Holder } = {}) {
    this.limit = limit
    this.#isShared = isShared
    this.#exempt = exempt
  }

  /** The total of all holders. */
  get used(): number {
    return this.#used
  }

  /** How much a holder can take now. */
  leftFor(holder: Holder): number {
    const free = this.limit - this.#used
    if (!this.#isShared || holder === this.#exempt) return free
    const held = this.#held.get(holder) ?? 0
    const share = Math.max(0, Math.floor((free - held) / 2))
    // A holder that has nothing finds one as long as there is one, whatever the limit.
    return held === 0 && free > 0 ? Math.max(1, share) : share
  }

  /** False, without taking anything, if the holder cannot take as much now. */
  take(holder: Holder, amount: number): boolean {
    if (amount > this.leftFor(holder)) return false
    this.#add(holder, amount)
    return true
  }

  give(holder: Holder, amount: number): void {
    this.#add(holder, -amount)
  }

  #add(holder: Holder, amount: number): void {
    this.#used += amount
    const held = (this.#held.get(holder) ?? 0) + amount
    if (held === 0) this.#held.delete(holder)
    else this.#held.set(holder, held)
  }
}
