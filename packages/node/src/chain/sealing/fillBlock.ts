import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import { isNetworkError } from '../../shared/errors.ts'
import type { PoolEntry, PoolTurn } from '../pool/pool.ts'
import type { BlockBuilder } from './blockBuilder.ts'

/**
 * Runs everything that fits into an open block. Returns what ran, and why the rest that fits cannot pay. `execute` is
 * false for what cannot be in the block; if it throws `INSUFFICIENT_FUNDS`, the transaction waits for one that funds it.
 */
export async function fillBlock(
  builder: BlockBuilder,
  entries: Generator<PoolEntry, void, PoolTurn>,
  execute: (entry: PoolEntry) => MaybePromise<boolean>,
): Promise<{ executed: PoolEntry[]; unpaid: Map<PoolEntry, unknown> }> {
  const executed: PoolEntry[] = []
  const unpaid = new Map<PoolEntry, unknown>()
  async function turnOf(entry: PoolEntry): Promise<PoolTurn> {
    unpaid.delete(entry)
    if (!builder.fits(entry.transaction)) return 'skip'
    try {
      if (!(await execute(entry))) return 'skip'
    } catch (error) {
      if (!isNetworkError(error, 'INSUFFICIENT_FUNDS')) throw error
      unpaid.set(entry, error)
      return 'wait'
    }
    executed.push(entry)
    return 'executed'
  }

  for (let step = entries.next(); !step.done; ) step = entries.next(await turnOf(step.value))
  return { executed, unpaid }
}
