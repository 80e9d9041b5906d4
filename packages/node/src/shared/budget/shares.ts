/** Who holds a part of something: an API key, or a connection where there are no keys. */
export type Holder = object | string

/**
 * A limit that many share. A holder may have as much as it leaves free: alone it gets half, two get a third each, and one who comes
 * later always finds some. So nobody can lock out others, and nothing is kept idle for those who do not come.
 */
export class Shares {
  readonly limit: number
  readonly #held = new Map<Holder, number>()
  readonly #isShared: boolean
  readonly #exempt: Holder | undefined
  #used = 0

  /** Where it is not shared, a holder may have all of it; where it is, only the one that is `exempt`. */
  constructor(limit: number, { isShared = true, exempt }: { isShared?: boolean; exempt?: Holder } = {}) {
    this.limit = limit
    this.#isShared = isShared
    this.#exempt = exempt
  }

  /** What all holders have together. */
  get used(): number {
    return this.#used
  }

  /** The most that a holder can take now. */
  leftFor(holder: Holder): number {
    const free = this.limit - this.#used
    if (!this.#isShared || holder === this.#exempt) return free
    const held = this.#held.get(holder) ?? 0
    const share = Math.max(0, Math.floor((free - held) / 2))
    // A holder that has nothing finds one as long as there is one, whatever the limit.
    return held === 0 && free > 0 ? Math.max(1, share) : share
  }

  /** False when it is more than the holder can take now; then nothing is taken. */
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
