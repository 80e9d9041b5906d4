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
  #used = 0

  /** Where it is not shared, a holder may have all of it. */
  constructor(limit: number, { isShared = true }: { isShared?: boolean } = {}) {
    this.limit = limit
    this.#isShared = isShared
  }

  /** What all holders have together. */
  get used(): number {
    return this.#used
  }

  /** The most that a holder can take now. */
  leftFor(holder: Holder): number {
    const free = this.limit - this.#used
    return this.#isShared ? Math.max(0, Math.floor((free - (this.#held.get(holder) ?? 0)) / 2)) : free
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
