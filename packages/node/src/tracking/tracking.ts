import type { Address } from '@understudy/evm'
import type { BlockObserver } from '../chain/sealing/blockObserver.ts'
import type { ExecutionPoint } from '../execution/execution.ts'
import type { MaybePromise } from '../shared/async/maybePromise.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database, Queries } from '../storage/database.ts'
import {
  addTrackedItem,
  loadTrackedItems,
  removeTrackedItem,
  saveTrackedItem,
  type TrackedItemRecord,
} from '../storage/records/tracking/trackedItems.ts'
import { endRun, removeSamples } from '../storage/records/tracking/trackedSamples.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import { Cron } from './cron.ts'
import { EntryChanges } from './entryChanges.ts'
import { EntryListeners, type Recorded } from './entryListeners.ts'
import { Evaluations } from './evaluations.ts'
import { type Entry, type History, type HistoryOptions, loadHistory, loadLatestEntry } from './history.ts'
import { meaningOf, probeOf, type TrackedDefinition, type TrackedItem } from './probe.ts'
import { Recorder } from './recorder.ts'
import { scheduleOf } from './schedule.ts'
import { TrackingBudget } from './trackingBudget.ts'
import { UpstreamWait } from './upstreamWait.ts'

export type { TrackedItemRecord } from '../storage/records/tracking/trackedItems.ts'
export type { Entry, History, HistoryOptions } from './history.ts'
export type { TrackedDefinition } from './probe.ts'

/** Records values of the network over time. */
export type Tracking = Service & {
  /** Throws `INVALID_PARAMS` that names the field, or `LIMIT_EXCEEDED`; nothing is stored then. */
  add(definition: TrackedDefinition): Promise<TrackedItemRecord>
  /**
   * Changes the given fields. The history is kept as long as the tracked value is the same. Throws
   * `TRACKED_ITEM_NOT_FOUND`.
   */
  update(id: string, changes: Partial<TrackedDefinition>): Promise<TrackedItemRecord>
  /** Removes an item and its recorded values. */
  remove(id: string): Promise<void>
  /** Oldest first; optionally only items of an address, or with a tag. */
  list(filter: { address: Address | undefined; tag: string | undefined }): TrackedItemRecord[]
  /** The newest entry of each of these items, if any. */
  loadLatest(ids: readonly string[]): Promise<(Entry | undefined)[]>
  /** The recorded values of an item. Throws `LIMIT_EXCEEDED` if one answer cannot hold them. */
  loadHistory(id: string, options?: HistoryOptions): Promise<History>
  /**
   * Calls the listener with each durable entry of an item, or of all. Returns a function that ends it. Throws
   * `TRACKED_ITEM_NOT_FOUND`.
   */
  subscribe(id: string | undefined, listener: (recorded: Recorded) => void): () => void
  /** Loads what another node stored and notifies listeners; the chain must be up to date. */
  refresh(notice: ChangeNotice): Promise<void>
  /** Records items while blocks are built. */
  readonly observer: BlockObserver
  /** The number of evaluations since the start. */
  evaluationCount(): number
  /** The number of skipped values since the start, because a block had no time left. */
  skippedCount(): number
  /** The items that were skipped when last due, and their previous computing times in milliseconds; slowest first. */
  slow(): { id: string; ms: number }[]
}

type Needs = {
  database: Database
  /** An engine with the enabled function overrides. */
  engine: Engine
  /** An object that changes identity when the overrides change. */
  rules: () => unknown
  /** Runs a task while no block is built and no state changes. */
  exclusive<T>(task: () => Promise<T>): Promise<T>
  latest: () => MaybePromise<ExecutionPoint>
  /** The network's current time, in seconds since 1970, which is not before that of the newest block. */
  networkTime: () => bigint
  /** Gives an item's samples to the branches that read them, before they are deleted. */
  keepSamples(queries: Queries, item: number): Promise<void>
  clock: Clock
  logger: Logger
  createId: () => string
}

/** Maximum number of items. */
const itemLimit = 10_000

/** The items in memory, oldest first. */
class OpenItems {
  readonly all = new Map<string, TrackedItem>()
  /** Those that are recorded after every transaction. */
  readonly everyTx = new Set<TrackedItem>()
  readonly #evaluations: Evaluations<TrackedItem>
  readonly #onChange: () => void

  constructor(evaluations: Evaluations<TrackedItem>, onChange: () => void) {
    this.#evaluations = evaluations
    this.#onChange = onChange
  }

  /** Throws `TRACKED_ITEM_NOT_FOUND`. */
  require(id: string): TrackedItem {
    const item = this.all.get(id)
    if (!item) throw new NetworkError('TRACKED_ITEM_NOT_FOUND', { id })
    return item
  }

  list({ address, tag }: Parameters<Tracking['list']>[0]): TrackedItemRecord[] {
    return [...this.all.values()]
      .map(({ record }) => record)
      .filter((record) => address === undefined || record.address === address)
      .filter((record) => tag === undefined || record.tags.includes(tag))
  }

  keep(item: TrackedItem): void {
    this.all.set(item.record.id, item)
    this.#evaluations.reset(item)
    if (item.record.schedule.trigger === 'every-tx') this.everyTx.add(item)
    else this.everyTx.delete(item)
    this.#onChange()
  }

  forget(item: TrackedItem): void {
    this.all.delete(item.record.id)
    this.everyTx.delete(item)
    this.#evaluations.delete(item)
    this.#onChange()
  }

