import type { UpstreamCache } from '../upstream/cache/upstreamCache.ts'
import type { HeadWatcher, UpstreamHead } from '../upstream/head/head.ts'
import type { ChainRules } from '../upstream/rules/chainRules.ts'

type Needs = {
  head: Pick<HeadWatcher, 'current' | 'events'>
  cache: UpstreamCache
  rules: Pick<ChainRules, 'follow'>
  /** Called with each head that the base moves to. */
  announce(head: UpstreamHead): void
}

/**
 * Announces upstream's heads. A head is announced when the cache knows which values and which rules hold there; older
 * heads that arrive during this time are skipped. Resolves after the current head was announced, with a function that
 * stops it.
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
