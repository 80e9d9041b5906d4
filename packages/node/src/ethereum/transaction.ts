import type { Address, Hex, Word } from '@understudy/evm'
import type { SignedAuthorization } from './authorization.ts'
import type { BlobSidecar } from './encodings/blobSidecar.ts'

/** The types that accounts sign, by their EIP-2718 number. */
export const signedTypes = ['legacy', 'eip2930', 'eip1559', 'eip4844', 'eip7702'] as const

export type SignedType = (typeof signedTypes)[number]

/** Those, and what the layer below sends (OP Stack). */
export type TransactionType = SignedType | 'deposit'

/** The EIP-2718 number of each type. */
export const transactionTypeNumbers: Record<TransactionType, number> = {
  legacy: 0,
  eip2930: 1,
  eip1559: 2,
  eip4844: 3,
  eip7702: 4,
  deposit: 0x7e,
}

/** What a transaction asks for; of types without a field, it is `undefined`. */
export type TransactionFields = {
  type: SignedType
  chainId: bigint | undefined
  /** `undefined` for a contract creation. */
  to: Address | undefined
  nonce: bigint
  gasLimit: bigint
  value: bigint
  data: Uint8Array
  /** Wei per gas; for legacy and EIP-2930 transactions, the gas price. */
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  accessList: { address: Address; storageKeys: Word[] }[] | undefined
  maxFeePerBlobGas: bigint | undefined
  blobVersionedHashes: Word[] | undefined
  authorizationList: SignedAuthorization[] | undefined
}

/** Types whose fee is one price. */
export const hasGasPrice = (type: TransactionType) => type === 'legacy' || type === 'eip2930'

export type Signature = { r: Word; s: Word; yParity: 0 | 1 }

/** What only a deposit of the OP Stack has: https://specs.optimism.io/protocol/deposits.html */
export type Deposit = {
  /** Names where it comes from, and makes its hash its own. */
  sourceHash: Word
  /** What its sender is given before it runs, in wei. */
  mint: bigint
}

/** The version of the receipts of deposits, since Canyon. */
export const depositReceiptVersion = 1n

/**
 * A transaction of the network: signed by a key, sent by an impersonated account with a placeholder signature, or a deposit.
 * A deposit has no nonce: in a block, it is the one that its sender had, and before that it is 0.
 */
export type Transaction = Omit<TransactionFields, 'type'> & {
  type: TransactionType
  deposit?: Deposit | undefined
  hash: Word
  /** The EIP-2718 encoding, without blobs. */
  raw: Hex
  from: Address
  signature: Signature & { /** Of legacy transactions. */ v: bigint }
}

/** A signed transaction, and its blobs if it was sent with them; their proofs are not verified. */
export type SentTransaction = { transaction: Transaction; sidecar: BlobSidecar | undefined }

/** The price per gas in a block with this base fee. */
export function effectiveGasPrice(
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint },
  baseFee: bigint,
): bigint {
  const offered = baseFee + fees.maxPriorityFeePerGas
  return offered < fees.maxFeePerGas ? offered : fees.maxFeePerGas
}
