const shortestMs = 250
const longestMs = 5_000
/** Used until two blocks were seen. */
const firstGuessMs = 1_000
/** Number of blocks over which the time is averaged. */
const window = 32n

/** Estimates the block time of a chain from its heads. */
export class BlockTimes {
  #seen: { number: bigint; timestamp: bigint }[] = []

  /** `timestamp` in seconds. */
  add(number: bigint, timestamp: bigint): void {
    this.#seen = [
      ...this.#seen.filter((block) => block.number < number && block.number >= number - window),
      { number, timestamp },
    ]
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
