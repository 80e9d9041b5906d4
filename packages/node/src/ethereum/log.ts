import type { Address, Hex, Word } from '@understudy/evm'

/** A log of a sealed block. */
export type LogEntry = {
  address: Address
  topics: Word[]
  data: Hex
  blockNumber: bigint
  blockHash: Word
  blockTimestamp: bigint
  transactionHash: Word
  transactionIndex: number
  /** Unique in its block. */
  logIndex: number
}
