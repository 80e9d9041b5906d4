/** Operations between two digests of a run. */
export const digestInterval = 1024

/** Hashes of a run at regular intervals: of its operations up to one, and of the values that those before it read. */
export class Digests {
  readonly #steps: bigint[] = []
  readonly #reads: bigint[] = []

  /** Adds the hashes at the next interval. */
  add(steps: bigint, reads: bigint): void {
    this.#steps.push(steps)
    this.#reads.push(reads)
  }

  /** Where the first operations that differ are, and the first values: from these operations on, within an interval. */
  firstDifference(other: Digests): { steps: number; reads: number } {
    return { steps: lastEqual(this.#steps, other.#steps), reads: lastEqual(this.#reads, other.#reads) }
  }
}

/** The operation at the last digest that both have. */
function lastEqual(a: readonly bigint[], b: readonly bigint[]): number {
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a[at] === b[at]) at++
  return Math.max(0, at - 1) * digestInterval
}
