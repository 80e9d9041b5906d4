import { measureHistory } from './history.ts'
import { compareTransactions } from './transactions.ts'

/** Prints what tracked items cost transactions, and the time to read a long history. */
export async function run(): Promise<void> {
  await compareTransactions()
  await measureHistory()
}
