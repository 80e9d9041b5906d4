import { RLP } from '@ethereumjs/rlp'
import { bytesFromBigint, bytesFromHex } from '../shared/hex.ts'
import type { Receipt } from './block.ts'
import { transactionTypeNumbers } from './transaction.ts'

/** The EIP-2718 encoding of a receipt, of which `receiptsRoot` is made. */
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
