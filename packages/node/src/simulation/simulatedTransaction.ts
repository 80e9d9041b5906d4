import type { Message } from '@understudy/evm'
import type { TransactionSerializable } from 'viem'
import { decodeStoredTransaction, encodeImpersonated, type Transaction } from '../chain/transaction.ts'
import type { CallRequest } from '../execution/execution.ts'
import { NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'

/** The transaction that a call would be. Nobody signed it: its signature stands in for one. */
export function simulatedTransaction(message: Message, chainId: bigint, request: CallRequest): Transaction {
  const { from, to, value, data, gasLimit, nonce = 0n, accessList, blobVersionedHashes } = message
  const fees =
    request.gasPrice !== undefined
      ? { gasPrice: request.gasPrice }
      : { maxFeePerGas: request.maxFeePerGas ?? 0n, maxPriorityFeePerGas: request.maxPriorityFeePerGas ?? 0n }
  const type = typeOf(request)
  const fields = {
    type,
    chainId: Number(chainId),
    to,
    value,
    data: hexFromBytes(data),
    gas: gasLimit,
    nonce: Number(nonce),
    ...fees,
    ...(type !== 'legacy' && { accessList: accessList ?? [] }),
    ...(type === 'eip4844' && { blobVersionedHashes, maxFeePerBlobGas: message.maxFeePerBlobGas ?? 0n }),
    ...(type === 'eip7702' && { authorizationList: request.authorizationList?.map(encodable) }),
  }
  try {
    return decodeStoredTransaction(encodeImpersonated(fields as TransactionSerializable, from), from)
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    throw new NetworkError('TRANSACTION_INVALID', { text: `the call makes no transaction: ${problem}` }, { cause })
  }
}

function typeOf({ gasPrice, accessList, blobVersionedHashes, authorizationList }: CallRequest): Transaction['type'] {
  if (authorizationList) return 'eip7702'
  if (blobVersionedHashes) return 'eip4844'
  if (gasPrice === undefined) return 'eip1559'
  return accessList ? 'eip2930' : 'legacy'
}

function encodable({ chainId, nonce, ...rest }: NonNullable<CallRequest['authorizationList']>[number]) {
  return { ...rest, chainId: Number(chainId), nonce: Number(nonce) }
}
