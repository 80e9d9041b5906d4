import { createRandom } from '../random.ts'
import type { Refusal } from './refusal.ts'

/** Faults of whole requests that depend on those before. */
export type RequestFaults = {
  /** A share of the requests, from 0 to 1, is refused so; each entry is drawn for itself. */
  sometimes?: readonly { share: number; refusal: Refusal }[]
  /** Every request is refused so once that many have arrived since this was set. */
  later?: { after: number; refusal: Refusal }
  /** Requests of one second beyond this number are refused. */
  rate?: { perSecond: number; refusal: Refusal }
}

/** Decides for one request after the other; the same seed draws the same. */
export function createRequestFaults(seed: number): (faults: RequestFaults) => Refusal | undefined {
  const random = createRandom(seed)
  const arrived = new WeakMap<object, number>()
  const passed = new WeakMap<object, number[]>()

  return ({ later, sometimes = [], rate }) => {
    if (later) {
      const before = arrived.get(later) ?? 0
      arrived.set(later, before + 1)
      if (before >= later.after) return later.refusal
    }
    // Draws for all of them, so that one does not shift what the next request gets.
    const drawn = sometimes.filter(({ share }) => random.chance(share))
    if (drawn[0]) return drawn[0].refusal
    if (rate) {
      const now = performance.now()
      const recent = (passed.get(rate) ?? []).filter((at) => at > now - 1_000)
      passed.set(rate, recent)
      if (recent.length >= rate.perSecond) return rate.refusal
      recent.push(now)
    }
    return undefined
  }
}
