import type { Message } from '@understudy/evm'
import type { TransactionSerializable } from 'viem'
import { fieldsOfType, transactionTypeOf } from '../chain/pool/transactionRequest.ts'
import { decodeStoredTransaction, encodeImpersonated, type Transaction } from '../ethereum/transaction.ts'
import type { CallRequest } from '../execution/execution.ts'
import { NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'

/** The transaction that represents a call, with a placeholder signature. */
export function simulatedTransaction(message: Message, chainId: bigint, request: CallRequest): Transaction {
  const { from, to, value, data, gasLimit, nonce = 0n } = message
  const fees =
    request.gasPrice !== undefined
      ? { gasPrice: request.gasPrice }
      : { maxFeePerGas: request.maxFeePerGas ?? 0n, maxPriorityFeePerGas: request.maxPriorityFeePerGas ?? 0n }
  const type = transactionTypeOf(request)
  const fields = {
    type,
    chainId: Number(chainId),
    to,
    value,
    data: hexFromBytes(data),
    gas: gasLimit,
    nonce: Number(nonce),
    ...fees,
    ...fieldsOfType(type, request),
  }
  try {
    return decodeStoredTransaction(encodeImpersonated(fields as TransactionSerializable, from), from)
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    throw new NetworkError('TRANSACTION_INVALID', { text: `the call cannot be a transaction: ${problem}` }, { cause })
  }
}
