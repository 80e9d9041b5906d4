import type { Address, StateDiff, Word } from '@understudy/evm'
import type {
  BlockObservation,
  BlockObserver,
  ObservedBlock,
  ObservedTransaction,
  SaveObserved,
} from '../chain/sealing/blockObserver.ts'
import type { ExecutionPoint } from '../execution/execution.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { createEvents, type Events } from '../shared/events.ts'
import type { Logger } from '../shared/logger.ts'
import type { ChangeNotice } from '../storage/changeNotice.ts'
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
  latest(): Promise<ExecutionPoint>
  clock: Clock
  logger: Logger
  createId: () => string
}

/** Maximum number of invariants, of which each is evaluated whenever what it read has changed. */
const invariantLimit = 100
/** The most failures of each that are listed. */
const listLimit = 100

/** Opens the stored invariants. */
export async function createInvariants(needs: Needs): Promise<Invariants> {
  const { database, exclusive, clock, logger, createId } = needs
  const { queries } = database
  const all = new Map<string, Invariant>()
  const evaluations = new Evaluations<Side>({
    ...needs,
    upstreamWait: new UpstreamWait(clock),
    budget: new TrackingBudget(clock),
  })
  const events: Invariants['events'] = createEvents((error) => logger.error({ err: error }, 'A listener failed'))

  function keep(record: InvariantRecord): void {
    const check = readCheck(record.check)
    const invariant = { record, check, sides: check.probes.map((probe) => ({ probe })) }
    all.set(record.id, invariant)
    for (const side of invariant.sides) evaluations.reset(side)
  }

  function forget(invariant: Invariant): void {
    all.delete(invariant.record.id)
    for (const side of invariant.sides) evaluations.delete(side)
  }

  async function evaluate(
    invariants: readonly Invariant[],
    point: ExecutionPoint,
  ): Promise<Map<Invariant, CheckOutcome>> {
    const sides = invariants.flatMap((each) => each.sides)
    const values = await evaluations.settle(sides, point)
    const missing = { error: 'it was not evaluated' }
    return new Map(
      invariants.map((each) => [each, each.check.judge(each.sides.map((side) => values.get(side) ?? missing))]),
    )
  }

  async function statusOf({ record }: Invariant): Promise<InvariantStatus> {
    const failures = await loadInvariantFailures(queries, record.number, listLimit)
    return { ...record, holds: failures.every(({ recoveredAt }) => recoveredAt !== undefined), failures }
  }

  const failureOf = (
    { record: { number } }: Invariant,
    { left, right, error }: CheckOutcome,
    blockNumber: bigint,
    { hash, written }: Partial<Culprit> = {},
  ): InvariantFailure => ({
    ...{ invariant: number, blockNumber, hash, written, left, right, error },
    ...{ recoveredAt: undefined, place: undefined, branch: undefined },
  })

  /** Which of the slots that a check read a transaction wrote. */
  function writtenIn({ sides }: Invariant, diff: StateDiff): Culprit['written'] {
    for (const side of sides)
      for (const [address, slots] of evaluations.reads(side)?.slots ?? []) {
        const slot = [...slots.keys()].find((key) => diff.slots.get(address)?.has(key))
        if (slot !== undefined) return { address, slot }
      }
    return undefined
  }

  /** Observes one group of blocks. */
  function observe(): BlockObservation {
    /** The transaction of the open block since which an invariant does not hold. */
    const since = new Map<Invariant, Culprit>()
    const broken = { known: undefined as Set<number> | undefined, now: [] as InvariantFailure[], pauses: false }
    const observation = {
      async afterTransaction({ hash, view, context: block, result }: ObservedTransaction): Promise<void> {
        const unsettled = evaluations.unsettled(block)
        const due = [...all.values()].filter(({ sides }) => sides.some((side) => unsettled.has(side)))
        if (due.length === 0) return
        for (const [each, { holds }] of await evaluate(due, { view, block })) {
          if (holds) since.delete(each)
          else if (!since.has(each)) since.set(each, { hash, written: writtenIn(each, result.diff) })
        }
      },
      async sealed({ context: block, view, baseMoved }: ObservedBlock): Promise<SaveObserved> {
        if (baseMoved) evaluations.changed(undefined)
        const known = broken.known ?? (await loadBroken(queries))
        broken.known = known
        const failures: NewFailure[] = []
        const recovered: number[] = []
        for (const [each, outcome] of await evaluate([...all.values()], { view, block })) {
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
          logger.warn(
            { name, block: block.number, transaction: failure.hash, left, right, error },
            'Broke an invariant',
          )
        }
        since.clear()
        evaluations.renewBudget()
        return async (transaction) => {
          await addInvariantFailures(transaction, failures)
          for (const number of recovered) await endInvariantFailure(transaction, number, block.number)
        }
      },
    }
    return {
      pauses: () => broken.pauses,
      changed: (diff) => evaluations.changed(diff),
      afterTransaction: (transaction) => (all.size > 0 ? observation.afterTransaction(transaction) : undefined),
      sealed: (block) => (all.size > 0 ? observation.sealed(block) : undefined),
      committed() {
        for (const failure of broken.now.splice(0)) events.emit('broken', failure)
      },
    }
  }

  for (const record of await loadInvariants(queries)) keep(record)

  return {
    events,
    get: (number) => [...all.values()].find(({ record }) => record.number === number)?.record,
    observer: {
      begin() {
        evaluations.changed(undefined)
        evaluations.renewBudget()
        return observe()
      },
      observesEmptyBlocks: () => all.size > 0,
      revertTo: (transaction: Queries, number) => reopenInvariantFailures(transaction, number),
    },
    add: (name, check, actions) =>
      exclusive(async () => {
        readCheck(check)
        if (all.size >= invariantLimit)
          throw new NetworkError('LIMIT_EXCEEDED', { what: 'no more invariants can be added', limit: invariantLimit })
        const fresh = { id: createId(), name, check, ...actions }
        const number = await database.transaction((transaction) => addInvariant(transaction, fresh))
        keep({ ...fresh, number })
        const added = all.get(fresh.id) as Invariant
        const point = await needs.latest()
        evaluations.changed(undefined)
        evaluations.renewBudget()
        const outcome = (await evaluate([added], point)).get(added)
        if (outcome && !outcome.holds) {
          const failure = failureOf(added, outcome, point.block.number)
          await database.transaction((transaction) =>
            addInvariantFailures(transaction, [{ ...failure, isOpen: false }]),
          )
        }
        return statusOf(added)
      }),
    list: () => Promise.all([...all.values()].map(statusOf)),
    countBroken: async () => (await loadBroken(queries)).size,
    remove: (id) =>
      exclusive(async () => {
        const invariant = all.get(id)
        if (!invariant) throw new NetworkError('NOT_FOUND', { resource: 'invariant', id })
        await database.transaction((transaction) => removeInvariant(transaction, invariant.record.number))
        forget(invariant)
      }),
    refresh: (notice) =>
      exclusive(async () => {
        if (!notice.isChanged('invariants')) return
        for (const invariant of [...all.values()]) forget(invariant)
        for (const record of await loadInvariants(notice.queries)) keep(record)
      }),
  }
}
