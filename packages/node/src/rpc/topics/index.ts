import type { Topic } from './defineTopic.ts'
import { changes, divergences, network, tracked } from './devTopics.ts'
import { logs, newHeads, newPendingTransactions, syncing, transactionReceipts } from './standardTopics.ts'

/** All topics of `eth_subscribe`. The reference is generated from this list. */
export const topics: readonly Topic[] = [
  newHeads,
  logs,
  newPendingTransactions,
  transactionReceipts,
  syncing,
  network,
  changes,
  tracked,
  divergences,
]
