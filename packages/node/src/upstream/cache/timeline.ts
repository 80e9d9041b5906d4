import type { Word } from '@understudy/evm'

/** A value of upstream's state, and the blocks for which it is known to hold. */
export type Span = {
  readonly value: bigint | Word
  /** The first block. */
  readonly from: number
  /** The last block; infinite while it holds at the tip, or if it held at the end of its generation. */
  to: number
  generation: number
}

/** A timeline in stored form. */
export type TimelineRecord = { tip: number; generation: number; ends: [generation: number, end: number][] }

/** Maximum number of values per key. */
const spanLimit = 4

/**
 * The blocks that the cache has seen, up to its tip. An open value holds up to the tip, and continues to hold as the
 * tip moves over blocks with known changes. If their changes are unknown, every open value ends with its generation.
 */
export class Timeline {
  /** A block whose values are always kept. */
  readonly keep: number
  #tip: number
  #generation = 0
  /** Whether a value may be open in this generation. */
  #hasOpen = false
  /** The last block of each ended generation. */
  readonly #ends = new Map<number, number>()

  constructor(tip: number, keep: number) {
    this.#tip = tip
    this.keep = keep
  }

  /** Continues a stored timeline. */
  static from({ tip, generation, ends }: TimelineRecord, keep: number): Timeline {
    const timeline = new Timeline(tip, keep)
    timeline.#generation = generation
    timeline.#hasOpen = true
    for (const [over, end] of ends) timeline.#ends.set(over, end)
    return timeline
  }

  get record(): TimelineRecord {
    return { tip: this.#tip, generation: this.#generation, ends: [...this.#ends] }
  }

  get tip(): number {
    return this.#tip
  }

  /** Ended generations whose last blocks are still needed. */
  get generationsOver(): number {
    return this.#ends.size
  }

  /** The last block for which a value is known to hold; infinite while that is the tip. */
  endOf({ to, generation }: Span): number {
    return Math.min(to, this.#ends.get(generation) ?? Number.POSITIVE_INFINITY)
  }

  isOpen(span: Span): boolean {
    return this.endOf(span) === Number.POSITIVE_INFINITY
  }

  isKept(span: Span): boolean {
    return span.from <= this.keep && this.keep <= this.endOf(span)
  }

  /** Nothing is known of blocks after the tip. */
  find(spans: readonly Span[], block: number): Span | undefined {
    if (block > this.#tip) return undefined
    return spans.find((span) => span.from <= block && block <= this.endOf(span))
  }

  /** Adds a value read at a block. */
  add(spans: Span[], value: Span['value'], block: number): void {
    if (block > this.#tip || this.find(spans, block)) return
    spans.push(this.#span(value, block, block === this.#tip ? Number.POSITIVE_INFINITY : block))
    this.#trim(spans)
  }

  /**
   * Records that a key changed in the block after the tip, or later, to `value` if known. Returns whether a value was
   * open.
   */
  change(spans: Span[], block: number, value: Span['value'] | undefined): boolean {
    let changed = false
    for (const span of spans) {
      if (!this.isOpen(span)) continue
      span.to = block - 1
      changed = true
    }
    if (!changed) return false
    if (value !== undefined) {
      spans.push(this.#span(value, block, Number.POSITIVE_INFINITY))
      this.#trim(spans)
    }
    return true
  }

  /** Moves to a later block at which every open value holds. */
  moveTo(tip: number): void {
    this.#tip = tip
  }

  /** Ends every open value at the tip, and continues at a block with unknown state. */
  restartAt(tip: number): void {
    if (this.#hasOpen) this.#ends.set(this.#generation++, this.#tip)
    this.#hasOpen = false
    this.#tip = tip
  }

  /**
   * After a restart: declares that a key's value at `end`, the earlier tip, also holds at the tip. Returns whether it
   * had one.
   */
  carry(spans: Span[], end: number): boolean {
    const last = this.find(spans, end)
    if (!last || this.find(spans, this.#tip)) return false
    if (end === this.#tip - 1) {
      this.#open(last)
    } else this.add(spans, last.value, this.#tip)
    return true
  }

  /**
   * Undoes blocks after `tip`; call it for every key, then call `rewindTo`. What held at `tip` holds up to the tip
   * again. Returns whether anything changed.
   */
  rewind(spans: Span[], tip: number): boolean {
    let changed = false
    for (let index = spans.length - 1; index >= 0; index--) {
      const span = spans[index] as Span
      if (span.from > tip) spans.splice(index, 1)
      else if (this.endOf(span) >= tip && !this.isOpen(span)) {
        this.#open(span)
      } else continue
      changed = true
    }
    return changed
  }

  rewindTo(tip: number): void {
    this.#tip = tip
  }

  /**
   * Keeps only a key's open and kept values; call it for every key, then call `swept`. Returns whether anything
   * changed.
   */
  sweep(spans: Span[]): boolean {
    let changed = false
    for (let index = spans.length - 1; index >= 0; index--) {
      const span = spans[index] as Span
      const end = this.endOf(span)
      if (end === Number.POSITIVE_INFINITY || (span.to === end && this.isKept(span))) continue
      if (this.isKept(span)) span.to = end
      else spans.splice(index, 1)
      changed = true
    }
    return changed
  }

  swept(): void {
    this.#ends.clear()
  }

  #open(span: Span): void {
    span.to = Number.POSITIVE_INFINITY
    span.generation = this.#generation
    this.#hasOpen = true
  }

  #span(value: Span['value'], from: number, to: number): Span {
    if (to === Number.POSITIVE_INFINITY) this.#hasOpen = true
    return { value, from, to, generation: this.#generation }
  }

  /** Drops the value that ended first, but not the one added last, which a caller waits for. */
  #trim(spans: Span[]): void {
    if (spans.length <= spanLimit) return
    const free = spans.slice(0, -1).filter((span) => !this.isKept(span))
    const [first, ...rest] = free
    if (!first) return
    const oldest = rest.reduce((low, span) => (this.endOf(span) < this.endOf(low) ? span : low), first)
    spans.splice(spans.indexOf(oldest), 1)
  }
}
