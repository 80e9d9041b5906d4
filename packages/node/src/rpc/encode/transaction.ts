import type { Hex } from '@understudy/evm'
import type { TransactionInBlock } from '../../chain/block.ts'
import type { SignedAuthorization } from '../../ethereum/authorization.ts'
import type { BlobSidecar } from '../../ethereum/encodings/blobSidecar.ts'
import {
  depositReceiptVersion,
  type Transaction,
  type TransactionType,
  transactionTypeNumbers,
} from '../../ethereum/transaction.ts'
import { hexFromBytes, quantity } from '../../shared/hex.ts'

/** The EIP-2718 type of each kind of transaction. */
export const typeQuantities = Object.fromEntries(
  Object.entries(transactionTypeNumbers).map(([type, number]) => [type, quantity(number)]),
) as Record<TransactionType, Hex>

/** A transaction as `eth_getTransactionByHash` returns it; block fields are `null` while it is pending. */
export function encodeTransaction({ transaction, block, index }: TransactionInBlock) {
  return {
    type: typeQuantities[transaction.type],
    hash: transaction.hash,
    blockHash: block?.hash ?? null,
    blockNumber: block ? quantity(block.number) : null,
    blockTimestamp: block ? quantity(block.timestamp) : null,
    ...(block?.timestampMs !== undefined && { blockTimestampMs: quantity(block.timestampMs) }),
    transactionIndex: block ? quantity(index) : null,
    from: transaction.from,
    to: transaction.to ?? null,
    nonce: quantity(transaction.nonce),
    gas: quantity(transaction.gasLimit),
    value: quantity(transaction.value),
    input: hexFromBytes(transaction.data),
    gasPrice: quantity(gasPriceOf(transaction, block?.baseFeePerGas)),
    ...(transaction.chainId !== undefined && { chainId: quantity(transaction.chainId) }),
    ...fieldsOfType(transaction),
    ...(transaction.deposit && block && { depositReceiptVersion: quantity(depositReceiptVersion) }),
    ...encodeSignature(transaction),
  }
}

/** A signed transaction that is in neither the pool nor a block. */
export function encodeSigned(transaction: Transaction): Record<string, unknown> {
  const { blockHash, blockNumber, blockTimestamp, transactionIndex, ...rest } = encodeTransaction({
    transaction,
    block: undefined,
    index: 0,
  })
  return rest
}

/** An unsigned transaction. */
export function encodeUnsigned(transaction: Transaction): Record<string, unknown> {
  const { hash, v, r, s, yParity, ...rest } = encodeSigned(transaction)
  return rest
}

/** The blobs of a transaction that is not sent yet, as in geth. */
export function encodeSidecar(sidecar: BlobSidecar | undefined): Record<string, unknown> {
  if (!sidecar) return {}
  const { blobs, commitments, proofs } = sidecar
  return {
    blobs: blobs.map(hexFromBytes),
    commitments: commitments.map(hexFromBytes),
    proofs: proofs.map(hexFromBytes),
  }
}

/** The gas price paid; before it is known, the maximum offered. */
function gasPriceOf({ maxFeePerGas, maxPriorityFeePerGas }: Transaction, baseFee: bigint | undefined): bigint {
  if (baseFee === undefined || baseFee + maxPriorityFeePerGas > maxFeePerGas) return maxFeePerGas
  return baseFee + maxPriorityFeePerGas
}

function fieldsOfType(transaction: Transaction) {
  const { type, accessList, maxFeePerBlobGas, blobVersionedHashes, authorizationList, deposit } = transaction
  if (type === 'legacy') return undefined
  if (deposit) return { sourceHash: deposit.sourceHash, mint: quantity(deposit.mint), isSystemTx: false }
  if (type === 'eip2930') return { accessList }
  return {
    accessList,
    maxFeePerGas: quantity(transaction.maxFeePerGas),
    maxPriorityFeePerGas: quantity(transaction.maxPriorityFeePerGas),
    ...(type === 'eip4844' && { maxFeePerBlobGas: quantity(maxFeePerBlobGas ?? 0n), blobVersionedHashes }),
    ...(type === 'eip7702' && { authorizationList: (authorizationList ?? []).map(encodeAuthorization) }),
  }
}

function encodeAuthorization({ chainId, address, nonce, yParity, r, s }: SignedAuthorization) {
  return {
    chainId: quantity(chainId),
    address,
    nonce: quantity(nonce),
    yParity: quantity(yParity),
    r: quantity(BigInt(r)),
    s: quantity(BigInt(s)),
  }
}

/** In transactions of a type that is signed, `v` repeats `yParity`. */
function encodeSignature({ type, signature: { r, s, v, yParity } }: Transaction) {
  const rs = { r: quantity(BigInt(r)), s: quantity(BigInt(s)) }
  const hasV = type === 'legacy' || type === 'deposit'
  return hasV ? { v: quantity(v), ...rs } : { v: quantity(yParity), yParity: quantity(yParity), ...rs }
}
