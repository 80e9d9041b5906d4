import type { Word } from '@understudy/evm'
import { createBoundedCache } from '../../shared/caches.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Events } from '../../shared/events.ts'
import type { ChainEvents } from '../chainEvents.ts'
import type { AskUpstream } from '../origins.ts'

/** How long an unknown hash is not asked for again, in milliseconds. One of several endpoints may be behind. */
const holdsMs = 5000
/** Maximum number of unknown hashes; the oldest are forgotten. */
const unknownLimit = 10_000

/** Reads the live chain's transactions, receipts and blocks by hash. Resolves with `null` if it has none. */
export type ReadByHash = <T>(method: string, hash: Word, ...more: unknown[]) => Promise<T | null>

/**
 * Remembers the hashes that the live chain does not know, until its next head: only what it had before the fork is
 * part of the network, so such a hash stays unknown. Test suites ask for them again and again.
 */
export function createHashReads({
  upstream,
  events,
  clock,
}: {
  upstream: AskUpstream | undefined
  events: Events<ChainEvents>
  clock: Clock
}): ReadByHash {
  const unknown = createBoundedCache<Word, number>(unknownLimit)
  events.on('upstream', () => unknown.clear())
  return async <T>(method: string, hash: Word, ...more: unknown[]) => {
    if (!upstream) return null
    const unknownSince = unknown.get(hash)
    if (unknownSince !== undefined && clock.now() - unknownSince < holdsMs) return null
    const askedAt = clock.now()
    const answer = await upstream<T | null>(method, [hash, ...more])
    if (answer === null) unknown.set(hash, askedAt)
    return answer
  }
}
