import type { LogEntry } from '../../ethereum/log.ts'
import { quantity } from '../../shared/hex.ts'

/** A log as `eth_getLogs` and receipts return it. */
export function encodeLog(log: LogEntry) {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockHash: log.blockHash,
    blockNumber: quantity(log.blockNumber),
    blockTimestamp: quantity(log.blockTimestamp),
    transactionHash: log.transactionHash,
    transactionIndex: quantity(log.transactionIndex),
    logIndex: quantity(log.logIndex),
    removed: false,
  }
}
