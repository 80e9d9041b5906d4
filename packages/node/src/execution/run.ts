import type { BlockContext, Done, Message, Missing, Rejected, RunResult } from '@understudy/evm'
import { currentBudget } from '../shared/budget/requestBudget.ts'
import type { Engine, EngineOptions } from '../shared/engine.ts'
import { isAnsweredError, isNetworkError, NetworkError } from '../shared/errors.ts'
import { type LoadingView, mergeWanted, notLoaded, type WantedState, withoutKeys } from '../state/view.ts'
import { rejection } from './rejection.ts'

/** Each pass finds all that can be known without the values of the last; only a chain of pointers comes near this. */
const passLimit = 10_000

/** As `runToEnd`; throws why the message may not run at all. */
export async function runLoaded(
  engine: Engine,
  message: Message,
  block: BlockContext,
  view: LoadingView,
  options: EngineOptions,
  signal?: AbortSignal,
): Promise<Done> {
  const result = await runToEnd(engine, message, block, view, options, signal)
  if (result.type === 'rejected') throw rejection(result, message.from)
  return result
}

/**
 * Runs a message, fetching what the view lacks in as few rounds as there are: an execution costs microseconds and a round
 * trip milliseconds, so it is run again after each.
 */
export async function runToEnd(
  engine: Engine,
  message: Message,
  block: BlockContext,
  view: LoadingView,
  options: EngineOptions,
  signal?: AbortSignal,
): Promise<Done | Rejected> {
  let hint: WantedState | undefined
  const budget = currentBudget()
  const reserved = options.time ? reserveOutput : (result: RunResult) => result
  const loader = new Loader(view, signal)
  for (let pass = 0; pass < passLimit; pass++) {
    budget?.signal.throwIfAborted()
    const running = engine.run(message, block, view, options)
    const result = await (running instanceof Promise ? running.then(reserved) : reserved(running))
    if (result.type === 'done') {
      note(message, result, view, pass)
      return result
    }
    if (result.type === 'rejected') return result
    if (pass === 0) hint = await loadFirst(message, result, view, loader)
    else await loader.load(result, pass === 1 ? hint : undefined)
  }
  throw new NetworkError('EXECUTION_FAILED', {
    text: `the state that it needs was not complete after ${passLimit} rounds`,
  })
}

/** Before it is hex, and before another run: outputs are large, and those beyond what the answer may have are not kept. */
function reserveOutput(result: RunResult): RunResult {
  if (result.type === 'done') currentBudget()?.bytes.expect(2 * result.output.length)
  return result
}

/**
 * Loads what is missing at first, and what runs before this one read. Where none did, upstream is asked meanwhile what this one
 * will read: that is answered, for the next round.
 */
async function loadFirst(
  message: Message,
  missing: Missing,
  view: LoadingView,
  loader: Loader,
): Promise<WantedState | undefined> {
  const { prefetch } = view
  const expected = prefetch?.expect(message, codeHashOf(message, view))
  const isContractCall = message.to !== undefined && message.data.length >= 4
  const asked = prefetch && !expected && isContractCall ? prefetch.ask(message) : undefined
  const [hint] = await Promise.all([asked, loader.load(missing, expected)])
  return hint
}

/** Loads what a run lacks. What is only a guess, and cannot be had, fails no run. */
class Loader {
  readonly #view: LoadingView
  readonly #signal: AbortSignal | undefined
  /** Guesses that could not be had: not asked for again, unless the run cannot go on without. */
  #refused: WantedState = nothing

  constructor(view: LoadingView, signal: AbortSignal | undefined) {
    this.#view = view
    this.#signal = signal
  }

  /** Rejects when `missing.first` cannot be had. */
  async load(missing: Missing, guess: WantedState | undefined): Promise<void> {
    const first = { ...nothing, ...missing.first }
    const keys = mergeWanted([first, withoutKeys(mergeWanted([missing, guess]), this.#refused)])
    try {
      await this.#view.load(keys, this.#signal)
    } catch (error) {
      // Whoever answers an error is asked for the one key, for the reason; whoever does not answer at all has been waited for.
      if (isAnsweredError(error)) await this.#view.load(first, this.#signal)
      else if (!isNetworkError(error, 'UPSTREAM_UNAVAILABLE') || !isEmpty(notLoaded(first, this.#view))) throw error
      this.#refused = mergeWanted([this.#refused, notLoaded(keys, this.#view)])
    }
  }
}

function note(message: Message, { readSet }: Done, view: LoadingView, passes: number): void {
  if (passes > 0) view.prefetch?.learn(message, codeHashOf(message, view), readSet)
  else view.prefetch?.touch(message)
}

const nothing: WantedState = { accounts: [], codes: [], slots: [], blockHashes: [] }

const isEmpty = ({ accounts, codes, slots, blockHashes }: WantedState) =>
  accounts.length + codes.length + slots.length + blockHashes.length === 0

const codeHashOf = ({ to }: Message, view: LoadingView) => (to ? view.account(to)?.codeHash : undefined)
