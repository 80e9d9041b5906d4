import { createMutex } from '../shared/async/mutex.ts'
import { type Clock, type Timer, within } from '../shared/clock.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { SharedDatabase } from '../storage/database.ts'
import { loadChangedTables, loadRevision } from '../storage/records/revisions.ts'
import type { ChangeNotice } from '../storage/tables.ts'

/** Keeps this node up to date with what other nodes store, between `start` and `stop`. */
export type ChangeReader = Service & {
  /** The last revision that this node has loaded. */
  revision(): number
  /** Resolves when this node has loaded a revision, or after `withinMs`. */
  reach(revision: number, withinMs: number): Promise<void>
  /** Polls now. Does nothing while stopped: the sealer's memory is the source. */
  poll(): Promise<void>
  /**
   * Loads everything that changed, even while stopped; with `anew`, also what did not change, for memory that may be
   * wrong.
   */
  refresh(how: 'anew' | 'what changed'): Promise<void>
}

type Needs = {
  shared: SharedDatabase
  /** Passes a change notice to every service that it concerns. */
  applyRemoteChanges(notice: ChangeNotice): Promise<void>
  clock: Clock
  logger: Logger
}

/** `pollMs`: how often to poll without a notification. */
export function createChangeReader(
  { pollMs }: { pollMs: number },
  { shared, applyRemoteChanges, clock, logger }: Needs,
): ChangeReader {
  let known = -1
  /** Only one refresh runs at a time, so that memory never goes back to an older read. */
  const refreshes = createMutex()
  /** Callers that arrive before it begins share it. */
  let next: Promise<void> | undefined
  let timer: Timer | undefined
  let unlisten: (() => Promise<void>) | undefined
  let running = false

  async function refreshNow(how: 'anew' | 'what changed'): Promise<void> {
    await shared.snapshot(async (queries) => {
      const revision = await loadRevision(queries)
      if (revision === known && how !== 'anew') return
      const changed = how === 'anew' ? undefined : await loadChangedTables(queries, known)
      await applyRemoteChanges({ queries, isChanged: (table) => changed === undefined || changed.has(table) })
      known = revision
    })
  }

  function poll(): Promise<void> {
    next ??= refreshes.run(async () => {
      next = undefined
      if (running) await refreshNow('what changed')
    })
    return next
  }

  const tryToPoll = () => poll().catch((error) => logger.warn({ err: error }, 'Could not load changes; retrying'))

  function schedule(): void {
    if (!running) return
    timer = clock.after(pollMs, () => void tryToPoll().finally(schedule))
  }

  return {
    revision: () => known,
    async reach(revision, withinMs) {
      if (known >= revision) return
      let isLate = false
      const polling = async () => {
        while (running && known < revision && !isLate) await tryToPoll()
      }
      await within(clock, withinMs, polling(), () => {
        isLate = true
      })
    },
    poll,
    refresh: (how) => refreshes.run(() => refreshNow(how)),
    async start() {
      running = true
      unlisten = await shared.listen(() => void tryToPoll())
      schedule()
    },
    async stop() {
      running = false
      timer?.cancel()
      await unlisten?.()
      await refreshes.run(async () => {})
    },
  }
}
