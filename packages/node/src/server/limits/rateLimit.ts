import type { Holder } from '../../shared/budget/shares.ts'
import type { Clock } from '../../shared/clock.ts'

type Bucket = { tokens: number; filledAt: number }

/** How long a bucket takes to fill, in milliseconds. */
const fillMs = 1000

/** Returns whether a holder may make another request: at most `perSecond`, with bursts of up to one second's worth. */
export function createRateLimit(perSecond: number, clock: Clock): (holder: Holder) => boolean {
  const buckets = new Map<Holder, Bucket>()
  let sweptAt = clock.now()

  /** Deletes full buckets, because a client can use any number of addresses. */
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
