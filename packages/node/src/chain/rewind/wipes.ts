import type { Address } from '@understudy/evm'
import type { Clock, Timer } from '../../shared/clock.ts'
import type { Service } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { loadSetting, saveSetting } from '../../storage/records/settings.ts'
import type { ChangeNotice } from '../../storage/tables.ts'
import type { Wipe, WipeSummary } from './wipe.ts'

/** The schedule of wipes. Times in milliseconds since 1970. */
export type WipeSchedule = {
  /** `null` for no interval. */
  intervalMs: number | null
  /** Spenders whose Permit2 allowances are kept. */
  routers: Address[]
  /** Whether to wipe when the process has started, before the first request is served. */
  onStartup: boolean
  lastWipeAt: number | null
}

/** The setting that holds the schedule. */
const scheduleKey = 'wipeSchedule'

/** A branch begins with what its parent has, and keeps it: it has a schedule once one is set for it. */
export const removeWipeSchedule = (queries: Queries) => saveSetting(queries, scheduleKey, null)

/** Whether a start of the process is still to come about for a network: it ends once, however often the network is opened. */
export type Startup = { isOver(): boolean; end(): void }

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
  startup,
  clock,
  logger,
}: {
  database: Database
  wipeNow: Wipe
  startup: Startup
  clock: Clock
  logger: Logger
}): Promise<Wipes> {
  let stored: Stored = (await loadSetting<Stored | null>(database.queries, scheduleKey)) ?? {
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
    await database.transaction((transaction) => saveSetting(transaction, scheduleKey, next))
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
      stored = (await loadSetting<Stored | null>(queries, scheduleKey)) ?? stored
      arm()
    },
    async start() {
      running = true
      if (stored.onStartup && !startup.isOver()) await wipe()
      else arm()
      startup.end()
    },
    async stop() {
      running = false
      timer?.cancel()
    },
  }
}
