import type { Chain } from '../chain/chain.ts'
import type { Logger } from '../shared/logger.ts'
import type { State } from '../state/state.ts'
import type { UpstreamCache } from '../upstream/cache/upstreamCache.ts'

type Needs = {
  chain: Pick<Chain, 'events' | 'head'>
  state: Pick<State, 'latest'>
  cache: UpstreamCache
  logger: Logger
}

/** Loads what recent calls read each time the base moves, before it is asked for. Returns what ends it. */
export function warmHeads({ chain, state, cache, logger }: Needs): () => Promise<void> {
  let base = chain.head().base.hash
  let warming: Promise<void> | undefined

  function warm(): void {
    const { hash } = chain.head().base
    if (warming || hash === base) return
    base = hash
    warming = state
      .latest()
      .load(cache.recentlyRead())
      .catch((error) => logger.debug({ err: error }, 'Could not load ahead'))
      .finally(() => {
        warming = undefined
      })
  }

  const unsubscribe = chain.events.on('head', warm)
  return async () => {
    unsubscribe()
    await warming
  }
}
