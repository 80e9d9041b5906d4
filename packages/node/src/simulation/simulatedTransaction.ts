import type { Message } from '@understudy/evm'
import { transactionTypeOf } from '../chain/submission/transactionRequest.ts'
import { recoverAuthority } from '../ethereum/authorization.ts'
import { zeroWord } from '../ethereum/constants.ts'
import { encodeTransactionFields } from '../ethereum/encodings/rebuilt.ts'
import { type Transaction, transactionTypeNumbers } from '../ethereum/transaction.ts'
import type { CallRequest } from '../execution/execution.ts'
import { hexFromBytes, quantity } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'

/** The transaction that represents a call, as geth makes it: without a signature, and by default of type 2. */
export function simulatedTransaction(message: Message, chainId: bigint, request: CallRequest): Transaction {
  const { from, to, value, data, gasLimit, nonce = 0n } = message
  const { gasPrice, maxFeePerGas = gasPrice ?? 0n, maxPriorityFeePerGas = gasPrice ?? 0n } = request
  const type = gasPrice === undefined ? transactionTypeOf(request) : 'legacy'
  const { accessList = [], maxFeePerBlobGas = 0n, blobVersionedHashes, authorizationList } = request
  const encoded = encodeTransactionFields(transactionTypeNumbers[type], {
    chainId: quantity(chainId),
    nonce: quantity(nonce),
    gasPrice: quantity(maxFeePerGas),
    maxFeePerGas: quantity(maxFeePerGas),
    maxPriorityFeePerGas: quantity(maxPriorityFeePerGas),
    gas: quantity(gasLimit),
    to: to ?? '0x',
    value: quantity(value),
    input: hexFromBytes(data),
    accessList,
    maxFeePerBlobGas: quantity(maxFeePerBlobGas),
    blobVersionedHashes: blobVersionedHashes ?? [],
    authorizationList: authorizationList?.map((each) => ({
      ...each,
      chainId: quantity(each.chainId),
      nonce: quantity(each.nonce),
      yParity: quantity(each.yParity),
    })),
  })
  return {
    hash: keccak(encoded),
    raw: hexFromBytes(encoded),
    type,
    chainId: type === 'legacy' ? undefined : chainId,
    from,
    to,
    nonce,
    gasLimit,
    value,
    data,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList: type === 'legacy' ? undefined : accessList,
    maxFeePerBlobGas: type === 'eip4844' ? maxFeePerBlobGas : undefined,
    blobVersionedHashes,
    authorizationList: authorizationList?.map(recoverAuthority),
    signature: { r: zeroWord, s: zeroWord, yParity: 0, v: 0n },
  }
}
