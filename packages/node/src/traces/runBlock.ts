import type { TracedRun, Word } from '@understudy/evm'
import type { BlockReplay } from '../chain/history/blockReplay.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { runTraced } from './tracedRun.ts'

export type TransactionRun = { hash: Word; run: TracedRun }

/**
 * Replays the transactions of a block, each on the state after the previous one. Finish with a run before requesting
 * the next.
 */
export async function* runBlock(
  engine: Engine,
  { block, state, hash: blockHash, transactions }: BlockReplay,
  time: ComputingTime,
  count = transactions.length,
): AsyncGenerator<TransactionRun> {
  let logsBefore = 0
  for (const [transactionIndex, { hash, message }] of transactions.slice(0, count).entries()) {
    const place = { blockHash, blockNumber: block.number, transactionHash: hash, transactionIndex, logsBefore }
    const run = await runTraced(engine, { message, block, view: state, kind: 'transaction', place, time })
    yield { hash, run }
    logsBefore += run.result.logs.length
    const before = state.identity
    state.apply(run.result.diff)
    engine.advance(before, state.identity, run.result.diff)
  }
}

/** Replays a block up to a transaction, and returns the run of that transaction. */
export async function runTransaction(
  engine: Engine,
  replay: BlockReplay,
  hash: Word,
  time: ComputingTime,
): Promise<TracedRun> {
  const index = replay.transactions.findIndex((transaction) => transaction.hash === hash)
  for await (const found of runBlock(engine, replay, time, index + 1)) if (found.hash === hash) return found.run
  throw new NetworkError('NOT_FOUND', { resource: 'transaction', id: hash })
}
