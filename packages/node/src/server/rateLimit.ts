import type { Holder } from '../shared/budget/shares.ts'
import type { Clock } from '../shared/clock.ts'

type Bucket = { tokens: number; filledAt: number }

/** How long a bucket takes to fill, in milliseconds. */
const fillMs = 1000

/** Answers whether one more request of a holder may pass now: at most `perSecond`, of which a whole second's may come at once. */
export function createRateLimit(perSecond: number, clock: Clock): (holder: Holder) => boolean {
  const buckets = new Map<Holder, Bucket>()
  let sweptAt = clock.now()

  /** Forgets those that are full again: there are as many addresses as a client wants. */
  function sweep(now: number): void {
    sweptAt = now
    for (const [holder, { filledAt }] of buckets) if (now - filledAt >= fillMs) buckets.delete(holder)
  }

  return (holder) => {
    const now = clock.now()
    if (now - sweptAt >= fillMs) sweep(now)
    const { tokens, filledAt } = buckets.get(holder) ?? { tokens: perSecond, filledAt: now }
    const filled = Math.min(perSecond, tokens + ((now - filledAt) / fillMs) * perSecond)
    buckets.set(holder, { tokens: filled < 1 ? filled : filled - 1, filledAt: now })
    return filled >= 1
  }
}
