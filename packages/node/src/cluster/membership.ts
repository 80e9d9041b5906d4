import { type Clock, pause, type Timer } from '../shared/clock.ts'
import { isNetworkError } from '../shared/errors.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { createMutex } from '../shared/mutex.ts'
import type { ChangeNotice } from '../storage/changeNotice.ts'
import type { Database, Queries, SharedDatabase } from '../storage/database.ts'
import type { LeaseRecord } from '../storage/records/lease.ts'
import { createChangeReader } from './changeReader.ts'
import { createLease } from './lease.ts'

/** How the services react when the node's role changes. */
export type ClusterServices = {
  /** Loads what another node stored. */
  takeIn(notice: ChangeNotice): Promise<void>
  /** Starts sealing blocks and running schedules, on memory that is up to date. */
  beginSealing(when: 'at startup' | 'as another one'): Promise<void>
  /** Stops this; work in progress fails, because nothing can be stored any more. */
  endSealing(): Promise<void>
}

export type NodeStatus = {
  id: string
  role: 'sealer' | 'reader'
  /** The sealer; `undefined` while there is none. */
  sealer: { id: string; url: string | undefined } | undefined
  /** The last revision that this node has loaded. */
  revision: number
  /** The number of revisions that this node has not loaded yet. */
  behind: number
}

/** This process as one of the nodes of a network: one seals, the others read. */
export type Membership = Pick<Service, 'stop'> & {
  /** Runs a write transaction. Fails with `NETWORK_TAKEN_OVER` while this node does not seal. */
  readonly database: Database
  isSealer(): boolean
  /** Whether it may write: it seals, or is about to. */
  isWriter(): boolean
  sealer(): LeaseRecord | undefined
  status(): NodeStatus
  /** The last revision that this node stored or loaded. */
  revision(): number
  /** Resolves when this node has loaded a revision, or after a timeout. */
  reach(revision: number): Promise<void>
  /** Loads everything that changed. */
  catchUp(): Promise<void>
  /** Determines whether this node seals; otherwise another one must have created the network. */
  join(): Promise<void>
  /** From now on, seals or reads with these services. */
  begin(parts: ClusterServices): Promise<void>
}

export type MembershipOptions = {
  /** How long a sealer may be silent before another node takes over. */
  leaseMs: number
  /** How often the sealer renews its lease. */
  heartbeatMs: number
  /** How often a reader polls for changes without a notification. */
  pollMs: number
}

type Needs = {
  shared: SharedDatabase
  /** Whether the network is complete, so that a node may open it without writing. */
  isCreated(queries: Queries): Promise<boolean>
  id: string
  createSecret: () => string
  /** The URL at which other nodes reach this one; `undefined` until it listens. */
  url: () => string | undefined
  clock: Clock
  logger: Logger
}

/** How long an answer waits until this node has loaded its revision. */
const reachMs = 5_000
/** What a failed transaction means for this node: it lost the database, or another node writes. */
const doubtful = ['NETWORK_TAKEN_OVER', 'DATABASE_UNAVAILABLE', 'DATABASE_OUTCOME_UNKNOWN', 'DATABASE_AHEAD'] as const

/** How long after a failed change of roles to retry. */
const retryMs = 300

export function createMembership(options: MembershipOptions, needs: Needs): Membership {
  const { shared, isCreated, id, clock, logger } = needs
  const lease = createLease(
    { lastsMs: options.leaseMs, everyMs: options.heartbeatMs },
    { ...needs, queries: shared.aside },
  )
  const changes = createChangeReader(options, {
    shared,
    takeIn: (of) => parts?.takeIn(of) ?? Promise.resolve(),
    clock,
    logger,
  })
  const turns = createMutex()
  let parts: ClusterServices | undefined
  /** Whether it has the write connection. `join` may leave it out although the lease becomes free before `begin`. */
  let writing = false
  let sealing = false
  let reading = false
  /** Memory may differ from the database: reload it before this node seals again. */
  let inDoubt = false
  let heard = 0
  let timer: Timer | undefined
  let stopped = false

  const database: Database = {
    ...shared,
    // If this node fails, another one takes over, and this one may recover.
    failed: new Promise(() => {}),
    async transaction(task) {
      try {
        return await shared.transaction(task)
      } catch (error) {
        if (doubtful.some((kind) => isNetworkError(error, kind))) doubt()
        throw error
      }
    },
  }

  async function beginWriting(): Promise<void> {
    await shared.beginWriting()
    writing = true
  }

  function endWriting(): void {
    shared.endWriting()
    writing = false
  }

  function doubt(): void {
    if (!sealing) return
    inDoubt = true
    endWriting()
    void lease.look().catch(() => {})
    settle()
  }

  async function seal(): Promise<void> {
    await beginWriting()
    reading = false
    await changes.stop()
    await changes.refresh(inDoubt ? 'anew' : 'what changed')
    inDoubt = false
    await parts?.beginSealing('as another one')
    sealing = true
    logger.info({ node: id, term: lease.seen()?.term }, 'Took over: this node seals')
  }

  async function stepBack(): Promise<void> {
    sealing = false
    inDoubt = true
    endWriting()
    logger.warn({ node: id }, 'Stepped back: another node seals, or this one was cut off')
    await parts?.endSealing()
  }

  async function read(): Promise<void> {
    await changes.refresh(inDoubt ? 'anew' : 'what changed')
    inDoubt = false
    await changes.start()
    reading = true
  }

  async function turn(): Promise<void> {
    if (!parts || stopped) return
    if (sealing && (inDoubt || !lease.isHeld())) await stepBack()
    if (!sealing && lease.isHeld()) await seal()
    else if (!sealing && !reading) await read()
  }

  /** Switches this node to the role that the lease gives it. */
  function settle(): void {
    turns.run(turn).catch((error) => {
      logger.warn({ err: error }, 'Could not change the role; retrying')
      timer?.cancel()
      timer = clock.after(retryMs, settle)
    })
  }

  lease.events.on('taken', settle)
  lease.events.on('lost', () => {
    endWriting()
    settle()
  })

  const revision = () => (sealing ? shared.commits() : changes.revision())

  return {
    database,
    isSealer: () => sealing,
    isWriter: () => writing,
    sealer: lease.seen,
    revision,
    status() {
      const seen = lease.seen()
      return {
        id,
        role: sealing ? 'sealer' : 'reader',
        sealer: seen && seen.holder !== '' ? { id: seen.holder, url: seen.url } : undefined,
        revision: revision(),
        behind: Math.max(0, heard - revision()),
      }
    },
    async reach(wanted) {
      heard = Math.max(heard, wanted)
      await changes.reach(wanted, reachMs)
    },
    async catchUp() {
      await changes.look()
    },
    async join() {
      for (;;) {
        if (await lease.look()) {
          try {
            await beginWriting()
            break
          } catch (error) {
            if (!isNetworkError(error, 'NETWORK_IN_USE')) throw error
          }
        } else if (await isCreated(shared.queries)) break
        await pause(clock, retryMs)
      }
      await lease.start()
    },
    async begin(given) {
      parts = given
      await turns.run(async () => {
        if (writing && lease.isHeld()) {
          await given.beginSealing('at startup')
          sealing = true
          return
        }
        inDoubt = true
        await (lease.isHeld() ? seal() : read())
      })
    },
    async stop() {
      stopped = true
      timer?.cancel()
      await turns.run(async () => {})
      await changes.stop()
      if (sealing) await parts?.endSealing()
      sealing = false
      endWriting()
      await lease.stop()
    },
  }
}
