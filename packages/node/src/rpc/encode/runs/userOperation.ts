import { versionedFields } from '../../../ethereum/encodings/userOperations/userOperation.ts'
import { quantity } from '../../../shared/hex.ts'
import type { OperationReceipt, SentOperation } from '../../../userOperations/sentOperations.ts'
import { encodeLog, encodeReceipt } from '../receipt.ts'

/** An operation as `eth_getUserOperationByHash` returns it, with the fields of its version. */
export function encodeUserOperation({ operation, entryPoint, transactionHash, block }: SentOperation) {
  const fields = Object.entries(versionedFields(operation, entryPoint))
  const { authorization } = operation
  return {
    userOperation: {
      ...Object.fromEntries(fields.map(([name, value]) => [name, typeof value === 'bigint' ? quantity(value) : value])),
      ...(authorization && {
        eip7702Auth: {
          chainId: quantity(authorization.chainId),
          address: authorization.address,
          nonce: quantity(authorization.nonce),
          r: authorization.r,
          s: authorization.s,
          yParity: quantity(authorization.yParity),
        },
      }),
    },
    entryPoint: entryPoint.address,
    transactionHash,
    blockHash: block?.hash ?? null,
    blockNumber: block ? quantity(block.number) : null,
  }
}

/** The outcome of an operation as `eth_getUserOperationReceipt` returns it. */
export function encodeOperationReceipt({ event, logs, receipt }: OperationReceipt) {
  const { hash, entryPoint, sender, nonce, paymaster, actualGasCost, actualGasUsed, success, reason } = event
  return {
    userOpHash: hash,
    entryPoint,
    sender,
    nonce: quantity(nonce),
    paymaster: paymaster ?? null,
    actualGasCost: quantity(actualGasCost),
    actualGasUsed: quantity(actualGasUsed),
    success,
    ...(!success && { reason }),
    logs: logs.map(encodeLog),
    receipt: encodeReceipt(receipt),
  }
}
