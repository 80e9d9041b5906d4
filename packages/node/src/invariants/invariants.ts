import type { Address, StateDiff, Word } from '@understudy/evm'
import type {
  BlockObservation,
  BlockObserver,
  ObservedBlock,
  ObservedTransaction,
  SaveObserved,
} from '../chain/sealing/blockObserver.ts'
import type { ExecutionPoint } from '../execution/execution.ts'
import type { MaybePromise } from '../shared/async/maybePromise.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { createEvents, type Events } from '../shared/events.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database, Queries } from '../storage/database.ts'
import {
  addInvariant,
  addInvariantFailures,
  endInvariantFailure,
  type InvariantActions,
  type InvariantCheck,
  type InvariantFailure,
  type InvariantRecord,
  loadBroken,
  loadInvariantFailures,
  loadInvariants,
  type NewFailure,
  removeInvariant,
  reopenInvariantFailures,
} from '../storage/records/tracking/invariants.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import { Evaluations } from '../tracking/evaluations.ts'
import type { Probe } from '../tracking/probe.ts'
import { TrackingBudget } from '../tracking/trackingBudget.ts'
import { UpstreamWait } from '../tracking/upstreamWait.ts'
import { type Check, type CheckOutcome, readCheck } from './check.ts'

/** `holds`: whether it held after the latest block. */
export type InvariantStatus = InvariantRecord & { holds: boolean; failures: InvariantFailure[] }

/** What must hold after every block. */
export type Invariants = {
  readonly observer: BlockObserver
  /** `broken`: an invariant failed after a block, which is durable. */
  readonly events: Events<{ broken: InvariantFailure }>
  /** Throws `INVALID_PARAMS`, and `LIMIT_EXCEEDED`. */
  add(name: string, check: InvariantCheck, actions: InvariantActions): Promise<InvariantStatus>
  get(number: number): InvariantRecord | undefined
  /** With the newest failures of each. */
  list(): Promise<InvariantStatus[]>
  /** How many do not hold. */
  countBroken(): Promise<number>
  /** Throws `NOT_FOUND`. */
  remove(id: string): Promise<void>
  refresh(notice: ChangeNotice): Promise<void>
}

type Side = { probe: Probe }
/** The transaction since which an invariant does not hold, and what it wrote of what the check reads. */
type Culprit = { hash: Word; written: { address: Address; slot: Word } | undefined }
type Invariant = { record: InvariantRecord; check: Check; sides: readonly Side[] }

type Needs = {
  database: Database
  /** An engine with the enabled function overrides. */
  engine: Engine
  /** An object that changes identity when the overrides change. */
  rules: () => unknown
  /** Runs a task while no block is built and no state changes. */
  exclusive<T>(task: () => Promise<T>): Promise<T>
  /** The latest block and its state. */
  latest(): MaybePromise<ExecutionPoint>
  clock: Clock
  logger: Logger
  createId: () => string
}

/** Maximum number of invariants, of which each is evaluated whenever what it read has changed. */
const invariantLimit = 100
/** The most failures of each that are listed. */
const listLimit = 100

/** The invariants in memory, and what their checks read. */
class OpenInvariants {
  readonly #all = new Map<string, Invariant>()
  readonly #evaluations: Evaluations<Side>

  constructor(needs: Needs) {
    const upstreamWait = new UpstreamWait(needs.clock)
    this.#evaluations = new Evaluations({ ...needs, upstreamWait, budget: new TrackingBudget(needs.clock) })
  }

  get size(): number {
    return this.#all.size
  }

