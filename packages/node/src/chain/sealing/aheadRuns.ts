import type { Address, BlockContext, OverrideTable } from '@understudy/evm'
import { settle } from '../../shared/async/maybePromise.ts'
import { type RequestBudget, withBudget } from '../../shared/budget/requestBudget.ts'
import type { Engine } from '../../shared/engine.ts'
import type { State } from '../../state/state.ts'
import type { PoolEntry } from '../pool/pool.ts'
import { type AheadRun, runAhead } from '../run/aheadRun.ts'
import { messageFrom } from '../run/blockContext.ts'

/** How long a transaction may run in a block in instant mode, in milliseconds. Longer ones run ahead. */
export const heavyMs = 100
/** How often a transaction may run ahead again because its result was outdated. After that, it runs in its block. */
const attemptLimit = 3

type Needs = {
  state: Pick<State, 'latest'>
  engine: Engine
  overrides: () => OverrideTable | undefined
  /** The block that would be sealed now. */
  pendingContext: () => BlockContext
  /** Called when a transaction is ready to be sealed with its result. */
  onEnded: (entry: PoolEntry) => void
}

/**
 * Runs heavy transactions of the pool before their blocks, in the turns of their clients, so that other transactions
 * can be sealed in the meantime.
 */
export class AheadRuns {
  readonly #needs: Needs
  /** One for each sender, because the next one depends on it. */
  readonly #running = new Map<Address, PoolEntry>()
  readonly #scheduled: PoolEntry[] = []

  constructor(needs: Needs) {
    this.#needs = needs
  }

  isRunning(entry: PoolEntry): boolean {
    return this.#running.get(entry.transaction.from) === entry
  }

  /** Whether an entry waits for a run: its own, or that of an earlier one of its sender. */
  holds({ transaction: { from, nonce } }: PoolEntry): boolean {
    const running = this.#running.get(from)
    return running !== undefined && running.transaction.nonce <= nonce
  }

  /** Takes the result of the last run. Throws if the transaction could not run. */
  take({ ahead }: PoolEntry): AheadRun | undefined {
    const run = ahead?.run
    if (!ahead || run === undefined) return undefined
    ahead.run = undefined
    if ('error' in run) throw run.error
    return run
  }

  /** Whether an entry may run ahead: a client waits for it, and it has attempts left. */
  mayStart({ budget, ahead }: PoolEntry): boolean {
    return budget !== undefined && (ahead?.attempts ?? 0) < attemptLimit
  }

  /** A scheduled entry counts as running. */
  schedule(entry: PoolEntry): void {
    this.#running.set(entry.transaction.from, entry)
    this.#scheduled.push(entry)
  }

  /** Starts scheduled runs on the newest state. */
  startScheduled(): void {
    for (const entry of this.#scheduled.splice(0)) if (entry.budget) this.#start(entry, entry.budget)
  }

  #start(entry: PoolEntry, budget: RequestBudget): void {
    const { transaction } = entry
    const { state, engine, overrides, pendingContext, onEnded } = this.#needs
    const controller = new AbortController()
    const ahead = { attempts: (entry.ahead?.attempts ?? 0) + 1, cancel: () => controller.abort(), run: undefined }
    entry.ahead = ahead
    const context = pendingContext()
    const message = messageFrom(transaction, context)
    const ended = (run: AheadRun | { error: unknown } | undefined) => {
      if (this.isRunning(entry)) this.#running.delete(transaction.from)
      if (controller.signal.aborted) return
      entry.ahead = { ...ahead, run }
      onEnded(entry)
    }
    void settle(
      () =>
        withBudget(budget.cancelledBy(controller.signal), () =>
          runAhead(message, context, state.latest(), { engine, overrides }, { signal: controller.signal }),
        ),
      ended,
      (error) => ended({ error }),
    )
  }

  /** Stops all runs. */
  stop(): void {
    for (const { ahead } of this.#running.values()) ahead?.cancel()
  }
}
