import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** A stream of choices that is the same for the same seed. */
export type Random = {
  /** From 0 up to but not including 1. */
  next(): number
  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number
  /** A whole number, limits included. */
  integer(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  bytes(length: number): Uint8Array
}

export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed)
  const next = () => uniformFloat64(generator)
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    integer: (from, to) => from + below(to - from + 1),
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  }
}
