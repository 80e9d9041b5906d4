import { createMutex } from '../shared/async/mutex.ts'
import { type Clock, pause, type Timer } from '../shared/clock.ts'
import { isNetworkError } from '../shared/errors.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database, Queries, SharedDatabase } from '../storage/database.ts'
import type { LeaseRecord } from '../storage/records/lease.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import { type ChangeReader, createChangeReader } from './changeReader.ts'
import { createLease, type Lease } from './lease.ts'

/** How the services react when the node's role changes. */
export type ClusterServices = {
  /** Loads what another node stored. */
  applyRemoteChanges(notice: ChangeNotice): Promise<void>
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
const unknownOutcomes = [
  'NETWORK_TAKEN_OVER',
  'DATABASE_UNAVAILABLE',
  'DATABASE_OUTCOME_UNKNOWN',
  'DATABASE_AHEAD',
] as const

/** How long after a failed change of roles to retry. */
const retryMs = 300

/** Seals or reads, as the lease says. */
class Roles {
  readonly #shared: SharedDatabase
  readonly #lease: Lease
  readonly #changes: ChangeReader
  readonly #id: string
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #turns = createMutex()
  #services: ClusterServices | undefined
  /** Whether it has the write connection. `join` may leave it out although the lease becomes free before `begin`. */
  #writing = false
  #sealing = false
  #reading = false
  /** Memory may differ from the database: reload it before this node seals again. */
  #needsReload = false
  #timer: Timer | undefined
  #stopped = false

  constructor(lease: Lease, options: MembershipOptions, { shared, id, clock, logger }: Needs) {
    this.#shared = shared
    this.#lease = lease
    this.#id = id
    this.#clock = clock
    this.#logger = logger
    const applyRemoteChanges = (notice: ChangeNotice) => this.#services?.applyRemoteChanges(notice) ?? Promise.resolve()
    this.#changes = createChangeReader(options, { shared, applyRemoteChanges, clock, logger })
    lease.events.on('taken', () => this.#settle())
    lease.events.on('lost', () => {
      this.#endWriting()
      this.#settle()
    })
  }

  get isSealer(): boolean {
    return this.#sealing
  }

  get isWriter(): boolean {
    return this.#writing
  }

  get changes(): ChangeReader {
    return this.#changes
  }

  /** The last revision that this node stored or loaded. */
  revision(): number {
    return this.#sealing ? this.#shared.commits() : this.#changes.revision()
  }

  async beginWriting(): Promise<void> {
    await this.#shared.beginWriting()
    this.#writing = true
  }

  /** A transaction failed so that another node may have written. */
  requireReload(): void {
    if (!this.#sealing) return
    this.#needsReload = true
    this.#endWriting()
    void this.#lease.poll().catch(() => {})
    this.#settle()
  }

  async begin(services: ClusterServices): Promise<void> {
    this.#services = services
    await this.#turns.run(async () => {
      if (this.#writing && this.#lease.isHeld()) {
        await services.beginSealing('at startup')
        this.#sealing = true
        return
      }
      this.#needsReload = true
      await (this.#lease.isHeld() ? this.#seal() : this.#read())
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#turns.run(async () => {})
    await this.#changes.stop()
    if (this.#sealing) await this.#services?.endSealing()
    this.#sealing = false
    this.#endWriting()
  }

  /** Switches this node to the role that the lease gives it. */
  #settle(): void {
    this.#turns
      .run(() => this.#turn())
      .catch((error) => {
        this.#logger.warn({ err: error }, 'Could not change the role; retrying')
        this.#timer?.cancel()
        this.#timer = this.#clock.after(retryMs, () => this.#settle())
      })
  }

  async #turn(): Promise<void> {
    if (!this.#services || this.#stopped) return
    if (this.#sealing && (this.#needsReload || !this.#lease.isHeld())) await this.#stepBack()
    if (!this.#sealing && this.#lease.isHeld()) await this.#seal()
    else if (!this.#sealing && !this.#reading) await this.#read()
  }

  async #seal(): Promise<void> {
    await this.beginWriting()
    this.#reading = false
    await this.#changes.stop()
    await this.#changes.refresh(this.#needsReload ? 'anew' : 'what changed')
    this.#needsReload = false
    await this.#services?.beginSealing('as another one')
    this.#sealing = true
    this.#logger.info({ node: this.#id, term: this.#lease.seen()?.term }, 'Took over: this node seals')
  }

  async #stepBack(): Promise<void> {
    this.#sealing = false
    this.#needsReload = true
    this.#endWriting()
    this.#logger.warn({ node: this.#id }, 'Stepped back: another node seals, or this one was cut off')
    await this.#services?.endSealing()
  }

  async #read(): Promise<void> {
    await this.#changes.refresh(this.#needsReload ? 'anew' : 'what changed')
    this.#needsReload = false
    await this.#changes.start()
    this.#reading = true
  }

  #endWriting(): void {
    this.#shared.endWriting()
    this.#writing = false
  }
}

export function createMembership(options: MembershipOptions, needs: Needs): Membership {
  const { shared, isCreated, id, clock } = needs
  const lease = createLease(
    { lastsMs: options.leaseMs, everyMs: options.heartbeatMs },
    { ...needs, queries: shared.sideConnection },
  )
  const roles = new Roles(lease, options, needs)
  let heard = 0

  const database: Database = {
    ...shared,
    // If this node fails, another one takes over, and this one may recover.
    failed: new Promise(() => {}),
    async transaction(task) {
      try {
        return await shared.transaction(task)
      } catch (error) {
        if (unknownOutcomes.some((kind) => isNetworkError(error, kind))) roles.requireReload()
        throw error
      }
    },
  }

  return {
    database,
    isSealer: () => roles.isSealer,
    isWriter: () => roles.isWriter,
    sealer: lease.seen,
    revision: () => roles.revision(),
    status() {
      const seen = lease.seen()
      return {
        id,
        role: roles.isSealer ? 'sealer' : 'reader',
        sealer: seen && seen.holder !== '' ? { id: seen.holder, url: seen.url } : undefined,
        revision: roles.revision(),
        behind: Math.max(0, heard - roles.revision()),
      }
    },
    async reach(wanted) {
      heard = Math.max(heard, wanted)
      await roles.changes.reach(wanted, reachMs)
    },
    async catchUp() {
      await roles.changes.poll()
    },
    async join() {
      for (;;) {
        if (await lease.poll()) {
          try {
            await roles.beginWriting()
            break
          } catch (error) {
            if (!isNetworkError(error, 'NETWORK_IN_USE')) throw error
          }
        } else if (await isCreated(shared.queries)) break
        await pause(clock, retryMs)
      }
      await lease.start()
    },
    begin: (services) => roles.begin(services),
    async stop() {
      await roles.stop()
      await lease.stop()
    },
  }
}
