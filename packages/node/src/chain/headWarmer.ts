import type { Events } from '../shared/events.ts'
import type { Logger } from '../shared/logger.ts'
import type { State } from '../state/state.ts'
import type { UpstreamCache } from '../upstream/cache/upstreamCache.ts'
import type { ChainEvents } from './chainEvents.ts'
import type { History } from './history/history.ts'

type Needs = {
  history: Pick<History, 'head'>
  chainEvents: Events<ChainEvents>
  state: Pick<State, 'latest'>
  cache: UpstreamCache
  logger: Logger
}

/** When the base moves, prefetches what recent calls read. Returns a function that stops it. */
export function warmHeads({ history, chainEvents, state, cache, logger }: Needs): () => Promise<void> {
  let base = history.head().base.hash
  let warming: Promise<void> | undefined

  function warm(): void {
    const { hash } = history.head().base
    if (warming || hash === base) return
    base = hash
    warming = state
      .latest()
      .load(cache.recentlyRead())
      .catch((error) => logger.debug({ err: error }, 'Could not prefetch'))
      .finally(() => {
        warming = undefined
      })
  }

  const unsubscribe = chainEvents.on('head', warm)
  return async () => {
    unsubscribe()
    await warming
  }
}
