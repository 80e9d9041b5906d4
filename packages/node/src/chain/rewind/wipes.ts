import type { Address } from '@understudy/evm'
import type { Clock, Timer } from '../../shared/clock.ts'
import type { Service } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import type { ChangeNotice } from '../../storage/changeNotice.ts'
import type { Database } from '../../storage/database.ts'
import { loadSetting, saveSetting } from '../../storage/records/settings.ts'
import type { Wipe, WipeSummary } from './wipe.ts'

/** The schedule of wipes. Times in milliseconds since 1970. */
export type WipeSchedule = {
  /** `null` for no interval. */
  intervalMs: number | null
  /** Spenders whose Permit2 allowances are kept. */
  routers: Address[]
  /** Whether to wipe before the first request is served. */
  onStartup: boolean
  lastWipeAt: number | null
}

/** Wipes of local state: on request, at startup, and at an interval. */
export type Wipes = Service & {
  /** `routers` defaults to those of the schedule. */
  wipe(routers?: readonly Address[]): Promise<WipeSummary>
  schedule(): WipeSchedule
  /** Starts the schedule, without the wipe at startup. */
  resume(): void
  /** Loads what another node stored. */
  refresh(notice: ChangeNotice): Promise<void>
  /** Changes the given fields; durable when it resolves. */
  setSchedule(changes: Partial<Pick<WipeSchedule, 'intervalMs' | 'routers' | 'onStartup'>>): Promise<WipeSchedule>
}

/** `since` is the start of the interval: the last wipe, or the time when the schedule was set. */
type Stored = WipeSchedule & { since: number }

/** The maximum delay of timers; longer waits are split. */
const longestWaitMs = 86_400_000

export async function createWipes({
  database,
  wipeNow,
  clock,
  logger,
}: {
  database: Database
  wipeNow: Wipe
  clock: Clock
  logger: Logger
}): Promise<Wipes> {
  let stored: Stored = (await loadSetting<Stored>(database.queries, 'wipeSchedule')) ?? {
    intervalMs: null,
    routers: [],
    onStartup: false,
    lastWipeAt: null,
    since: clock.now(),
  }
  let timer: Timer | undefined
  let running = false

  async function save(changes: Partial<Stored>): Promise<void> {
    const next = { ...stored, ...changes }
    await database.transaction((transaction) => saveSetting(transaction, 'wipeSchedule', next))
    stored = next
    arm()
  }

  function arm(): void {
    timer?.cancel()
    timer = undefined
    if (!running || stored.intervalMs === null) return
    const wait = Math.max(0, stored.since + stored.intervalMs - clock.now())
    timer = clock.after(Math.min(wait, longestWaitMs), () => {
      if (wait > longestWaitMs) return arm()
      wipe().catch((error) => {
        logger.error({ err: error }, 'Could not wipe local state; retrying at the next interval')
        stored.since = clock.now()
        arm()
      })
    })
  }

  async function wipe(routers: readonly Address[] = stored.routers): Promise<WipeSummary> {
    const summary = await wipeNow(routers)
    const now = clock.now()
    await save({ lastWipeAt: now, since: now })
    logger.info({ ...summary }, 'Wiped local state')
    return summary
  }

  const schedule = (): WipeSchedule => {
    const { since, ...shown } = stored
    return shown
  }

  return {
    wipe,
    schedule,
    async setSchedule(changes) {
      await save({ ...changes, ...(changes.intervalMs !== undefined && { since: clock.now() }) })
      return schedule()
    },
    resume() {
      running = true
      arm()
    },
    async refresh({ queries }) {
      stored = (await loadSetting<Stored>(queries, 'wipeSchedule')) ?? stored
      arm()
    },
    async start() {
      running = true
      if (stored.onStartup) await wipe()
      else arm()
    },
    async stop() {
      running = false
      timer?.cancel()
    },
  }
}
