import type { L1Fees } from '../../ethereum/chains/l1Fees.ts'
import type { LogEntry } from '../../ethereum/log.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import { depositReceiptVersion } from '../../ethereum/transaction.ts'
import { quantity } from '../../shared/hex.ts'
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
    ...(receipt.blockTimestampMs !== undefined && { blockTimestampMs: quantity(receipt.blockTimestampMs) }),
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
    ...(receipt.l1BlockNumber !== undefined && {
      l1BlockNumber: quantity(receipt.l1BlockNumber),
      // No gas is charged for data on L1.
      gasUsedForL1: '0x0',
    }),
    ...(transaction.deposit && {
      depositNonce: quantity(transaction.nonce),
      depositReceiptVersion: quantity(depositReceiptVersion),
    }),
    ...(receipt.l1Fees && encodeL1Fees(receipt.l1Fees)),
  }
}

/** As op-geth shows them. */
function encodeL1Fees(fees: L1Fees) {
  const { l1Fee, l1GasUsed, l1GasPrice, l1BlobBaseFee, l1BaseFeeScalar, l1BlobBaseFeeScalar } = fees
  const { operatorFeeScalar, operatorFeeConstant } = fees
  const hasOperator = operatorFeeScalar > 0n || operatorFeeConstant > 0n
  return {
    l1Fee: quantity(l1Fee),
    l1GasUsed: quantity(l1GasUsed),
    l1GasPrice: quantity(l1GasPrice),
    l1BlobBaseFee: quantity(l1BlobBaseFee),
    l1BaseFeeScalar: quantity(l1BaseFeeScalar),
    l1BlobBaseFeeScalar: quantity(l1BlobBaseFeeScalar),
    ...(hasOperator && {
      operatorFeeScalar: quantity(operatorFeeScalar),
      operatorFeeConstant: quantity(operatorFeeConstant),
    }),
  }
}

/** A log as `eth_getLogs` and receipts return it. */
export function encodeLog(log: LogEntry) {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockHash: log.blockHash,
    blockNumber: quantity(log.blockNumber),
    blockTimestamp: quantity(log.blockTimestamp),
    ...(log.blockTimestampMs !== undefined && { blockTimestampMs: quantity(log.blockTimestampMs) }),
    transactionHash: log.transactionHash,
    transactionIndex: quantity(log.transactionIndex),
    logIndex: quantity(log.logIndex),
    removed: false,
  }
}
