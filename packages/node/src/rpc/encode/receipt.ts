import type { Receipt } from '../../ethereum/receipt.ts'
import { quantity } from '../../shared/hex.ts'
import { encodeLog } from './log.ts'
import { typeQuantities } from './transaction.ts'

/** A receipt as `eth_getTransactionReceipt` returns it. Only blob transactions have blob fields. */
export function encodeReceipt(receipt: Receipt) {
  const { transaction } = receipt
  return {
    type: typeQuantities[transaction.type],
    status: receipt.status === 'success' ? '0x1' : '0x0',
    transactionHash: transaction.hash,
    transactionIndex: quantity(receipt.transactionIndex),
    blockHash: receipt.blockHash,
    blockNumber: quantity(receipt.blockNumber),
    from: transaction.from,
    to: transaction.to ?? null,
    contractAddress: receipt.contractAddress ?? null,
    cumulativeGasUsed: quantity(receipt.cumulativeGasUsed),
    gasUsed: quantity(receipt.gasUsed),
    effectiveGasPrice: quantity(receipt.effectiveGasPrice),
    logs: receipt.logs.map(encodeLog),
    logsBloom: receipt.logsBloom,
    ...(receipt.blobGasUsed !== undefined && { blobGasUsed: quantity(receipt.blobGasUsed) }),
    ...(receipt.blobGasPrice !== undefined && { blobGasPrice: quantity(receipt.blobGasPrice) }),
  }
}