  /** What is stored is what there is. */
  replaceAll(stored: readonly TrackedItemRecord[]): void {
    const ids = new Set(stored.map(({ id }) => id))
    for (const item of [...this.all.values()]) if (!ids.has(item.record.id)) this.forget(item)
    for (const record of stored) {
      const item = this.all.get(record.id) ?? { record, probe: probeOf(record), run: undefined }
      this.keep(Object.assign(item, { record, probe: probeOf(record), run: undefined }))
    }
  }
}

/** Opens the stored tracked items. */
export async function createTracking(needs: Needs): Promise<Tracking> {
  const { database, exclusive, clock, logger, createId } = needs
  async function deleteSamples(queries: Queries, item: number): Promise<void> {
    await needs.keepSamples(queries, item)
    await removeSamples(queries, item)
  }

  const listeners = new EntryListeners((error) => logger.error({ err: error }, 'A listener failed'))
  const evaluations = new Evaluations<TrackedItem>({
    ...needs,
    upstreamWait: new UpstreamWait(clock),
    budget: new TrackingBudget(clock),
  })
  const open = new OpenItems(evaluations, () => cron.arm())
  const recorder = new Recorder({
    items: open.all,
    everyTxItems: open.everyTx,
    evaluations,
    clock,
    logger,
    listeners,
    onProgress: () => cron.arm(),
  })
  const cron = new Cron({
    database,
    items: open.all,
    evaluations,
    listeners,
    clock,
    exclusive,
    async now() {
      const point = await needs.latest()
      recorder.useState(point.view)
      return { ...point, timeMs: networkTimeMs() }
    },
    onError: (error) => logger.error({ err: error }, 'Could not record due items; retrying'),
  })

  const entryChanges = new EntryChanges({
    items: open.all,
    listeners,
    head: async () => Number((await needs.latest()).block.number),
  })

  const networkTimeMs = () => Number(needs.networkTime()) * 1000

  for (const record of await loadTrackedItems(database.queries))
    open.keep({ record, probe: probeOf(record), run: undefined })

  return {
    observer: recorder,
    evaluationCount: () => evaluations.count,
    skippedCount: () => evaluations.skippedCount,
    slow: () => evaluations.slow().map(({ item, ms }) => ({ id: item.record.id, ms })),
    subscribe: (id, listener) => {
      if (id !== undefined) open.require(id)
      return listeners.add(id, listener)
    },

    add: (definition) =>
      exclusive(async () => {
        const { value, schedule, probe } = parse(definition)
        if (open.all.size >= itemLimit)
          throw new NetworkError('LIMIT_EXCEEDED', { what: 'no more items can be tracked', limit: itemLimit })
        const fresh = { ...value, schedule, id: createId(), createdAt: clock.now(), lastError: undefined }
        const number = await database.transaction((transaction) => addTrackedItem(transaction, fresh))
        const record = { ...fresh, number }
        open.keep({ record, probe, run: null })
        return record
      }),

    update: (id, changes) =>
      exclusive(async () => {
        const item = open.require(id)
        const { record, probe, isOther, isRescheduled } = withChanges(item, changes)
        await database.transaction(async (queries) => {
          await saveTrackedItem(queries, record)
          if (isOther) await deleteSamples(queries, record.number)
          else if (isRescheduled && open.everyTx.has(item))
            await endRun(queries, record.number, endOf((await needs.latest()).block))
        })
        Object.assign(item, { record, probe }, isRescheduled && { run: null })
        open.keep(item)
        return record
      }),

    remove: (id) =>
      exclusive(async () => {
        const item = open.require(id)
        await database.transaction(async (queries) => {
          await removeTrackedItem(queries, item.record.number)
          await deleteSamples(queries, item.record.number)
        })
        open.forget(item)
      }),

    list: (filter) => open.list(filter),

    loadLatest: (ids) =>
      Promise.all(ids.map((id) => loadLatestEntry(database.queries, open.require(id).record.number))),
    loadHistory: async (id, options = {}) =>
      loadHistory(database.queries, open.require(id).record.number, options, Math.max(clock.now(), networkTimeMs())),

    refresh: (notice) =>
      exclusive(async () => {
        if (notice.isChanged('tracked_items')) open.replaceAll(await loadTrackedItems(notice.queries))
        await entryChanges.refresh(notice)
      }),

    async start() {
      cron.start()
    },
    async stop() {
      cron.stop()
      await exclusive(async () => {})
    },
  }
}

const endOf = ({ number, timestamp }: ExecutionPoint['block']) => ({
  block: Number(number),
  timestamp: Number(timestamp) * 1000,
})

/** Throws `INVALID_PARAMS` that names the field. */
function parse<Definition extends TrackedDefinition>(definition: Definition) {
  const { recordTrigger: _trigger, trackingFrequency: _frequency, ...value } = definition
  return { value, schedule: scheduleOf(definition), probe: probeOf(definition) }
}

/** An item with changed fields, whether its value is another one, and whether its recording starts anew. */
function withChanges(item: TrackedItem, changes: Partial<TrackedDefinition>) {
  const before = item.record
  const { trigger, frequency } = before.schedule
  const definition = { ...before, recordTrigger: trigger, trackingFrequency: frequency, ...changes }
  const { value: after, schedule, probe } = parse(definition)
  const isOther = meaningOf(before, item.probe) !== meaningOf(after, probe)
  const isRescheduled = isOther || schedule.trigger !== trigger || schedule.frequency !== frequency
  const record = isRescheduled ? { ...after, schedule, lastError: undefined } : after
  return { record, probe, isOther, isRescheduled }
}
