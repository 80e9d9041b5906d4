import type { ReplayedTransaction } from '../chain/history/blockReplay.ts'
import { currentBudget } from '../shared/budget/requestBudget.ts'
import { type ErrorKind, isNetworkError, type NetworkError } from '../shared/errors.ts'

/** Blocks that are loaded in one round trip. */
const together = 4
/** What ends a walk before its range does; what was found until then holds. */
const limits = [
  'EXECUTION_TOO_LONG',
  'LIMIT_EXCEEDED',
  'UPSTREAM_STATE_PRUNED',
  'KEY_FETCH_QUOTA_EXCEEDED',
  'BLOCK_PRUNED',
  'UNSUPPORTED',
] as const satisfies ErrorKind[]

type Walk<Loaded> = {
  newest: bigint
  /** The first block of a chain has no state before it: at least 1. */
  oldest: bigint
  /** How many more blocks to visit, asked before each. */
  wanted(): number
  /** `undefined`: the block is passed over. */
  load(number: bigint): Promise<Loaded | undefined>
  visit(loaded: Loaded): Promise<void>
}

/** Visits blocks, the newest first. Returns the limit that ended the walk; `undefined` if none did. */
export async function walkBack<Loaded>({
  newest,
  oldest,
  wanted,
  load,
  visit,
}: Walk<Loaded>): Promise<NetworkError | undefined> {
  let next = newest
  try {
    while (next >= oldest && wanted() > 0) {
      const count = Math.min(wanted(), together, Number(next - oldest) + 1)
      const numbers = Array.from({ length: count }, (_, index) => next - BigInt(index))
      for (const result of await Promise.allSettled(numbers.map(load))) {
        if (wanted() <= 0) break
        if (result.status === 'rejected') throw result.reason
        if (result.value !== undefined) await visit(result.value)
      }
      next -= BigInt(count)
    }
  } catch (error) {
    currentBudget()?.signal.throwIfAborted()
    if (!limits.some((kind) => isNetworkError(error, kind))) throw error
    return error as NetworkError
  }
  return undefined
}

/** How many transactions were not run here because of their type, by type. */
export type Passed = { type: string; transactions: number }[]

/** Counts a transaction that is not run here. */
export function countPassed(passed: Passed, transaction: ReplayedTransaction | undefined): void {
  const type = transaction && 'type' in transaction ? transaction.type : 'unknown'
  const known = passed.find((each) => each.type === type)
  if (known) known.transactions++
  else passed.push({ type, transactions: 1 })
}
