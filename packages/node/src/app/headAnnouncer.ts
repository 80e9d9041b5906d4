import type { UpstreamCache } from '../upstream/cache/upstreamCache.ts'
import type { HeadWatcher, UpstreamHead } from '../upstream/head/head.ts'
import type { ChainRules } from '../upstream/rules/chainRules.ts'

type Needs = {
  head: Pick<HeadWatcher, 'current' | 'events'>
  cache: UpstreamCache
  rules: Pick<ChainRules, 'follow'>
  /** Called with each head that the network moves to. */
  announce(head: UpstreamHead): void
}

/**
 * Follows upstream's head. The network hears of a head when the cache knows what holds there, and by which rules; of those that come meanwhile
 * it hears of the newest only. Resolves, when the network has heard of the head there is, with what ends it.
 */
export async function announceHeads({ head, cache, rules, announce }: Needs): Promise<() => Promise<void>> {
  let announced: UpstreamHead | undefined
  let moving: Promise<void> | undefined
  let stopped = false

  async function move(): Promise<void> {
    for (;;) {
      const next = head.current()
      if (!next || next === announced || stopped) return
      await Promise.all([cache.moveTo(next), rules.follow(next)])
      announced = next
      if (!stopped) announce(next)
    }
  }

  function update(): Promise<void> {
    moving ??= move().finally(() => {
      moving = undefined
    })
    return moving
  }

  const unsubscribe = head.events.on('head', () => void update())
  await update()
  return async () => {
    stopped = true
    unsubscribe()
    await moving
  }
}
