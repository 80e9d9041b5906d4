/** A repeatable stream of choices. */
export type Random = {
  /** Between 0 and 1, without 1. */
  next(): number
  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number
  pick<T>(from: readonly T[]): T
}

/** Makes the stream of a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: (from) => from[below(from.length)] as (typeof from)[number] }
}
