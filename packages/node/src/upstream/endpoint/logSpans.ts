import { type EndpointProfile, refusalMs } from './endpointProfile.ts'

/** Number of whole parts before a larger one is tried. */
const trials = 8

type Found = Pick<EndpointProfile, 'logBlocks' | 'logRows' | 'foundAt'>

/** The number of blocks that an endpoint takes in one query of logs, found by what it refuses. */
export class LogSpans {
  readonly #now: () => number
  #most: bigint | undefined
  /** The fewest that were refused. */
  #least = 0n
  #isNamed = false
  #isProven = false
  #wholes = 0
  #since = 0
  #rows: { most: number; since: number } | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** `undefined` while nothing is known. */
  most(): bigint | undefined {
    if (this.#now() - this.#since >= refusalMs) this.#most = undefined
    return this.#most
  }

  /** Whether `most` was answered. */
  isProven(): boolean {
    return this.#isProven && this.most() !== undefined
  }

  /** Whether `most` was answered, and more is known to be refused. What is left between both is halved until it is small. */
  isExact(): boolean {
    return this.#isProven && this.#most !== undefined && this.#least - this.#most <= 1n + this.#most / 8n
  }

  /**
   * The size of the next part. After several whole ones, one of them is larger than what is known to work: a limit may
   * have been named wrongly, or found by halving. `isUrgent`: at once, because the known size does not suffice.
   */
  next(isUrgent: boolean): bigint | undefined {
    const blocks = this.most()
    if (blocks === undefined || this.isExact() || (this.#wholes < trials && !isUrgent)) return blocks
    this.#wholes = 0
    return this.#isNamed ? smaller(2n * blocks, this.#least - 1n) : (blocks + this.#least) / 2n
  }

  taken(blocks: bigint): void {
    if (this.#most === undefined || blocks < this.#most) return
    if (blocks > this.#most) this.#isNamed = false
    this.#wholes++
    this.#isProven = true
    this.#most = blocks
    if (this.#least <= blocks) this.#least = 2n * blocks + 1n
  }

  /** `next`: what to ask for instead; `isNamed` if upstream's words named it. */
  refused(blocks: bigint, next: { blocks: bigint; isNamed: boolean }): void {
    const before = this.most()
    if (before !== undefined && blocks > before) {
      // A larger part was tried. The limit that was named is the right one, then.
      this.#least = this.#isNamed ? before + 1n : smaller(this.#least, blocks)
      return
    }
    if (before === undefined) this.#since = this.#now()
    this.#most = next.blocks
    this.#isNamed = next.isNamed
    this.#least = blocks
    this.#isProven = false
    this.#wholes = 0
  }

  /** Its words named the most logs that it answers. */
  refusedRows(most: number): void {
    this.#rows = { most, since: this.#now() }
  }

  /** Call it when a single block was refused: it was not about their number. */
  forget(): void {
    this.#most = undefined
    this.#isProven = false
  }

  /** `undefined` if no query was refused. */
  found(now: number): Found | undefined {
    const blocks = this.isProven() ? this.#most : undefined
    const rows = this.#rows && now < this.#rows.since + refusalMs ? this.#rows : undefined
    if (blocks === undefined && rows === undefined) return undefined
    const times = [...(blocks === undefined ? [] : [this.#since]), ...(rows ? [rows.since] : [])]
    return {
      logBlocks: blocks === undefined ? undefined : Number(blocks),
      logRows: rows?.most,
      foundAt: Math.min(...times),
    }
  }

  know({ logBlocks, logRows, foundAt }: Found): void {
    if (logRows !== undefined) this.#rows = { most: logRows, since: foundAt }
    if (logBlocks === undefined) return
    this.#most = BigInt(logBlocks)
    this.#least = 2n * this.#most + 1n
    this.#isProven = true
    this.#since = foundAt
  }
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
