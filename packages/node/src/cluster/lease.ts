import { createMutex } from '../shared/async/mutex.ts'
import type { Clock, Timer } from '../shared/clock.ts'
import type { Events } from '../shared/events.ts'
import { createEvents } from '../shared/events.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { Queries } from '../storage/database.ts'
import { giveLeaseUp, type LeaseRecord, loadLease, renewLease, takeLease } from '../storage/records/lease.ts'

export type LeaseTimes = {
  /** How long a lease lasts without renewal. */
  lastsMs: number
  /** How often to renew it, or to check it while waiting for it. */
  everyMs: number
}

/** The right to change the network. One node has it at a time, while it renews it. */
export type Lease = Service & {
  readonly events: Events<{ taken: undefined; lost: undefined; seen: LeaseRecord }>
  isHeld(): boolean
  /** The lease as last read. */
  seen(): LeaseRecord | undefined
  /** Reads the lease and takes it if it is free. Returns whether this node holds it. */
  poll(): Promise<boolean>
}

type Needs = {
  /** Read only. */
  queries: Queries
  /** The id of this node. */
  id: string
  createSecret: () => string
  /** The URL at which other nodes reach this one; `undefined` until it listens. */
  url: () => string | undefined
  clock: Clock
  logger: Logger
}

export function createLease({ lastsMs, everyMs }: LeaseTimes, needs: Needs): Lease {
  const { queries, id, createSecret, url, clock, logger } = needs
  const events: Lease['events'] = createEvents((error) => logger.error({ err: error }, 'A listener failed'))
  const mutex = createMutex()
  let term: number | undefined
  let renewedAt = 0
  let seen: LeaseRecord | undefined
  let timer: Timer | undefined
  let running = false

  function see(record: LeaseRecord): void {
    const isOther = record.term !== seen?.term || record.url !== seen.url
    seen = record
    if (isOther) events.emit('seen', record)
  }

  function lose(): void {
    term = undefined
    events.emit('lost', undefined)
  }

  /** If the database is unreachable, the lease is lost when it must have expired there. */
  async function renew(held: number): Promise<void> {
    const startedAt = clock.now()
    try {
      if (await renewLease(queries, { term: held, url: url(), forMs: lastsMs })) renewedAt = startedAt
      else lose()
    } catch (error) {
      if (clock.now() - renewedAt >= lastsMs) lose()
      throw error
    }
  }

  async function pollNow(): Promise<boolean> {
    if (term !== undefined) await renew(term)
    const record = await loadLease(queries)
    see(record)
    if (term === undefined && record.leftMs <= 0) {
      const startedAt = clock.now()
      term = await takeLease(queries, { holder: id, secret: createSecret(), forMs: lastsMs })
      if (term !== undefined) {
        renewedAt = startedAt
        see(await loadLease(queries))
        events.emit('taken', undefined)
      }
    }
    return term !== undefined
  }

  function schedule(): void {
    if (!running) return
    timer = clock.after(everyMs, () => {
      mutex
        .run(pollNow)
        .catch((error) => logger.warn({ err: error }, 'Could not read the lease; retrying'))
        .finally(schedule)
    })
  }

  return {
    events,
    isHeld: () => term !== undefined,
    seen: () => seen,
    poll: () => mutex.run(pollNow),
    async start() {
      running = true
      schedule()
    },
    async stop() {
      running = false
      timer?.cancel()
      await mutex.run(async () => {
        if (term !== undefined) await giveLeaseUp(queries, term)
        term = undefined
      })
    },
  }
}
