import type { Topic } from '../defineTopic.ts'
import { changes } from './changes.ts'
import { divergences } from './divergences.ts'
import { logs } from './logs.ts'
import { network } from './network.ts'
import { newHeads } from './newHeads.ts'
import { newPendingTransactions } from './newPendingTransactions.ts'
import { syncing } from './syncing.ts'
import { tracked } from './tracked.ts'
import { transactionReceipts } from './transactionReceipts.ts'

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
