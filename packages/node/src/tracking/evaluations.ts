import type { BlockContext, StateDiff } from '@understudy/evm'
import type { ExecutionPoint } from '../execution/execution.ts'
import type { Engine } from '../shared/engine.ts'
import type { Logger } from '../shared/logger.ts'
import type { LoadingView, WantedState } from '../state/view.ts'
import { type EvaluationOutcome, evaluateProbe } from './evaluateProbe.ts'
import type { Probe } from './probe.ts'
import { isUnchanged, missingOf, ReadIndex, type Reads } from './readIndex.ts'
import { computingMs, type TrackingBudget } from './trackingBudget.ts'
import type { UpstreamWait } from './upstreamWait.ts'

/** More rounds are needed only for values that follow pointers. */
const roundLimit = 1_000

/** Why an item has no value at a block. */
const skippedOutcome: EvaluationOutcome = {
  error: `skipped: the tracked items of a block may compute for ${computingMs} ms together, which was not enough for this one`,
}

type Needs<Item extends object> = {
  engine: Engine
  upstreamWait: UpstreamWait
  budget: TrackingBudget<Item>
  /** An object that changes identity whenever functions may return something else in the same state. */
  rules: () => unknown
  logger: Logger
}

/**
 * The values of items in a changing state. A value is computed again only if something that it read has changed; if the
 * change is unknown, its reads are compared first.
 */
export class Evaluations<Item extends { probe: Probe }> {
  readonly #needs: Needs<Item>
  readonly #index = new ReadIndex<Item>()
  readonly #outcomes = new Map<Item, EvaluationOutcome>()
  /** Items whose value may be outdated; those with an entry in `#outcomes` are checked first. */
  readonly #unsettled = new Set<Item>()
  /** Items whose value depends on the block. */
  readonly #ofBlock = new Set<Item>()
  #block: BlockContext | undefined
  #rules: unknown
  /** Items that were skipped when they were last due. */
  readonly #skipped = new Set<Item>()
  /** Number of evaluations since the start. */
  count = 0
  /** Number of skipped values since the start. */
  skippedCount = 0

  constructor(needs: Needs<Item>) {
    this.#needs = needs
  }

  /** Adds an item, or discards its cached value. */
  reset(item: Item): void {
    this.#index.delete(item)
    this.#outcomes.delete(item)
    this.#ofBlock.delete(item)
    this.#unsettled.add(item)
  }

  delete(item: Item): void {
    this.reset(item)
    this.#unsettled.delete(item)
    this.#skipped.delete(item)
  }

  /** A new block, or a recording by the clock, has its own budget. */
  renewBudget(): void {
    this.#needs.budget.renew()
  }

