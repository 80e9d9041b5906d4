import type { Clock, Timer } from '../shared/clock.ts'
import { pause } from '../shared/clock.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { SharedDatabase } from '../storage/database.ts'
import type { News } from '../storage/news.ts'
import { loadChangedTables, loadRevision } from '../storage/records/revisions.ts'

/** Keeps this node up to date with what another one stores. */
export type NewsReader = Service & {
  /** Everything up to this revision is known here. */
  revision(): number
  /** Resolves when this node knows what the network had at a revision, or after `withinMs`. */
  reach(revision: number, withinMs: number): Promise<void>
  /** Brings everything up to date now; `anew` also what did not change, for memory that may be wrong. */
  refresh(how?: 'anew'): Promise<void>
}

type Needs = {
  shared: SharedDatabase
  /** Takes news in, wherever they concern somebody. */
  takeIn(news: News): Promise<void>
  clock: Clock
  logger: Logger
}

/** `pollMs`: how often the network is looked at although nobody said that it changed. */
export function createNewsReader({ pollMs }: { pollMs: number }, { shared, takeIn, clock, logger }: Needs): NewsReader {
  let known = -1
  let last: Promise<void> = Promise.resolve()
  /** What is asked for while a refresh runs is answered by one more, however often it is asked. */
  let next: Promise<void> | undefined
  let timer: Timer | undefined
  let unlisten: (() => Promise<void>) | undefined
  let running = false

  async function refreshNow(anew: boolean): Promise<void> {
    await shared.snapshot(async (queries) => {
      const revision = await loadRevision(queries)
      if (revision === known && !anew) return
      const changed = anew ? undefined : await loadChangedTables(queries, known)
      await takeIn({ queries, isChanged: (table) => changed === undefined || changed.has(table) })
      known = revision
    })
  }

  function refresh(): Promise<void> {
    next ??= last.then(() => {
      next = undefined
      last = refreshNow(false)
      const done = last
      last = done.catch(() => {})
      return done
    })
    return next
  }

  const tryRefresh = () =>
    refresh().catch((error) => logger.warn({ err: error }, 'Could not learn what changed; trying again'))

  function schedule(): void {
    if (!running) return
    timer = clock.after(pollMs, () => void tryRefresh().finally(schedule))
  }

  return {
    revision: () => known,
    async reach(revision, withinMs) {
      const late = new AbortController()
      const limit = pause(clock, withinMs, late.signal).catch(() => {})
      let isLate = false
      void limit.then(() => {
        isLate = true
      })
      while (known < revision && !isLate) await Promise.race([tryRefresh(), limit])
      late.abort()
    },
    async refresh(how) {
      if (how !== 'anew') return refresh()
      last = last.then(() => refreshNow(true))
      const done = last
      last = done.catch(() => {})
      return done
    },
    async start() {
      running = true
      unlisten = await shared.listen(() => void tryRefresh())
      schedule()
    },
    async stop() {
      running = false
      timer?.cancel()
      await unlisten?.()
      await last
    },
  }
}
