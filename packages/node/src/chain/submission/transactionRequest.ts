import type { Address, Hex, RejectReason, Word } from '@understudy/evm'
import { decodeStoredTransaction } from '../../ethereum/decodeTransaction.ts'
import { encodeImpersonated, encodeTransaction } from '../../ethereum/encodings/encodeTransaction.ts'
import { hasGasPrice, type SignedType, type Transaction, type TransactionFields } from '../../ethereum/transaction.ts'
import type { CallRequest, ExecutionPoint } from '../../execution/execution.ts'
import { rejection } from '../../execution/rejection.ts'
import type { Senders } from '../../senders/senders.ts'
import { chain, type MaybePromise } from '../../shared/async/maybePromise.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { SuggestTip } from './suggestedTip.ts'

/** A request with a known sender. */
export type SenderRequest = CallRequest & { from: Address; type?: SignedType }

/** A transaction without a real signature. */
export type FilledTransaction = {
  transaction: Transaction
  /** The signing payload: the EIP-2718 encoding without a signature. */
  unsigned: Hex
}

/** `nonce`: the sender's next nonce. `suggestTip`: the default tip, in wei per gas. */
export type TransactionNeeds = {
  estimateGas: (request: CallRequest) => MaybePromise<bigint>
  senders: Senders
  chainId: bigint
  nonce: bigint
  suggestTip: SuggestTip
  /** With another one, the same transaction has another hash. */
  salt?: Word
}

/** Like `TransactionNeeds`, with values; `gas` and `tip` for a request that has none. */
type Defaults = { gas: bigint | undefined; tip: bigint | undefined; chainId: bigint; nonce: bigint }

const needsTip = ({ gasPrice, maxPriorityFeePerGas }: CallRequest) =>
  gasPrice === undefined && maxPriorityFeePerGas === undefined

/** Fills in the missing fields of a request. */
function loadFields(
  request: SenderRequest,
  point: ExecutionPoint,
  { estimateGas, chainId, nonce, suggestTip }: TransactionNeeds,
): MaybePromise<TransactionFields> {
  return chain(request.gas ?? estimateGas(request), (gas) =>
    chain(needsTip(request) ? suggestTip() : undefined, (tip) =>
      fieldsFrom(request, point, { gas, tip, chainId, nonce }),
    ),
  )
}

function fieldsFrom(
  request: SenderRequest,
  { block }: ExecutionPoint,
  { gas = 0n, tip = 0n, chainId, nonce }: Defaults,
): TransactionFields {
  const type = request.type ?? typeOf(request, block)
  const { accessList = [], authorizationList = [], blobVersionedHashes = [] } = request
  const paid = feesFrom(request, type, block.baseFee, tip)
  if (paid.maxPriorityFeePerGas > paid.maxFeePerGas)
    throw rejection({ type: 'rejected', reason: 'TIP_ABOVE_FEE_CAP', details: paid }, request.from)
  const creates = request.to === undefined && reasonsAgainstCreation[type]
  if (creates) throw rejection({ type: 'rejected', reason: creates, details: {} }, request.from)
  return {
    type,
    chainId,
    nonce: request.nonce ?? nonce,
    gasLimit: request.gas ?? gas,
    to: request.to,
    value: request.value ?? 0n,
    data: request.data ?? new Uint8Array(),
    ...paid,
    accessList: type === 'legacy' ? undefined : accessList,
    maxFeePerBlobGas: type === 'eip4844' ? (request.maxFeePerBlobGas ?? 2n * block.blobBaseFee) : undefined,
    blobVersionedHashes: type === 'eip4844' ? blobVersionedHashes : undefined,
    authorizationList: type === 'eip7702' ? authorizationList : undefined,
  }
}

const reasonsAgainstCreation: Partial<Record<SignedType, RejectReason>> = {
  eip4844: 'BLOBS_CREATE',
  eip7702: 'AUTHORIZATIONS_CREATE',
}

/** What is paid per gas, in wei; `suggested` is the default tip. */
function feesFrom(
  { gasPrice, maxFeePerGas, maxPriorityFeePerGas }: SenderRequest,
  type: SignedType,
  baseFee: bigint,
  suggested: bigint,
) {
  const tip = maxPriorityFeePerGas ?? capped(suggested, maxFeePerGas)
  const price = gasPrice ?? baseFee + tip
  if (gasPrice !== undefined || hasGasPrice(type)) return { maxFeePerGas: price, maxPriorityFeePerGas: price }
  return { maxFeePerGas: maxFeePerGas ?? 2n * baseFee + tip, maxPriorityFeePerGas: tip }
}

const capped = (value: bigint, limit: bigint | undefined) => (limit !== undefined && limit < value ? limit : value)

/** The type of a request that names none: of its fields, and the newest that a block without a base fee has. */
function typeOf(request: CallRequest, { fork }: ExecutionPoint['block']): SignedType {
  const type = transactionTypeOf(request)
  const mayBeOlder = request.maxFeePerGas === undefined && request.maxPriorityFeePerGas === undefined
  if (type !== 'eip1559' || fork !== 'berlin' || !mayBeOlder) return type
  return request.accessList ? 'eip2930' : 'legacy'
}

/** The transaction type that follows from a request's fields, if all types are supported. */
export function transactionTypeOf(request: CallRequest): SignedType {
  const { gasPrice, accessList, blobVersionedHashes, authorizationList } = request
  if (authorizationList) return 'eip7702'
  if (blobVersionedHashes) return 'eip4844'
  if (gasPrice === undefined) return 'eip1559'
  return accessList ? 'eip2930' : 'legacy'
}

export function fillTransaction(
  request: SenderRequest,
  point: ExecutionPoint,
  needs: TransactionNeeds,
): MaybePromise<FilledTransaction> {
  return chain(loadFields(request, point, needs), (fields) => ({
    transaction: unsignedForm(fields, request.from),
    unsigned: encodeTransaction(fields),
  }))
}

/** Builds a transaction from a request: signed, or with a placeholder signature for an impersonated sender. */
export function transactionFromRequest(
  request: SenderRequest,
  point: ExecutionPoint,
  needs: TransactionNeeds,
): MaybePromise<Transaction> {
  const { from } = request
  const { senders, salt } = needs
  return chain(loadFields(request, point, needs), (fields) => {
    const signed = senders.signTransaction(from, fields, salt)
    return signed ? decodeStoredTransaction({ raw: signed, sender: from }) : unsignedForm(fields, from, salt)
  })
}

/** Like `transactionFromRequest`. Throws `UNSUPPORTED` for senders whose key the network does not hold. */
export function signedFromRequest(
  request: SenderRequest,
  point: ExecutionPoint,
  needs: TransactionNeeds,
): MaybePromise<Transaction> {
  return chain(loadFields(request, point, needs), (fields) => {
    const signed = needs.senders.signTransaction(request.from, fields)
    if (signed) return decodeStoredTransaction({ raw: signed, sender: request.from })
    throw new NetworkError('UNSUPPORTED', {
      what: `a signature of ${request.from}, which is impersonated and has no key here. Send its transactions with eth_sendTransaction, which needs no signature`,
    })
  })
}

const unsignedForm = (fields: TransactionFields, from: Address, salt?: Word) =>
  decodeStoredTransaction({ raw: encodeImpersonated(fields, from, salt), sender: from })