  /** The items that were skipped when last due, with their previous computing times in milliseconds; slowest first. */
  slow(): { item: Item; ms: number }[] {
    const { budget } = this.#needs
    return [...this.#skipped].map((item) => ({ item, ms: budget.lastMs(item) })).sort((a, b) => b.ms - a.ms)
  }

  /** What the value of an item read; `undefined` if it is not known. */
  reads(item: Item): Reads | undefined {
    return this.#index.get(item)
  }

  /** Reports a change; `undefined` if anything may have changed. */
  changed(diff: StateDiff | undefined): void {
    if (diff) for (const item of this.#index.touched(diff)) this.reset(item)
    else for (const item of this.#outcomes.keys()) this.#unsettled.add(item)
  }

  /** The items whose value at a block is unknown. */
  unsettled(block: BlockContext): ReadonlySet<Item> {
    const rules = this.#needs.rules()
    if (rules !== this.#rules) for (const item of [...this.#outcomes.keys()]) this.reset(item)
    if (block !== this.#block) for (const item of [...this.#ofBlock]) this.reset(item)
    this.#rules = rules
    this.#block = block
    return this.#unsettled
  }

  /** Evaluates these items at a point. */
  async settle(items: readonly Item[], point: ExecutionPoint): Promise<Map<Item, EvaluationOutcome>> {
    const unsettled = this.unsettled(point.block)
    const settled = new Map<Item, EvaluationOutcome>()
    let failure = await this.#load(point.view, this.#unsettledReads(items, point.view))
    let open = items.filter((item) => {
      if (unsettled.has(item)) this.#confirm(item, point.view)
      const outcome = this.#outcomes.get(item)
      if (outcome) settled.set(item, outcome)
      return !outcome
    })
    for (let round = 0; open.length > 0 && round < roundLimit && failure === undefined; round++) {
      const { left, missing } = await this.#evaluate(open, point, settled)
      open = left
      failure = await this.#load(point.view, open.length > 0 ? missing : undefined)
    }
    for (const item of open) settled.set(item, { error: failure ?? 'the required state was never complete' })
    for (const [item, outcome] of settled) {
      if (outcome !== skippedOutcome) this.#skipped.delete(item)
      else this.#skipped.add(item)
    }
    return settled
  }

  /** Prefetches the reads of outdated values into a view, so that no block has to wait for them later. */
  async prefetch(view: LoadingView): Promise<void> {
    await this.#load(view, this.#unsettledReads(this.#unsettled, view))
  }

  /** Checks whether a value is still valid. */
  #confirm(item: Item, view: LoadingView): void {
    const reads = this.#index.get(item)
    if (reads && isUnchanged(reads, view)) this.#unsettled.delete(item)
    else this.reset(item)
  }

  async #evaluate(items: readonly Item[], point: ExecutionPoint, settled: Map<Item, EvaluationOutcome>) {
    const left: Item[] = []
    const accounts = new Set<WantedState['accounts'][number]>()
    const codes = new Set<WantedState['codes'][number]>()
    const slots: WantedState['slots'][number][] = []
    const blockHashes = new Set<bigint>()
    const { budget } = this.#needs
    const queue = budget.order(items)
    for (const item of queue) {
      const wasKnown = budget.isKnown(item)
      const result = await this.#evaluateOne(item, point)
      if (result.type === 'skipped') {
        if (!wasKnown && budget.isKnown(item)) {
          // It takes longer than others: they are evaluated first.
          queue.push(item)
          continue
        }
        settled.set(item, skippedOutcome)
        this.skippedCount++
        continue
      }
      if (result.type === 'missing') {
        left.push(item)
        for (const address of result.keys.accounts) accounts.add(address)
        for (const address of result.keys.codes) codes.add(address)
        slots.push(...result.keys.slots)
        for (const number of result.keys.blockHashes) blockHashes.add(number)
        continue
      }
      const { outcome, reads } = result
      settled.set(item, outcome)
      if (!reads) continue
      this.#index.set(item, reads)
      this.#outcomes.set(item, outcome)
      this.#unsettled.delete(item)
      if (reads.block) this.#ofBlock.add(item)
    }
    return { left, missing: { accounts: [...accounts], codes: [...codes], slots, blockHashes: [...blockHashes] } }
  }

  async #evaluateOne(item: Item, point: ExecutionPoint): ReturnType<typeof evaluateProbe> {
    const { budget, engine } = this.#needs
    const time = budget.timeFor(item)
    const leftMs = time?.leftMs ?? 0
    const evaluated = await this.#attempt(() => evaluateProbe(engine, item.probe, point, time))
    if (time) budget.spent(item, leftMs - time.leftMs, evaluated.type === 'skipped')
    return evaluated
  }

  async #attempt(evaluate: () => ReturnType<typeof evaluateProbe>): ReturnType<typeof evaluateProbe> {
    this.count++
    try {
      return await evaluate()
    } catch (error) {
      this.#needs.logger.error({ err: error }, 'Could not evaluate a tracked item')
      return { type: 'done', outcome: { error: 'it could not be evaluated; see the log' }, reads: undefined }
    }
  }

  #unsettledReads(items: Iterable<Item>, view: LoadingView): WantedState | undefined {
    const reads = [...items].filter((item) => this.#unsettled.has(item)).flatMap((item) => this.#index.get(item) ?? [])
    return missingOf(reads, view)
  }

  /** Returns the reason. */
  async #load(view: LoadingView, keys: WantedState | undefined): Promise<string | undefined> {
    const { budget, upstreamWait } = this.#needs
    const startedAt = performance.now()
    try {
      if (!keys) return undefined
      if (budget.waitLeftMs <= 0) throw new Error('the tracked items of the block waited too long together')
      await upstreamWait.load(view, keys, budget.waitLeftMs)
      return undefined
    } catch (error) {
      return `the state that it reads could not be fetched: ${error instanceof Error ? error.message : String(error)}`
    } finally {
      budget.waited(performance.now() - startedAt)
    }
  }
}
