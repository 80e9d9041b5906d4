import type { Address, Hex } from '@understudy/evm'
import { BaseError, serializeTransaction, type TransactionSerializable } from 'viem'
import { decodeStoredTransaction } from '../../ethereum/decodeTransaction.ts'
import { encodeImpersonated, type Transaction, type TransactionType } from '../../ethereum/transaction.ts'
import type { CallRequest, ExecutionPoint } from '../../execution/execution.ts'
import type { Senders } from '../../senders/senders.ts'
import { NetworkError } from '../../shared/errors.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import type { SuggestTip } from './suggestedTip.ts'

/** A request with a known sender. */
export type SenderRequest = CallRequest & { from: Address }

/** A transaction without a real signature. */
export type FilledTransaction = {
  transaction: Transaction
  /** The signing payload: the EIP-2718 encoding without a signature. */
  unsigned: Hex
}

/** `nonce`: the sender's next nonce. `suggestTip`: the default tip, in wei per gas. */
export type TransactionNeeds = {
  estimateGas: (request: CallRequest) => Promise<bigint>
  senders: Senders
  chainId: bigint
  nonce: bigint
  suggestTip: SuggestTip
}

/** Like `TransactionNeeds`, with values; `gas` and `tip` for a request that has none. */
type Defaults = { gas: bigint | undefined; tip: bigint | undefined; chainId: bigint; nonce: bigint }

export const needsTip = ({ gasPrice, maxPriorityFeePerGas }: CallRequest) =>
  gasPrice === undefined && maxPriorityFeePerGas === undefined

/** Fills in the missing fields of a request. */
async function loadSerializable(
  request: SenderRequest,
  point: ExecutionPoint,
  { estimateGas, chainId, nonce, suggestTip }: TransactionNeeds,
): Promise<TransactionSerializable> {
  const gas = request.gas ?? (await estimateGas(request))
  const tip = needsTip(request) ? await suggestTip() : undefined
  return serializableFrom(request, point, { gas, tip, chainId, nonce })
}

function serializableFrom(
  request: SenderRequest,
  point: ExecutionPoint,
  { gas, tip: suggested = 0n, chainId, nonce }: Defaults,
): TransactionSerializable {
  const { baseFee, fork, blobBaseFee } = point.block
  const isLegacy = request.gasPrice !== undefined || (fork === 'berlin' && !needsBaseFee(request))
  const tip = request.maxPriorityFeePerGas ?? capped(request.gasPrice ?? suggested, request.maxFeePerGas)
  const fees = isLegacy
    ? { gasPrice: tip }
    : { maxPriorityFeePerGas: tip, maxFeePerGas: request.maxFeePerGas ?? 2n * baseFee + tip }
  const type = isLegacy ? (request.accessList ? 'eip2930' : 'legacy') : transactionTypeOf(request)
  return {
    chainId: Number(chainId),
    nonce: exactNumber(request.nonce ?? nonce, 'a nonce'),
    gas: request.gas ?? gas,
    to: request.to,
    value: request.value ?? 0n,
    data: hexFromBytes(request.data ?? new Uint8Array()),
    ...fees,
    ...fieldsOfType(type, { ...request, maxFeePerBlobGas: request.maxFeePerBlobGas ?? 2n * blobBaseFee }),
    type,
  } as TransactionSerializable
}

/** Whether a request has fields that London introduced. */
const needsBaseFee = (request: CallRequest) =>
  request.maxFeePerGas !== undefined ||
  request.maxPriorityFeePerGas !== undefined ||
  request.blobVersionedHashes !== undefined ||
  request.authorizationList !== undefined

/** The request in the form that viem encodes. Throws `UNSUPPORTED` if a number is not exact. */
function exactNumber(value: bigint, what: string): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new NetworkError('UNSUPPORTED', { what: `${what} above 2^53 - 1` })
  return Number(value)
}

const capped = (value: bigint, limit: bigint | undefined) => (limit !== undefined && limit < value ? limit : value)

/** The transaction type that follows from a request's fields, if all types are supported. */
export function transactionTypeOf(request: CallRequest): TransactionType {
  const { gasPrice, accessList, blobVersionedHashes, authorizationList } = request
  if (authorizationList) return 'eip7702'
  if (blobVersionedHashes) return 'eip4844'
  if (gasPrice === undefined) return 'eip1559'
  return accessList ? 'eip2930' : 'legacy'
}

/** The fields that only some transaction types have, as `serializeTransaction` takes them. */
export function fieldsOfType(type: TransactionType, request: CallRequest): Record<string, unknown> {
  const { accessList = [], blobVersionedHashes, maxFeePerBlobGas = 0n, authorizationList } = request
  return {
    ...(type !== 'legacy' && { accessList }),
    ...(type === 'eip4844' && { blobVersionedHashes, maxFeePerBlobGas }),
    ...(type === 'eip7702' && {
      authorizationList: authorizationList?.map(({ chainId, nonce, ...rest }) => ({
        ...rest,
        chainId: exactNumber(chainId, 'a chain id'),
        nonce: exactNumber(nonce, 'a nonce'),
      })),
    }),
  }
}

export async function fillTransaction(
  request: SenderRequest,
  point: ExecutionPoint,
  needs: TransactionNeeds,
): Promise<FilledTransaction> {
  const serializable = await loadSerializable(request, point, needs)
  return encoded(() => ({
    transaction: unsignedForm(serializable, request.from),
    unsigned: serializeTransaction(serializable),
  }))
}

/** Builds a transaction from a request: signed, or with a placeholder signature for an impersonated sender. */
export async function transactionFromRequest(
  request: SenderRequest,
  point: ExecutionPoint,
  needs: TransactionNeeds,
): Promise<Transaction> {
  return signedOrUnsigned(request.from, await loadSerializable(request, point, needs), needs.senders)
}

/** The same at once. Throws the same. */
export const transactionFromComplete = (
  request: SenderRequest,
  point: ExecutionPoint,
  { senders, ...defaults }: Defaults & { senders: Senders },
): Transaction => signedOrUnsigned(request.from, serializableFrom(request, point, defaults), senders)

const signedOrUnsigned = (from: Address, serializable: TransactionSerializable, senders: Senders): Transaction =>
  encoded(() => {
    const signed = senders.signTransaction(from, serializable)
    return signed ? decodeStoredTransaction(signed, from) : unsignedForm(serializable, from)
  })

/** Like `transactionFromRequest`. Throws `UNSUPPORTED` for senders whose key the network does not hold. */
export async function signedFromRequest(
  request: SenderRequest,
  point: ExecutionPoint,
  needs: TransactionNeeds,
): Promise<Transaction> {
  const serializable = await loadSerializable(request, point, needs)
  const signed = encoded(() => needs.senders.signTransaction(request.from, serializable))
  if (signed) return decodeStoredTransaction(signed, request.from)
  throw new NetworkError('UNSUPPORTED', {
    what: `a signature of ${request.from}, which is impersonated and has no key here. Send its transactions with eth_sendTransaction, which needs no signature`,
  })
}

/** Encodes a transaction. Throws `TRANSACTION_INVALID` for invalid fields. */
function encoded<T>(encode: () => T): T {
  try {
    return encode()
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause
    throw new NetworkError(
      'TRANSACTION_INVALID',
      { text: `the fields are not a valid transaction: ${cause.shortMessage}` },
      { cause },
    )
  }
}

const unsignedForm = (serializable: TransactionSerializable, from: Address) =>
  decodeStoredTransaction(encodeImpersonated(serializable, from), from)
