import {
  type BlockContext,
  type Done,
  isFreeCall,
  type Message,
  type Missing,
  type Rejected,
  type RunResult,
} from '@understudy/evm'
import { chain, type MaybePromise } from '../shared/async/maybePromise.ts'
import { currentBudget } from '../shared/budget/requestBudget.ts'
import type { Engine, EngineOptions } from '../shared/engine.ts'
import { isAnsweredError, isNetworkError, NetworkError } from '../shared/errors.ts'
import {
  isEmptyWanted,
  type LoadingView,
  mergeWanted,
  notLoaded,
  type WantedState,
  withoutKeys,
} from '../state/view.ts'
import { nextCreated } from './nextCreated.ts'
import { rejection } from './rejection.ts'

/**
 * Each pass finds everything that can be known without the missing values; only a chain of pointers needs many passes.
 */
const passLimit = 10_000
/** Most calls of the live chain's own contracts (Arbitrum's) that one message may cause: each is a call upstream. */
const liveCallLimit = 64

/** Like `runToEnd`, but throws if the message is invalid. */
export function runLoaded(
  engine: Engine,
  message: Message,
  block: BlockContext,
  view: LoadingView,
  options: EngineOptions,
  signal?: AbortSignal,
): MaybePromise<Done> {
  return chain(runToEnd(engine, message, block, view, options, signal), (result) => requireValid(result, message))
}

function requireValid(result: Done | Rejected, { from }: Message): Done {
  if (result.type === 'rejected') throw rejection(result, from)
  return result
}

/**
 * Runs a message and fetches missing state in as few round trips as possible. An execution takes microseconds and a
 * round trip milliseconds, so the message runs again after each. Returns at once where all state is in memory, and the
 * run is not longer than a slice.
 */
export function runToEnd(
  engine: Engine,
  message: Message,
  block: BlockContext,
  view: LoadingView,
  options: EngineOptions,
  signal?: AbortSignal,
): MaybePromise<Done | Rejected> {
  const reserved = options.time ? reserveOutput : (result: RunResult) => result
  const pass = (run: Message) => chain(engine.run(run, block, view, options), reserved)
  return chain(pass(message), (first) => {
    if (first.type === 'done') note(message, first, view, 0)
    if (first.type !== 'missing') return first
    return runAgain(message, withPaid(first, message, block, options), view, options, pass, signal)
  })
}

/** Loads what was missing in the first pass, and runs the message until nothing is. */
async function runAgain(
  message: Message,
  first: Missing,
  view: LoadingView,
  options: EngineOptions,
  runPass: (run: Message) => MaybePromise<RunResult>,
  signal: AbortSignal | undefined,
): Promise<Done | Rejected> {
  let hint: WantedState | undefined
  const budget = currentBudget()
  const loader = new Loader(view, signal)
  let liveCalls = 0
  let run = message
  let result = first
  for (let pass = 0; pass < passLimit; pass++) {
    liveCalls += result.calls.length
    if (liveCalls > liveCallLimit)
      throw new NetworkError('LIMIT_EXCEEDED', {
        what: "a call asks the live chain's own contracts too much",
        limit: liveCallLimit,
      })
    try {
      if (pass === 0) hint = await loadFirst(message, result, view, loader)
      else await loader.load(result, pass === 1 ? hint : undefined)
    } catch (error) {
      // What the run does not need may not fail it: a call without a sender has the zero address.
      const isSenderMissing = result.accounts.includes(message.from) && !run.senderIsUnread
      if (!isSenderMissing || !isAnsweredError(error) || !isFreeCall(message, options.kind)) throw error
      run = { ...message, senderIsUnread: true }
    }
    budget?.signal.throwIfAborted()
    const next = await runPass(run)
    if (next.type === 'done') note(message, next, view, pass + 1)
    if (next.type !== 'missing') return next
    result = next
  }
  throw new NetworkError('EXECUTION_FAILED', {
    text: `the required state was not complete after ${passLimit} rounds`,
  })
}

/** A transaction pays its block's coinbase at its end: a run should not find out then that the account is missing. */
function withPaid(missing: Missing, { gasPrice }: Message, block: BlockContext, { kind }: EngineOptions): Missing {
  if (kind !== 'transaction' || gasPrice <= block.baseFee || missing.accounts.includes(block.coinbase)) return missing
  return { ...missing, accounts: [...missing.accounts, block.coinbase] }
}

/** Checked before the hex encoding and before another run, so that outputs beyond the answer limit are not kept. */
function reserveOutput(result: RunResult): RunResult {
  if (result.type === 'done') currentBudget()?.bytes.expect(2 * result.output.length)
  return result
}

/**
 * Loads the first missing keys, together with what earlier runs of this message read. Without earlier runs, also asks
 * upstream what this message will read; the answer is for the next round.
 */
async function loadFirst(
  message: Message,
  missing: Missing,
  view: LoadingView,
  loader: Loader,
): Promise<WantedState | undefined> {
  const { prefetch } = view
  const learned = prefetch?.expect(message, codeHashOf(message, view))
  const asked = prefetch && !learned && callsUpstreamCode(message, view) ? prefetch.ask(message, missing) : undefined
  const guess = mergeWanted([learned, { ...nothing, accounts: nextCreated(message, missing.accounts, view) }])
  const [hint] = await Promise.all([asked, loader.load(missing, guess)])
  return hint
}

/** Whether a message calls a contract that may be the live chain's: of local code, the live chain knows nothing. */
function callsUpstreamCode({ to, data }: Message, view: LoadingView): boolean {
  return to !== undefined && data.length >= 4 && view.localField?.(to, 'codeHash') === undefined
}

/** Loads missing keys. Failures of guessed keys are ignored. */
class Loader {
  readonly #view: LoadingView
  readonly #signal: AbortSignal | undefined
  /** Guesses that failed: not requested again unless a run needs them. */
  #refused: WantedState = nothing

  constructor(view: LoadingView, signal: AbortSignal | undefined) {
    this.#view = view
    this.#signal = signal
  }

  /** Rejects if `missing.first` cannot be loaded. */
  async load(missing: Missing, guess: WantedState | undefined): Promise<void> {
    const first = { ...nothing, ...missing.first }
    const keys = mergeWanted([first, withoutKeys(mergeWanted([missing, guess]), this.#refused)])
    try {
      await this.#view.load(keys, this.#signal)
    } catch (error) {
      // If upstream answered with an error, request the single key to get the reason; if it did not answer, do not wait
      // again.
      if (isAnsweredError(error)) await this.#view.load(first, this.#signal)
      else if (!isNetworkError(error, 'UPSTREAM_UNAVAILABLE') || !isEmptyWanted(notLoaded(first, this.#view)))
        throw error
      this.#refused = mergeWanted([this.#refused, notLoaded(keys, this.#view)])
    }
  }
}

function note(message: Message, { readSet }: Done, view: LoadingView, passes: number): void {
  if (passes > 0) view.prefetch?.learn(message, codeHashOf(message, view), readSet)
  else view.prefetch?.touch(message)
}

const nothing: WantedState = { accounts: [], codes: [], slots: [], blockHashes: [] }

const codeHashOf = ({ to }: Message, view: LoadingView) => (to ? view.account(to)?.codeHash : undefined)
