import type { ExecutionPoint } from '../execution/execution.ts'
import type { Clock, Timer } from '../shared/clock.ts'
import type { Database } from '../storage/database.ts'
import { saveTrackedProgress } from '../storage/records/tracking/trackedItems.ts'
import { addSamples, endOfBlock, type SampleRecord } from '../storage/records/tracking/trackedSamples.ts'
import type { EntryListeners } from './entryListeners.ts'
import type { Evaluations } from './evaluations.ts'
import { noTransaction } from './history.ts'
import type { TrackedItem } from './probe.ts'
import { advanced, nextTurnMs } from './schedule.ts'

/** The maximum delay of timers: about 24 days. */
const longestDelayMs = 2 ** 31 - 1
/** Delay after a recording that could not be stored. */
const retryMs = 1_000

type Needs = {
  database: Database
  items: ReadonlyMap<string, TrackedItem>
  evaluations: Evaluations<TrackedItem>
  listeners: EntryListeners
  clock: Clock
  /** The latest block with its state, and the network's current time in milliseconds. */
  now(): Promise<ExecutionPoint & { timeMs: number }>
  /** Runs a task while no block is being built. */
  exclusive(task: () => Promise<void>): Promise<void>
  onError(error: unknown): void
}

/** Records items that are due by the clock. */
export class Cron {
  readonly #needs: Needs
  #timer: Timer | undefined
  #running = false

  constructor(needs: Needs) {
    this.#needs = needs
  }

  start(): void {
    this.#running = true
    this.arm()
  }

  stop(): void {
    this.#running = false
    this.#timer?.cancel()
  }

  /** Sets the timer to the next due time. Call it whenever that may have changed. */
  arm(notBefore = 0): void {
    this.#timer?.cancel()
    if (!this.#running) return
    let earliest = Number.POSITIVE_INFINITY
    for (const { record } of this.#needs.items.values()) earliest = Math.min(earliest, nextTurnMs(record.schedule))
    if (earliest === Number.POSITIVE_INFINITY) return
    const delay = Math.max(earliest, notBefore) - this.#needs.clock.now()
    this.#timer = this.#needs.clock.after(Math.min(Math.max(delay, 0), longestDelayMs), () => this.#turn())
  }

  #turn(): void {
    const { exclusive, onError, clock } = this.#needs
    exclusive(() => this.#record()).then(
      () => this.arm(),
      (error) => {
        onError(error)
        this.arm(clock.now() + retryMs)
      },
    )
  }

  async #record(): Promise<void> {
    const { items, evaluations, clock, database, listeners } = this.#needs
    const now = clock.now()
    const due = [...items.values()].filter(({ record }) => nextTurnMs(record.schedule) <= now)
    if (due.length === 0 || !this.#running) return
    const { timeMs: timestamp, ...point } = await this.#needs.now()
    const block = Number(point.block.number)
    const samples: SampleRecord[] = []
    evaluations.renewBudget()
    const records = new Map<TrackedItem, TrackedItem['record']>()
    for (const [item, outcome] of await evaluations.settle(due, point)) {
      const { record } = item
      const lastError = 'error' in outcome ? outcome.error : undefined
      records.set(item, { ...record, schedule: advanced(record.schedule, now), lastError })
      if ('value' in outcome)
        samples.push({ item: record.number, block, index: endOfBlock, timestamp, kind: 'point', value: outcome.value })
    }
    await database.transaction(async (queries) => {
      await addSamples(queries, samples)
      for (const record of records.values()) await saveTrackedProgress(queries, record)
    })
    const ids = new Map<number, string>()
    for (const [item, record] of records) {
      item.record = record
      ids.set(record.number, record.id)
    }
    for (const { item, value } of samples)
      listeners.notify({
        id: ids.get(item) ?? '',
        entry: { value, blockNumber: block, timestamp, txHash: noTransaction },
      })
  }
}
