import type { Address } from '@understudy/evm'
import type { BlockObserver } from '../chain/sealing/blockObserver.ts'
import type { ExecutionPoint } from '../execution/execution.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { ChangeNotice } from '../storage/changeNotice.ts'
import type { Database, Queries } from '../storage/database.ts'
import {
  addTrackedItem,
  loadTrackedItems,
  removeTrackedItem,
  saveTrackedItem,
  type TrackedDefinition,
  type TrackedItemRecord,
} from '../storage/records/tracking/trackedItems.ts'
import { endRun, removeSamples } from '../storage/records/tracking/trackedSamples.ts'
import { Cron } from './cron.ts'
import { EntryChanges } from './entryChanges.ts'
import { EntryListeners, type Recorded } from './entryListeners.ts'
import { Evaluations } from './evaluations.ts'
import { type Entry, type History, type HistoryOptions, loadHistory, loadLatestEntry } from './history.ts'
import { probeOf } from './probe.ts'
import { Recorder } from './recorder.ts'
import type { TrackedItem } from './trackedItem.ts'
import { TrackingBudget } from './trackingBudget.ts'
import { UpstreamWait } from './upstreamWait.ts'

export type { TrackedDefinition, TrackedItemRecord } from '../storage/records/tracking/trackedItems.ts'
export type { Entry, History, HistoryOptions, Period } from './history.ts'

/** Records values of the network over time. */
export type Tracking = Service & {
  /** Throws `INVALID_PARAMS` that names the field, or `LIMIT_EXCEEDED`; nothing is stored then. */
  add(definition: TrackedDefinition): Promise<TrackedItemRecord>
  /** Changes what is given. What was recorded stays as long as it is still of the same value. Throws `TRACKED_ITEM_NOT_FOUND`. */
  update(id: string, changes: Partial<TrackedDefinition>): Promise<TrackedItemRecord>
  /** Removes an item with all that was recorded of it. */
  remove(id: string): Promise<void>
  /** Oldest first; only those of an address, or with a tag. */
  list(filter: { address: Address | undefined; tag: string | undefined }): TrackedItemRecord[]
  /** The newest entry of each of these items, as far as it has one. */
  loadLatest(ids: readonly string[]): Promise<(Entry | undefined)[]>
  /** What was recorded of an item. Throws `LIMIT_EXCEEDED` when it is more than one answer holds. */
  loadHistory(id: string, options?: HistoryOptions): Promise<History>
  /**
   * Tells of entries of an item, or of all, from now on, once they are durable. Returns the function that ends it.
   * Throws `TRACKED_ITEM_NOT_FOUND`.
   */
  subscribe(id: string | undefined, listener: (recorded: Recorded) => void): () => void
  /** Takes in what another node stored, and tells of it; the chain is up to date then. */
  refresh(notice: ChangeNotice): Promise<void>
  /** Records items while blocks are made. */
  readonly observer: BlockObserver
  /** How often a value was taken since the start. */
  evaluationCount(): number
  /** How often a value was left out since the start, because a block had no time for it. */
  skippedCount(): number
  /** The items that were left out when they were due last, and how long each computed before, in milliseconds; the slowest first. */
  slow(): { id: string; ms: number }[]
}

type Needs = {
  database: Database
  /** With the overrides of functions in force. */
  engine: Engine
  /** Something that is another object whenever those changed. */
  rules: () => unknown
  /** Runs a task while no block is made and no state changes. */
  exclusive<T>(task: () => Promise<T>): Promise<T>
  latest: () => Promise<ExecutionPoint>
  /** The time that it is in the network, in seconds since 1970: a block that came now would have it. */
  networkTime: () => bigint
  clock: Clock
  logger: Logger
  createId: () => string
}

/** Items at the most. */
const itemLimit = 10_000

