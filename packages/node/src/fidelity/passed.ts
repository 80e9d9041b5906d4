import type { ReplayedTransaction } from '../chain/history/blockReplay.ts'

/** How many transactions were not run here because of their type, by type. */
export type Passed = { type: string; transactions: number }[]

/** Counts a transaction that is not run here. */
export function countPassed(passed: Passed, transaction: ReplayedTransaction | undefined): void {
  const type = transaction && 'type' in transaction ? transaction.type : 'unknown'
  const known = passed.find((each) => each.type === type)
  if (known) known.transactions++
  else passed.push({ type, transactions: 1 })
}
