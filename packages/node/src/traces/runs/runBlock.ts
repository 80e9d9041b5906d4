import type { Done, StateDiff, TracedRun, Word } from '@understudy/evm'
import type { BlockReplay, ReplayedTransaction } from '../../chain/history/blockReplay.ts'
import { l1ChargesOf } from '../../chain/sealing/l1Charges.ts'
import type { Engine } from '../../shared/engine.ts'
import { NetworkError } from '../../shared/errors.ts'
import { emptyDiff, isEmptyDiff, mergeDiff } from '../../state/diff.ts'
import type { Overlay } from '../../state/overlay.ts'
import { type RunTime, runTraced, type Tracing, traceRun } from './runTraced.ts'

/** `trace`: the one that was asked for. */
export type TransactionRun = { hash: Word; run: TracedRun; trace?: unknown }

type RunBlockOptions = {
  /** How many transactions are run. */
  count?: number
  /** Whether a transaction of a type unknown here is passed over. */
  isPassed?: (hash: Word) => boolean
  /** The trace to make of a transaction. */
  tracingOf?: (hash: Word) => Tracing | undefined
}

/** Throws `INVALID_PARAMS` if a block has no such transaction. */
export function requireTransaction({ transactions: { length } }: BlockReplay, index: bigint, field = 'txIndex'): void {
  if (index >= BigInt(length))
    throw new NetworkError('INVALID_PARAMS', { field, problem: `the block has ${length} transactions` })
}

/** The state before a transaction of a block, and a run of it: none at the beginning of a block without transactions. */
export async function runBefore(
  replay: BlockReplay,
  index: bigint,
  time: RunTime,
  engineFor: (replay: BlockReplay) => Promise<Engine>,
): Promise<{ view: Overlay; run: TracedRun | undefined }> {
  const { state: view, transactions } = replay
  if (transactions.length === 0 && index === 0n) return { view, run: undefined }
  requireTransaction(replay, index)
  const runs = runBlock(await engineFor(replay), replay, time)
  for (let passed = 0n; passed < index; passed++) await runs.next()
  return { view, run: (await runs.next()).value?.run }
}

/**
 * Replays the transactions of a block, each on the state after the previous one. Finish with a run before requesting
 * the next.
 */
export async function* runBlock(
  engine: Engine,
  replay: BlockReplay,
  time: RunTime,
  { count = replay.transactions.length, isPassed, tracingOf }: RunBlockOptions = {},
): AsyncGenerator<TransactionRun> {
  const { block, state, hash: blockHash, transactions } = replay
  let logsBefore = 0
  for (const [transactionIndex, transaction] of transactions.slice(0, count).entries()) {
    const { hash, message } = transaction
    if (!message) {
      // What it changed is left out for those after it: it belongs to the chain's own machinery.
      if (isPassed?.(hash)) continue
      const type = 'type' in transaction ? transaction.type : 'unknown'
      throw new NetworkError('UNSUPPORTED', { what: `running a transaction of type ${type} again, here` })
    }
    beginTransaction(state, transaction)
    const transactionPosition = {
      blockHash,
      blockNumber: block.number,
      transactionHash: hash,
      transactionIndex,
      logsBefore,
    }
    const runnable = { message, block, view: state, kind: 'transaction', transactionPosition, time } as const
    const tracing = tracingOf?.(hash)
    const traced = tracing ? await traceRun(engine, runnable, tracing) : { run: await runTraced(engine, runnable) }
    yield { hash, ...traced }
    const { run } = traced
    logsBefore += run.result.logs.length
    applyDiff(engine, state, await changesOf(replay, transaction, run.result))
  }
}

/** Replays a block up to a transaction, and returns the run of that transaction. */
export async function runTransaction(
  engine: Engine,
  replay: BlockReplay,
  hash: Word,
  time: RunTime,
  tracing?: Tracing,
): Promise<TransactionRun> {
  const index = replay.transactions.findIndex((transaction) => transaction.hash === hash)
  const options: RunBlockOptions = {
    count: index + 1,
    isPassed: (other) => other !== hash,
    tracingOf: (other) => (other === hash ? tracing : undefined),
  }
  for await (const found of runBlock(engine, replay, time, options)) if (found.hash === hash) return found
  throw new NetworkError('NOT_FOUND', { resource: 'transaction', id: hash })
}

/** Applies what a transaction changes to the state, and to what the engine holds of it. */
export function applyDiff(engine: Engine, state: Overlay, diff: StateDiff): void {
  if (isEmptyDiff(diff)) return
  const before = state.identity
  state.apply(diff)
  engine.advance(before, state.identity, diff)
}

/** What a transaction changes, with what it pays on the layer below. */
export async function changesOf(
  { l1Fees: header, state }: BlockReplay,
  transaction: ReplayedTransaction,
  result: Done,
): Promise<StateDiff> {
  const { raw, message } = transaction
  if (!header || !raw || !message || message.mint !== undefined) return result.diff
  const charges = await l1ChargesOf({ raw }, result, state, header)
  const whole = emptyDiff()
  mergeDiff(whole, result.diff)
  mergeDiff(whole, charges.diff)
  return whole
}

/** Makes the state what it is before a transaction. */
export function beginTransaction(state: Overlay, { before }: ReplayedTransaction): void {
  if (before) state.apply(before)
}
