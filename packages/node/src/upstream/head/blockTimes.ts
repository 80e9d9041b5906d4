const shortestMs = 250
const longestMs = 5_000
/** Used until two blocks were seen. */
const firstGuessMs = 1_000
/** Number of blocks over which the time is averaged. */
const window = 32n
/** A chain with less time between its blocks, in milliseconds, is fast: its heads are skipped. */
const fastBlockMs = 900
/** So many heads in a row must come that fast: some blocks that are made at once do not make a chain fast. */
const fastHeads = 8

/** Estimates the block time of a chain from its heads. */
export class BlockTimes {
  #seen: { number: bigint; timestamp: bigint }[] = []
  #last: { number: bigint; seenAt: number } | undefined
  #fastHeads = 0

  /** `timestamp` in seconds; `seenAt` in milliseconds since 1970: timestamps say little of blocks that share them. */
  add(number: bigint, timestamp: bigint, seenAt: number): void {
    this.#seen = [
      ...this.#seen.filter((block) => block.number < number && block.number >= number - window),
      { number, timestamp },
    ]
    const blocks = this.#last ? Number(number - this.#last.number) : 0
    const isFast = this.#last !== undefined && blocks > 0 && (seenAt - this.#last.seenAt) / blocks < fastBlockMs
    this.#fastHeads = isFast ? this.#fastHeads + 1 : 0
    this.#last = { number, seenAt }
  }

  /** Whether blocks come faster than one a second. */
  get isFast(): boolean {
    return this.#fastHeads >= fastHeads
  }

  /** A quarter of the average block time, between 250 ms and 5 s: new heads are found soon, with few useless polls. */
  pollIntervalMs(): number {
    const [first] = this.#seen
    const last = this.#seen.at(-1)
    if (!first || !last || first === last) return firstGuessMs
    const blockMs = (Number(last.timestamp - first.timestamp) * 1000) / Number(last.number - first.number)
    return Math.min(longestMs, Math.max(shortestMs, Math.round(blockMs / 4)))
  }
}
