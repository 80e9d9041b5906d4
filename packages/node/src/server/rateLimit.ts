import type { Clock } from '../shared/clock.ts'

/** Answers whether one more request may pass now: at most `perSecond`, of which a whole second's may come at once. */
export function createRateLimit(perSecond: number, clock: Clock): () => boolean {
  let tokens = perSecond
  let filledAt = clock.now()
  return () => {
    const now = clock.now()
    tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1000) * perSecond)
    filledAt = now
    if (tokens < 1) return false
    tokens--
    return true
  }
}
