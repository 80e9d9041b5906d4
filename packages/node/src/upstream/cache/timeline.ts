import type { Word } from '@understudy/evm'

/** A value of upstream's state, and the blocks for which it is known to hold. */
export type Span = {
  readonly value: bigint | Word
  /** The first block. */
  readonly from: number
  /** The last block; infinite while it holds at the tip, or held at the end of its generation. */
  to: number
  generation: number
}

/** A timeline as it is stored. */
export type TimelineRecord = { tip: number; generation: number; ends: [generation: number, end: number][] }

/** Values of one key that are kept at a time. */
const spanLimit = 4

/**
 * The blocks that the cache has seen, up to its tip, beyond which nothing is known. An open value holds up to the tip, and goes on
 * to hold as the tip moves over blocks whose changes are known. Where they are not, every open value ends with its generation.
 */
export class Timeline {
  /** A block whose values are kept, however old they get. */
  readonly keep: number
  #tip: number
  #generation = 0
  /** Whether any value may be open in this generation. */
  #hasOpen = false
  /** The last block of each generation that is over. */
  readonly #ends = new Map<number, number>()

  constructor(tip: number, keep: number) {
    this.#tip = tip
    this.keep = keep
  }

  /** Goes on where a timeline was stored. */
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

  /** Generations that are over, and whose ends have to be remembered. */
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

  /** Nothing is known of blocks after the tip, whatever is known of the tip. */
  find(spans: readonly Span[], block: number): Span | undefined {
    if (block > this.#tip) return undefined
    return spans.find((span) => span.from <= block && block <= this.endOf(span))
  }

  /** Adds what was read at a block. */
  add(spans: Span[], value: Span['value'], block: number): void {
    if (block > this.#tip || this.find(spans, block)) return
    spans.push(this.#span(value, block, block === this.#tip ? Number.POSITIVE_INFINITY : block))
    this.#trim(spans)
  }

  /** Says that a key changed in the block after the tip, or later, to `value` if that is known. Answers whether anything was open. */
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

  /** Goes on at a later block; whatever is open holds there too. */
  moveTo(tip: number): void {
    this.#tip = tip
  }

  /** Ends every open value at the tip, and goes on at a block of which nothing is known. */
  restartAt(tip: number): void {
    if (this.#hasOpen) this.#ends.set(this.#generation++, this.#tip)
    this.#hasOpen = false
    this.#tip = tip
  }

  /** After a restart: says of a key that what held at `end`, the tip of that time, holds at the tip as well. Answers whether anything did. */
  carry(spans: Span[], end: number): boolean {
    const last = this.find(spans, end)
    if (!last || this.find(spans, this.#tip)) return false
    if (end === this.#tip - 1) {
      this.#open(last)
    } else this.add(spans, last.value, this.#tip)
    return true
  }

  /**
   * Takes blocks after `tip` back; to be done with every key, and then with `rewindTo`. What held at `tip` holds up to the tip
   * again. Answers whether anything is another now.
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

  /** Leaves of a key only what is open or kept; to be done with every key, and then with `swept`. Answers whether anything is another now. */
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

  /** Leaves out what ended first, but for what was added last: somebody waits for it. */
  #trim(spans: Span[]): void {
    if (spans.length <= spanLimit) return
    const free = spans.slice(0, -1).filter((span) => !this.isKept(span))
    const [first, ...rest] = free
    if (!first) return
    const oldest = rest.reduce((low, span) => (this.endOf(span) < this.endOf(low) ? span : low), first)
    spans.splice(spans.indexOf(oldest), 1)
  }
}