/** Opens the tracked items as they were stored. */
export async function createTracking(needs: Needs): Promise<Tracking> {
  const { database, exclusive, clock, logger, createId } = needs
  const items = new Map<string, TrackedItem>()
  const everyTxItems = new Set<TrackedItem>()
  const listeners = new EntryListeners((error) => logger.error({ err: error }, 'A listener failed'))
  const evaluations = new Evaluations<TrackedItem>({
    ...needs,
    upstreamWait: new UpstreamWait(clock),
    budget: new TrackingBudget(clock),
  })
  const recorder = new Recorder({
    items,
    everyTxItems,
    evaluations,
    clock,
    listeners,
    onProgress: () => cron.arm(),
  })
  const cron = new Cron({
    database,
    items,
    evaluations,
    listeners,
    clock,
    exclusive,
    async now() {
      const point = await needs.latest()
      recorder.useState(point.view)
      return { ...point, timeMs: networkTimeMs() }
    },
    onError: (error) => logger.error({ err: error }, 'Could not record what was due; trying again'),
  })

  const entryChanges = new EntryChanges({
    items,
    listeners,
    head: async () => Number((await needs.latest()).block.number),
  })

  const networkTimeMs = () => Number(needs.networkTime()) * 1000

  function keep(item: TrackedItem): void {
    items.set(item.record.id, item)
    evaluations.reset(item)
    if (item.record.recordTrigger === 'every-tx') everyTxItems.add(item)
    else everyTxItems.delete(item)
    cron.arm()
  }

  function forget(item: TrackedItem): void {
    items.delete(item.record.id)
    everyTxItems.delete(item)
    evaluations.delete(item)
    cron.arm()
  }

  function require(id: string): TrackedItem {
    const item = items.get(id)
    if (!item) throw new NetworkError('TRACKED_ITEM_NOT_FOUND', { id })
    return item
  }

  for (const record of await loadTrackedItems(database.queries))
    keep({ record, probe: probeOf(record), run: undefined })

  return {
    observer: recorder,
    evaluationCount: () => evaluations.count,
    skippedCount: () => evaluations.skippedCount,
    slow: () => evaluations.slow().map(({ item, ms }) => ({ id: item.record.id, ms })),
    subscribe: (id, listener) => {
      if (id !== undefined) require(id)
      return listeners.add(id, listener)
    },

    add: (definition) =>
      exclusive(async () => {
        const probe = probeOf(definition)
        if (items.size >= itemLimit)
          throw new NetworkError('LIMIT_EXCEEDED', { what: 'no more items can be tracked', limit: itemLimit })
        const fresh = {
          ...definition,
          id: createId(),
          createdAt: clock.now(),
          anchor: undefined,
          lastError: undefined,
        }
        const number = await database.transaction((transaction) => addTrackedItem(transaction, fresh))
        const record = { ...fresh, number }
        keep({ record, probe, run: null })
        return record
      }),

    update: (id, changes) =>
      exclusive(async () => {
        const item = require(id)
        const before = item.record
        const after: TrackedItemRecord = { ...before, ...changes }
        const probe = probeOf(after)
        const isOther = valueFields.some((field) => before[field] !== after[field])
        const isRescheduled = isOther || scheduleFields.some((field) => before[field] !== after[field])
        const record = isRescheduled ? { ...after, anchor: undefined, lastError: undefined } : after
        await database.transaction(async (queries) => {
          await saveTrackedItem(queries, record)
          if (isOther) await removeSamples(queries, record.number)
          else if (isRescheduled && everyTxItems.has(item))
            await endRun(queries, record.number, await endOfNewestBlock())
        })
        Object.assign(item, { record, probe }, isRescheduled && { run: null })
        keep(item)
        return record
      }),

    remove: (id) =>
      exclusive(async () => {
        const item = require(id)
        await database.transaction(async (queries) => {
          await removeTrackedItem(queries, item.record.number)
          await removeSamples(queries, item.record.number)
        })
        forget(item)
      }),

    list: ({ address, tag }) =>
      [...items.values()]
        .map(({ record }) => record)
        .filter((record) => address === undefined || record.address === address)
        .filter((record) => tag === undefined || record.tags.includes(tag)),

    loadLatest: (ids) => Promise.all(ids.map((id) => loadLatestEntry(database.queries, require(id).record.number))),
    loadHistory: async (id, options = {}) =>
      loadHistory(database.queries, require(id).record.number, options, Math.max(clock.now(), networkTimeMs())),

    refresh: (notice) =>
      exclusive(async () => {
        if (notice.isChanged('tracked_items')) await refreshItems(notice.queries)
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

  async function refreshItems(queries: Queries): Promise<void> {
    const stored = await loadTrackedItems(queries)
    const ids = new Set(stored.map(({ id }) => id))
    for (const item of [...items.values()]) if (!ids.has(item.record.id)) forget(item)
    for (const record of stored) {
      const item = items.get(record.id) ?? { record, probe: probeOf(record), run: undefined }
      keep(Object.assign(item, { record, probe: probeOf(record), run: undefined }))
    }
  }

  async function endOfNewestBlock() {
    const { block } = await needs.latest()
    return { block: Number(block.number), timestamp: Number(block.timestamp) * 1000 }
  }
}

/** What decides which value is recorded. */
const valueFields = ['type', 'address', 'functionAbi', 'functionArgs', 'functionOutputPath'] as const
/** What decides when it is. */
const scheduleFields = ['recordTrigger', 'trackingFrequency'] as const
