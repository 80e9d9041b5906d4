import type { BlockContext } from '@understudy/evm'
import type {
  BlockObservation,
  BlockObserver,
  ObservedBlock,
  ObservedTransaction,
  SaveObserved,
} from '../chain/sealing/blockObserver.ts'
import type { MaybePromise } from '../shared/async/maybePromise.ts'
import type { Clock } from '../shared/clock.ts'
import type { Logger } from '../shared/logger.ts'
import type { LoadingView } from '../state/view.ts'
import type { Queries } from '../storage/database.ts'
import { revertTrackedItems, saveTrackedProgress } from '../storage/records/tracking/trackedItems.ts'
import {
  addSamples,
  addTrackedTransactions,
  endOfBlock,
  type Position,
  type SampleRecord,
  type TrackedTransaction,
} from '../storage/records/tracking/trackedSamples.ts'
import type { EntryListeners, Recorded } from './entryListeners.ts'
import type { EvaluationOutcome } from './evaluateProbe.ts'
import type { Evaluations } from './evaluations.ts'
import { type Entry, noTransaction } from './history.ts'
import type { Progress, TrackedItem } from './probe.ts'
import { isDueAtBlock, isStarted, reverted, started } from './schedule.ts'

type Needs = {
  items: ReadonlyMap<string, TrackedItem>
  /** The items that are recorded after every transaction. */
  everyTxItems: ReadonlySet<TrackedItem>
  evaluations: Evaluations<TrackedItem>
  clock: Clock
  logger: Logger
  listeners: EntryListeners
  /** Called when items may have got their first entries. */
  onProgress(): void
}

/** Maximum number of items that a line of the log names. */
const namedLimit = 20

/** Records items while blocks are built. */
export class Recorder implements BlockObserver {
  readonly #needs: Needs
  /** The identity of the evaluated state; `undefined` for the state of a block being built. */
  #identity: object | undefined

  constructor(needs: Needs) {
    this.#needs = needs
  }

