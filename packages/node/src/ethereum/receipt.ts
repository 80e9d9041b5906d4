import { RLP } from '@ethereumjs/rlp'
import type { Address, Hex, Word } from '@understudy/evm'
import { bytesFromBigint, bytesFromHex } from '../shared/hex.ts'
import type { L1Fees } from './chains/l1Fees.ts'
import type { LogEntry } from './log.ts'
import { type Transaction, transactionTypeNumbers } from './transaction.ts'

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
  /** Set if the transaction created a contract. */
  contractAddress: Address | undefined
  logs: LogEntry[]
  logsBloom: Hex
  blobGasUsed: bigint | undefined
  blobGasPrice: bigint | undefined
  /** What it paid beside its gas, on chains that have such fees. */
  l1Fees?: L1Fees | undefined
}

/** The EIP-2718 encoding of a receipt, for `receiptsRoot`. */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  const payload = RLP.encode([
    receipt.status === 'success' ? new Uint8Array([1]) : new Uint8Array(),
    bytesFromBigint(receipt.cumulativeGasUsed),
    bytesFromHex(receipt.logsBloom),
    receipt.logs.map(({ address, topics, data }) => [
      bytesFromHex(address),
      topics.map(bytesFromHex),
      bytesFromHex(data),
    ]),
  ])
  const type = transactionTypeNumbers[receipt.transaction.type]
  return type === 0 ? payload : new Uint8Array([type, ...payload])
}
