import type { Address, Hex, Word } from '@understudy/evm'
import type { Base } from '../upstream/baseState.ts'
import type { Transaction } from './transaction.ts'

/** A block header; fields of later forks are `undefined` before them. Amounts in wei, time in seconds. */
export type Header = {
  number: bigint
  parentHash: Word
  timestamp: bigint
  coinbase: Address
  stateRoot: Word
  transactionsRoot: Word
  receiptsRoot: Word
  logsBloom: Hex
  gasLimit: bigint
  gasUsed: bigint
  difficulty: bigint
  extraData: Hex
  /** PREVRANDAO since Paris. */
  mixHash: Word
  baseFeePerGas: bigint | undefined
  withdrawalsRoot: Word | undefined
  blobGasUsed: bigint | undefined
  excessBlobGas: bigint | undefined
  parentBeaconBlockRoot: Word | undefined
  requestsHash: Word | undefined
}

/** A sealed block of the network. */
export type Block = {
  hash: Word
  header: Header
  base: Base
  /** Upstream's head of which followed state was read; `undefined` when nothing was followed. */
  live: Base | undefined
  transactions: Transaction[]
  /** Bytes of the RLP of the block. */
  size: bigint
}

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

export type Receipt = {
  transaction: Transaction
  transactionIndex: number
  blockNumber: bigint
  blockHash: Word
  blockTimestamp: bigint
  status: 'success' | 'failed'
  gasUsed: bigint
  cumulativeGasUsed: bigint
  effectiveGasPrice: bigint
  /** Set when the transaction created a contract. */
  contractAddress: Address | undefined
  logs: LogEntry[]
  logsBloom: Hex
  blobGasUsed: bigint | undefined
  blobGasPrice: bigint | undefined
}

/** A transaction and where it was sealed; `undefined` while it waits in the pool. */
export type PlacedTransaction = {
  transaction: Transaction
  block: { number: bigint; hash: Word; timestamp: bigint; baseFeePerGas: bigint | undefined } | undefined
  index: number
}

/** The last block: the newest local one, or the fork's origin while there is none. */
export type Head = { hash: Word; header: Header; base: Base }