  begin(view: LoadingView): BlockObservation {
    this.useState(view)
    this.#needs.evaluations.renewBudget()
    this.#identity = undefined
    return new RecordedBlocks(this.#needs, (newest) => {
      this.#identity = newest?.identity
    })
  }

  /** Sets the state on which items are evaluated. */
  useState(view: LoadingView): void {
    if (view.identity !== this.#identity) this.#needs.evaluations.changed(undefined)
    this.#identity = view.identity
  }

  observesEmptyBlocks(): boolean {
    return [...this.#needs.items.values()].some(
      ({ record: { schedule } }) => !isStarted(schedule) || schedule.trigger === 'every-n-blocks',
    )
  }

  async revertTo(queries: Queries, number: bigint): Promise<void> {
    if (this.#needs.items.size === 0) return
    await revertTrackedItems(queries, number)
    for (const item of this.#needs.items.values()) {
      item.run = undefined
      item.record = { ...item.record, schedule: reverted(item.record.schedule, Number(number)) }
    }
  }
}

class RecordedBlocks implements BlockObservation {
  readonly #needs: Needs
  readonly #onCommitted: (view: LoadingView | undefined) => void
  readonly #runs = new Map<TrackedItem, string | null>()
  readonly #progress = new Map<TrackedItem, Progress>()
  readonly #announcements: Recorded[] = []
  /** Data to store with the open block. */
  #samples: SampleRecord[] = []
  #transactions: TrackedTransaction[] = []
  #advanced = new Set<TrackedItem>()
  /** Items that have no value in the open block, for a reason that is new. */
  #unrecorded = new Set<TrackedItem>()
  #baseMoved = false

  constructor(needs: Needs, onCommitted: (view: LoadingView | undefined) => void) {
    this.#needs = needs
    this.#onCommitted = onCommitted
  }

  changed(diff: Parameters<BlockObservation['changed']>[0]): void {
    this.#needs.evaluations.changed(diff)
  }

  afterTransaction(transaction: ObservedTransaction): Promise<void> | undefined {
    return this.#needs.everyTxItems.size === 0 ? undefined : this.#record(transaction)
  }

  async #record({ hash, index, view, context: block }: ObservedTransaction): Promise<void> {
    const { everyTxItems, evaluations, listeners } = this.#needs
    const position = { ...positionOf(block), index }
    this.#transactions.push({ ...position, hash })
    const unsettled = [...evaluations.unsettled(block)].filter((item) => everyTxItems.has(item))
    if (unsettled.length > 0)
      for (const [item, outcome] of await evaluations.settle(unsettled, { view, block }))
        this.#continue(item, outcome, position)
    if (listeners.isIdle) return
    for (const item of everyTxItems) this.#announce(item, this.#runOf(item), position, hash)
  }

  sealed(block: ObservedBlock): MaybePromise<SaveObserved | undefined> {
    const { items, evaluations } = this.#needs
    if (items.size > 0) return this.#recordBlock(block)
    if (block.baseMoved) this.#baseMoved = true
    evaluations.renewBudget()
    return undefined
  }

  async #recordBlock({ context: block, parentNumber, view, baseMoved }: ObservedBlock): Promise<SaveObserved> {
    const { items, everyTxItems, evaluations } = this.#needs
    if (baseMoved) {
      this.#baseMoved = true
      evaluations.changed(undefined)
    }
    const position = { ...positionOf(block), index: endOfBlock }
    const parent = Number(parentNumber)
    const due: TrackedItem[] = []
    for (const item of items.values()) {
      const { schedule } = item.record
      // Fast path for most items, on every block.
      if (schedule.trigger === 'every-tx' && schedule.firstBlock !== undefined) continue
      if (isDueAtBlock(this.#progressOf(item).schedule, position.block, parent)) due.push(item)
    }
    const outcomes = due.length > 0 ? await evaluations.settle(due, { view, block }) : []
    for (const [item, outcome] of outcomes) {
      const value = this.#recordOutcome(item, outcome, position.block)
      if (value === undefined) continue
      const kind = everyTxItems.has(item) ? 'begin' : 'point'
      this.#samples.push({ ...position, item: item.record.number, kind, value })
      if (kind === 'begin') this.#runs.set(item, value)
      this.#announce(item, value, position, noTransaction)
    }
    evaluations.renewBudget()
    this.#logUnrecorded(position.block)
    return this.#takeRecorded()
  }

  committed(view: LoadingView | undefined): void {
    for (const [item, run] of this.#runs) item.run = run
    for (const [item, progress] of this.#progress) item.record = { ...item.record, ...progress }
    this.#onCommitted(view)
    const { everyTxItems, evaluations, onProgress } = this.#needs
    if (this.#progress.size > 0) onProgress()
    if (view && this.#baseMoved && everyTxItems.size > 0) void evaluations.prefetch(view)
    for (const recorded of this.#announcements) this.#needs.listeners.notify(recorded)
  }

  #runOf(item: TrackedItem): TrackedItem['run'] {
    return this.#runs.has(item) ? this.#runs.get(item) : item.run
  }

  #progressOf(item: TrackedItem): Progress {
    return this.#progress.get(item) ?? item.record
  }

  /** Continues, starts or ends an item's run. */
  #continue(item: TrackedItem, outcome: EvaluationOutcome, position: SamplePosition): void {
    const value = this.#recordOutcome(item, outcome, position.block) ?? null
    if (this.#runOf(item) === value) return
    this.#runs.set(item, value)
    const kind = value === null ? 'stop' : 'run'
    this.#samples.push({ ...position, item: item.record.number, kind, value: value ?? '' })
  }

  /** Records the outcome of an evaluation; returns the value, if any. */
  #recordOutcome(item: TrackedItem, outcome: EvaluationOutcome, block: number): string | undefined {
    const before = this.#progressOf(item)
    const value = 'value' in outcome ? outcome.value : undefined
    const lastError = 'error' in outcome ? outcome.error : undefined
    const begins = value !== undefined && !isStarted(before.schedule)
    const schedule = begins ? started(before.schedule, block, this.#needs.clock.now()) : before.schedule
    if (begins || lastError !== before.lastError) {
      this.#progress.set(item, { schedule, lastError })
      this.#advanced.add(item)
    }
    if (lastError !== undefined && lastError !== before.lastError) this.#unrecorded.add(item)
    return value
  }

  /** `lastError` is gone with the next value: only the log tells later why the history has a gap. One line for each block. */
  #logUnrecorded(block: number): void {
    const [first] = this.#unrecorded
    if (!first) return
    const items = [...this.#unrecorded].slice(0, namedLimit).map(({ record }) => record.id)
    const reason = this.#progressOf(first).lastError
    this.#needs.logger.warn(
      { block, count: this.#unrecorded.size, items, reason },
      'Could not record a value of tracked items',
    )
    this.#unrecorded = new Set()
  }

  #announce(
    { record }: TrackedItem,
    value: TrackedItem['run'],
    { block, timestamp }: SamplePosition,
    txHash: Entry['txHash'],
  ) {
    if (typeof value !== 'string' || this.#needs.listeners.isIdle) return
    this.#announcements.push({ id: record.id, entry: { value, blockNumber: block, timestamp, txHash } })
  }

  /** Takes the recorded data of the sealed block, as a function that stores it. */
  #takeRecorded(): SaveObserved {
    const samples = this.#samples
    const transactions = this.#transactions
    const progress = [...this.#advanced].map((item) => ({ number: item.record.number, ...this.#progressOf(item) }))
    this.#samples = []
    this.#transactions = []
    this.#advanced = new Set()
    return async (queries) => {
      await addTrackedTransactions(queries, transactions)
      await addSamples(queries, samples)
      for (const changed of progress) await saveTrackedProgress(queries, changed)
    }
  }
}

type SamplePosition = Position & { timestamp: number }

function positionOf({ number, timestamp }: BlockContext): Omit<SamplePosition, 'index'> {
  return { block: Number(number), timestamp: Number(timestamp) * 1000 }
}