  list(): Invariant[] {
    return [...this.#all.values()]
  }

  get(id: string): Invariant | undefined {
    return this.#all.get(id)
  }

  keep(record: InvariantRecord): Invariant {
    const check = readCheck(record.check)
    const invariant = { record, check, sides: check.probes.map((probe) => ({ probe })) }
    this.#all.set(record.id, invariant)
    for (const side of invariant.sides) this.#evaluations.reset(side)
    return invariant
  }

  forget(invariant: Invariant): void {
    this.#all.delete(invariant.record.id)
    for (const side of invariant.sides) this.#evaluations.delete(side)
  }

  /** `diff`: what changed of the state; `undefined`: anything. */
  changed(diff: StateDiff | undefined): void {
    this.#evaluations.changed(diff)
  }

  renewBudget(): void {
    this.#evaluations.renewBudget()
  }

  /** Those whose checks may have another outcome than when they were evaluated last. */
  unsettled(block: ExecutionPoint['block']): Invariant[] {
    const unsettled = this.#evaluations.unsettled(block)
    return this.list().filter(({ sides }) => sides.some((side) => unsettled.has(side)))
  }

  async evaluate(invariants: readonly Invariant[], point: ExecutionPoint): Promise<Map<Invariant, CheckOutcome>> {
    const sides = invariants.flatMap((each) => each.sides)
    const values = await this.#evaluations.settle(sides, point)
    const missing = { error: 'it was not evaluated' }
    return new Map(
      invariants.map((each) => [each, each.check.judge(each.sides.map((side) => values.get(side) ?? missing))]),
    )
  }

  /** Which of the slots that a check read a transaction wrote. */
  writtenIn({ sides }: Invariant, diff: StateDiff): Culprit['written'] {
    for (const side of sides)
      for (const [address, slots] of this.#evaluations.reads(side)?.slots ?? []) {
        const slot = [...slots.keys()].find((key) => diff.slots.get(address)?.has(key))
        if (slot !== undefined) return { address, slot }
      }
    return undefined
  }
}

const failureOf = (
  { record: { number } }: Invariant,
  { left, right, error }: CheckOutcome,
  blockNumber: bigint,
  { hash, written }: Partial<Culprit> = {},
): InvariantFailure => ({
  ...{ invariant: number, blockNumber, hash, written, left, right, error },
  ...{ recoveredAt: undefined, location: undefined, branch: undefined },
})

/** Observes one group of blocks. */
function observeGroup(
  open: OpenInvariants,
  { queries, events, logger }: { queries: Queries; events: Invariants['events']; logger: Logger },
): BlockObservation {
  /** The transaction of the open block since which an invariant does not hold. */
  const since = new Map<Invariant, Culprit>()
  const broken = { known: undefined as Set<number> | undefined, now: [] as InvariantFailure[], pauses: false }
  const observation = {
    async afterTransaction({ hash, view, context: block, result }: ObservedTransaction): Promise<void> {
      const due = open.unsettled(block)
      if (due.length === 0) return
      for (const [each, { holds }] of await open.evaluate(due, { view, block })) {
        if (holds) since.delete(each)
        else if (!since.has(each)) since.set(each, { hash, written: open.writtenIn(each, result.diff) })
      }
    },
    async sealed({ context: block, view, baseMoved }: ObservedBlock): Promise<SaveObserved> {
      if (baseMoved) open.changed(undefined)
      const known = broken.known ?? (await loadBroken(queries))
      broken.known = known
      const failures: NewFailure[] = []
      const recovered: number[] = []
      for (const [each, outcome] of await open.evaluate(open.list(), { view, block })) {
        const { number, name, pause, branch } = each.record
        if (outcome.holds === !known.has(number)) continue
        if (outcome.holds) {
          known.delete(number)
          recovered.push(number)
          continue
        }
        known.add(number)
        const failure = failureOf(each, outcome, block.number, since.get(each))
        failures.push({ ...failure, isOpen: branch || failure.written !== undefined })
        broken.now.push(failure)
        broken.pauses ||= pause
        const { left, right, error } = outcome
        logger.warn({ name, block: block.number, transaction: failure.hash, left, right, error }, 'Broke an invariant')
      }
      since.clear()
      open.renewBudget()
      return async (transaction) => {
        await addInvariantFailures(transaction, failures)
        for (const number of recovered) await endInvariantFailure(transaction, number, block.number)
      }
    },
  }
  return {
    pauses: () => broken.pauses,
    changed: (diff) => open.changed(diff),
    afterTransaction: (transaction) => (open.size > 0 ? observation.afterTransaction(transaction) : undefined),
    sealed: (block) => (open.size > 0 ? observation.sealed(block) : undefined),
    committed() {
      for (const failure of broken.now.splice(0)) events.emit('broken', failure)
    },
  }
}

/** Opens the stored invariants. */
export async function createInvariants(needs: Needs): Promise<Invariants> {
  const { database, exclusive, logger, createId } = needs
  const { queries } = database
  const open = new OpenInvariants(needs)
  const events: Invariants['events'] = createEvents((error) => logger.error({ err: error }, 'A listener failed'))

  async function statusOf({ record }: Invariant): Promise<InvariantStatus> {
    const failures = await loadInvariantFailures(queries, record.number, listLimit)
    return { ...record, holds: failures.every(({ recoveredAt }) => recoveredAt !== undefined), failures }
  }

  for (const record of await loadInvariants(queries)) open.keep(record)

  return {
    events,
    get: (number) => open.list().find(({ record }) => record.number === number)?.record,
    observer: {
      begin() {
        open.changed(undefined)
        open.renewBudget()
        return observeGroup(open, { queries, events, logger })
      },
      observesEmptyBlocks: () => open.size > 0,
      revertTo: (transaction: Queries, number) => reopenInvariantFailures(transaction, number),
    },
    add: (name, check, actions) =>
      exclusive(async () => {
        readCheck(check)
        if (open.size >= invariantLimit)
          throw new NetworkError('LIMIT_EXCEEDED', { what: 'no more invariants can be added', limit: invariantLimit })
        const fresh = { id: createId(), name, check, ...actions }
        const number = await database.transaction((transaction) => addInvariant(transaction, fresh))
        const added = open.keep({ ...fresh, number })
        const point = await needs.latest()
        open.changed(undefined)
        open.renewBudget()
        const outcome = (await open.evaluate([added], point)).get(added)
        if (outcome && !outcome.holds) {
          const failure = failureOf(added, outcome, point.block.number)
          await database.transaction((transaction) =>
            addInvariantFailures(transaction, [{ ...failure, isOpen: false }]),
          )
        }
        return statusOf(added)
      }),
    list: () => Promise.all(open.list().map(statusOf)),
    countBroken: async () => (await loadBroken(queries)).size,
    remove: (id) =>
      exclusive(async () => {
        const invariant = open.get(id)
        if (!invariant) throw new NetworkError('NOT_FOUND', { resource: 'invariant', id })
        await database.transaction((transaction) => removeInvariant(transaction, invariant.record.number))
        open.forget(invariant)
      }),
    refresh: (notice) =>
      exclusive(async () => {
        if (!notice.isChanged('invariants')) return
        for (const invariant of open.list()) open.forget(invariant)
        for (const record of await loadInvariants(notice.queries)) open.keep(record)
      }),
  }
}
