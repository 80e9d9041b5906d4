import { type Address, type Hex, keccak256, recoverAddress, signHash, type Word } from '@understudy/evm'
import { hexToBigInt, parseTransaction, serializeTransaction, type TransactionSerializable } from 'viem'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex, wordFromBigint } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import {
  isPlaceholder,
  placeholderSignature,
  recoverAuthority,
  type SignedAuthorization,
  secp256k1HalfOrder,
} from './authorization.ts'
import { type BlobSidecar, splitSidecar } from './encodings/blobSidecar.ts'
import { encodeTransaction, type Signature } from './encodings/encodeTransaction.ts'
import { hasMoreItems } from './encodings/rlpItems.ts'

export type TransactionType = 'legacy' | 'eip2930' | 'eip1559' | 'eip4844' | 'eip7702'

/** The EIP-2718 number of each type. */
export const transactionTypeNumbers: Record<TransactionType, number> = {
  legacy: 0,
  eip2930: 1,
  eip1559: 2,
  eip4844: 3,
  eip7702: 4,
}

/** A transaction of the network: signed by a key, or sent by an impersonated account with a placeholder signature. */
export type Transaction = {
  hash: Word
  /** The EIP-2718 encoding, without blobs. */
  raw: Hex
  type: TransactionType
  chainId: bigint | undefined
  from: Address
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
  signature: Signature
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

/** Some 3 000 addresses of an access list, or 1 400 authorizations: up to 0.4 s. */
const itemLimit = 10_000

/** Like `decodeSent`, for every type, with the reason why it is invalid. */
export function decodeAnyTransaction(sent: Hex): SentTransaction {
  // The type counts as one.
  if (hasMoreItems(bytesFromHex(sent), itemLimit))
    throw invalid(`oversized data: the transaction and its lists have more than ${itemLimit} RLP items`)
  const { encoded, sidecar } = splitSidecar(sent)
  const parsed = parse(encoded)
  const { r, s } = parsed
  if (r === undefined || s === undefined) throw invalid('invalid transaction v, r, s values: it is not signed')
  if (hexToBigInt(s) > secp256k1HalfOrder) throw invalid('invalid transaction v, r, s values: s is too high (EIP-2)')
  const hash = keccak(bytesFromHex(serializeTransaction(withoutSignature(parsed))))
  const from = recoverAddress(bytesFromHex(hash), BigInt(r), BigInt(s), parityOf(parsed))
  if (!from) throw invalid('invalid sender: the signature recovers no key')
  return { transaction: transactionFromParsed(parsed, from, encoded), sidecar }
}

/** Signs a transaction. Throws viem's `BaseError` for invalid fields. */
export function signTransaction(transaction: TransactionSerializable, privateKey: Uint8Array): Hex {
  const { r, s, yParity } = signHash(keccak256(bytesFromHex(encodeTransaction(transaction))), privateKey)
  return encodeTransaction(transaction, { r, s, yParity, v: yParity === 0 ? 27n : 28n })
}

/** Like `decodeStoredTransaction`, for every type. */
export function decodeAnyStoredTransaction(raw: Hex, from: Address): Transaction {
  return transactionFromParsed(parse(raw), from, raw)
}

/** Encodes a transaction of an impersonated account, with a placeholder signature. */
export function encodeImpersonated(transaction: TransactionSerializable, from: Address): Hex {
  return encodeTransaction(transaction, { ...placeholderSignature(from), v: 27n })
}

type Parsed = ReturnType<typeof parseTransaction> & {
  r?: Hex
  s?: Hex
  yParity?: number
  v?: bigint
}

function parse(encoded: Hex): Parsed {
  try {
    return parseTransaction(encoded) as Parsed
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    throw invalid(`rlp: cannot decode the transaction: ${problem}`, cause)
  }
}

function invalid(text: string, cause?: unknown): NetworkError {
  return new NetworkError('TRANSACTION_INVALID', { text }, { cause })
}

/** Legacy signatures encode it in `v`: 27 and 28, or with the chain id (EIP-155). */
function parityOf({ yParity, v = 27n }: Parsed): 0 | 1 {
  return (yParity ?? Number((v + 1n) % 2n)) as 0 | 1
}

function withoutSignature({ r, s, v, yParity, ...rest }: Parsed) {
  return rest as TransactionSerializable
}

function transactionFromParsed(parsed: Parsed, from: Address, encoded: Hex): Transaction {
  const { r = '0x0', s = '0x0', v } = parsed
  const yParity = parityOf(parsed)
  const signature: Signature = {
    r: wordFromBigint(hexToBigInt(r)),
    s: wordFromBigint(hexToBigInt(s)),
    yParity,
    v: v ?? BigInt(yParity),
  }
  const isImpersonated = isPlaceholder(signature, from)
  const { accessList, authorizationList, blobVersionedHashes } = parsed as {
    accessList?: Transaction['accessList']
    authorizationList?: (Omit<SignedAuthorization, 'authority' | 'chainId' | 'nonce'> & {
      chainId: number
      nonce: number
    })[]
    blobVersionedHashes?: Word[]
  }
  const type = parsed.type as TransactionType
  return {
    hash: keccak(bytesFromHex(encoded)),
    raw: encoded,
    type,
    chainId: parsed.chainId === undefined ? undefined : BigInt(parsed.chainId),
    from,
    to: (parsed.to?.toLowerCase() as Address | undefined) ?? undefined,
    nonce: BigInt(parsed.nonce ?? 0),
    gasLimit: parsed.gas ?? 0n,
    value: parsed.value ?? 0n,
    data: bytesFromHex(parsed.data ?? '0x'),
    maxFeePerGas: parsed.maxFeePerGas ?? parsed.gasPrice ?? 0n,
    maxPriorityFeePerGas:
      parsed.maxFeePerGas === undefined ? (parsed.gasPrice ?? 0n) : (parsed.maxPriorityFeePerGas ?? 0n),
    accessList:
      type === 'legacy'
        ? undefined
        : (accessList ?? []).map(({ address, storageKeys }) => ({
            address: address.toLowerCase() as Address,
            storageKeys: storageKeys.map((key) => key.toLowerCase() as Word),
          })),
    maxFeePerBlobGas: parsed.maxFeePerBlobGas,
    blobVersionedHashes,
    authorizationList: authorizationList?.map(({ address, chainId, nonce, ...signature }) => {
      const signed = {
        ...signature,
        address: address.toLowerCase() as Address,
        chainId: BigInt(chainId),
        nonce: BigInt(nonce),
      }
      // An impersonated sender may delegate itself, without a key.
      return isImpersonated && isPlaceholder(signed, from) ? { ...signed, authority: from } : recoverAuthority(signed)
    }),
    signature,
  }
}
