import type { Word } from '@understudy/evm'
import type {
  BlockObservation,
  BlockObserver,
  ObservedBlock,
  ObservedTransaction,
} from '../chain/sealing/blockObserver.ts'
import type { ExecutionPoint } from '../execution/execution.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import type { ChangeNotice } from '../storage/changeNotice.ts'
import type { Database, Queries } from '../storage/database.ts'
import {
  addInvariant,
  addInvariantFailures,
  endInvariantFailure,
  type InvariantCheck,
  type InvariantFailure,
  type InvariantRecord,
  loadBroken,
  loadInvariantFailures,
  loadInvariants,
  removeInvariant,
  reopenInvariantFailures,
} from '../storage/records/tracking/invariants.ts'
import { Evaluations } from '../tracking/evaluations.ts'
import type { Probe } from '../tracking/probe.ts'
import { TrackingBudget } from '../tracking/trackingBudget.ts'
import { UpstreamWait } from '../tracking/upstreamWait.ts'
import { type CheckOutcome, outcomeOf, probesOf, type Sides } from './check.ts'

/** `holds`: whether it held after the latest block. */
export type InvariantStatus = InvariantRecord & { holds: boolean; failures: InvariantFailure[] }

/** What must hold after every block. */
export type Invariants = {
  readonly observer: BlockObserver
  /** Throws `INVALID_PARAMS`, and `LIMIT_EXCEEDED`. */
  add(name: string, check: InvariantCheck): Promise<InvariantStatus>
  /** With the newest failures of each. */
  list(): Promise<InvariantStatus[]>
  /** Throws `NOT_FOUND`. */
  remove(id: string): Promise<void>
  refresh(notice: ChangeNotice): Promise<void>
}

type Side = { probe: Probe }
type Invariant = { record: InvariantRecord; sides: Sides<Side> }

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
  const sidesOf = ({ sides: { left, right } }: Invariant) => (right ? [left, right] : [left])

  function keep(record: InvariantRecord): void {
    const { left, right } = probesOf(record.check)
    const invariant = { record, sides: { left: { probe: left }, right: right && { probe: right } } }
    all.set(record.id, invariant)
    for (const side of sidesOf(invariant)) evaluations.reset(side)
  }

  function forget(invariant: Invariant): void {
    all.delete(invariant.record.id)
    for (const side of sidesOf(invariant)) evaluations.delete(side)
  }

  async function evaluate(
    invariants: readonly Invariant[],
    point: ExecutionPoint,
  ): Promise<Map<Invariant, CheckOutcome>> {
    const values = await evaluations.settle(invariants.flatMap(sidesOf), point)
    const missing = { error: 'it was not evaluated' }
    return new Map(
      invariants.map((each) => {
        const { left, right } = each.sides
        const other = right && (values.get(right) ?? missing)
        return [each, outcomeOf(each.record.check, values.get(left) ?? missing, other)]
      }),
    )
  }

  async function statusOf({ record }: Invariant): Promise<InvariantStatus> {
    const failures = await loadInvariantFailures(queries, record.number, listLimit)
    return { ...record, holds: failures.every(({ recoveredAt }) => recoveredAt !== undefined), failures }
  }

  const failureOf = ({ record: { number } }: Invariant, outcome: CheckOutcome, blockNumber: bigint, hash?: Word) => ({
    ...{ invariant: number, blockNumber, hash, recoveredAt: undefined },
    ...{ left: outcome.left, right: outcome.right, error: outcome.error },
  })

  /** Observes one group of blocks. */
  function observe(): BlockObservation {
    /** The transaction of the open block since which an invariant does not hold. */
    const since = new Map<Invariant, Word>()
    const broken = { known: undefined as Set<number> | undefined }
    return {
      changed: (diff) => evaluations.changed(diff),
      async afterTransaction({ hash, view, context: block }: ObservedTransaction) {
        const unsettled = evaluations.unsettled(block)
        const due = [...all.values()].filter((each) => sidesOf(each).some((side) => unsettled.has(side)))
        if (due.length === 0) return
        for (const [each, { holds }] of await evaluate(due, { view, block })) {
          if (holds) since.delete(each)
          else if (!since.has(each)) since.set(each, hash)
        }
      },
      async sealed({ context: block, view, baseMoved }: ObservedBlock) {
        if (baseMoved) evaluations.changed(undefined)
        const known = broken.known ?? (all.size > 0 ? await loadBroken(queries) : new Set<number>())
        broken.known = known
        const failures: InvariantFailure[] = []
        const recovered: number[] = []
        for (const [each, outcome] of await evaluate([...all.values()], { view, block })) {
          const { number, name } = each.record
          if (outcome.holds === !known.has(number)) continue
          if (outcome.holds) {
            known.delete(number)
            recovered.push(number)
            continue
          }
          known.add(number)
          failures.push(failureOf(each, outcome, block.number, since.get(each)))
          const { left, right, error } = outcome
          logger.warn(
            { name, block: block.number, transaction: since.get(each), left, right, error },
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
      committed() {},
    }
  }

  for (const record of await loadInvariants(queries)) keep(record)

  return {
    observer: {
      begin() {
        evaluations.changed(undefined)
        evaluations.renewBudget()
        return observe()
      },
      observesEmptyBlocks: () => all.size > 0,
      revertTo: (transaction: Queries, number) => reopenInvariantFailures(transaction, number),
    },
    add: (name, check) =>
      exclusive(async () => {
        probesOf(check)
        if (all.size >= invariantLimit)
          throw new NetworkError('LIMIT_EXCEEDED', { what: 'no more invariants can be added', limit: invariantLimit })
        const fresh = { id: createId(), name, check }
        const number = await database.transaction((transaction) => addInvariant(transaction, fresh))
        keep({ ...fresh, number })
        const added = all.get(fresh.id) as Invariant
        const point = await needs.latest()
        evaluations.changed(undefined)
        evaluations.renewBudget()
        const outcome = (await evaluate([added], point)).get(added)
        if (outcome && !outcome.holds) {
          const failure = failureOf(added, outcome, point.block.number)
          await database.transaction((transaction) => addInvariantFailures(transaction, [failure]))
        }
        return statusOf(added)
      }),
    list: () => Promise.all([...all.values()].map(statusOf)),
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
