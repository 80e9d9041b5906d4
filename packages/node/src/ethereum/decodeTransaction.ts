import type { Address, Hex } from '@understudy/evm'
import { keccak256, recoverAddress } from '@understudy/evm'
import { encodeTyped } from '../shared/encodeRlp.ts'
import { bigintFromBytes, bytesFromHex, hexFromBytes, wordFromBigint } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { secp256k1HalfOrder } from './authorization.ts'
import { isCanonical, itemAt, type RlpItem } from './encodings/rlpItems.ts'
import {
  decodeAnyStoredTransaction,
  decodeAnyTransaction,
  type SentTransaction,
  type Transaction,
} from './transaction.ts'

const fieldCount = 12
const accessListPlace = 8

/** Decodes a signed transaction, with or without its blobs, and recovers its sender. Throws `TRANSACTION_INVALID`. */
export function decodeSent(sent: Hex): SentTransaction {
  const transaction = usualTransaction(sent)
  return transaction ? { transaction, sidecar: undefined } : decodeAnyTransaction(sent)
}

/** Like `decodeSent`, without the blobs. */
export const decodeTransaction = (sent: Hex): Transaction => decodeSent(sent).transaction

/** Decodes a stored transaction, or another with a known sender. */
export const decodeStoredTransaction = (raw: Hex, from: Address): Transaction =>
  usualTransaction(raw, from) ?? decodeAnyStoredTransaction(raw, from)

/**
 * Decodes the transactions that wallets send most: EIP-1559, without an access list. `undefined` for others, and for
 * all that are not valid: they go the long way, which says why. Recovers the sender, unless it is known.
 */
export function usualTransaction(encoded: Hex, sender?: Address): Transaction | undefined {
  if (!encoded.startsWith('0x02')) return undefined
  const bytes = bytesFromHex(encoded)
  const fields = fieldsOf(bytes)
  if (!fields) return undefined
  const [chainId, nonce, tip, maxFee, gasLimit, to, value, data, , parity, r, s] = fields as Fields
  const isWhole = [chainId, nonce, tip, maxFee, gasLimit, value, parity, r, s].every(isNumber)
  if (!isWhole || chainId.length > 6 || nonce.length > 6 || gasLimit.length > 8 || parity.length > 1) return undefined
  if (chainId.length === 0 || (to.length !== 0 && to.length !== 20)) return undefined
  const [yParity = 0] = parity
  const signature = { r: bigintFromBytes(r), s: bigintFromBytes(s) }
  const [maxFeePerGas, maxPriorityFeePerGas] = [bigintFromBytes(maxFee), bigintFromBytes(tip)]
  if (yParity > 1 || signature.s > secp256k1HalfOrder || maxPriorityFeePerGas > maxFeePerGas) return undefined

  const unsigned = () => encodeTyped(2, [chainId, nonce, tip, maxFee, gasLimit, to, value, data, []])
  const from = sender ?? recoverAddress(keccak256(unsigned()), signature.r, signature.s, yParity as 0 | 1)
  if (!from) return undefined
  return {
    hash: keccak(bytes),
    raw: encoded,
    type: 'eip1559',
    chainId: bigintFromBytes(chainId),
    from,
    to: to.length === 0 ? undefined : hexFromBytes(to),
    nonce: bigintFromBytes(nonce),
    gasLimit: bigintFromBytes(gasLimit),
    value: bigintFromBytes(value),
    data,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList: [],
    maxFeePerBlobGas: undefined,
    blobVersionedHashes: undefined,
    authorizationList: undefined,
    signature: {
      r: wordFromBigint(signature.r),
      s: wordFromBigint(signature.s),
      yParity: yParity as 0 | 1,
      v: yParity === 0 ? 27n : 28n,
    },
  }
}

type Fields = [
  chainId: Uint8Array,
  nonce: Uint8Array,
  tip: Uint8Array,
  maxFee: Uint8Array,
  gasLimit: Uint8Array,
  to: Uint8Array,
  value: Uint8Array,
  data: Uint8Array,
  accessList: Uint8Array,
  parity: Uint8Array,
  r: Uint8Array,
  s: Uint8Array,
]

/** A number of at most 256 bits without leading zeros. */
const isNumber = (bytes: Uint8Array) => bytes.length <= 32 && bytes[0] !== 0

/** The fields after the type; `undefined` if they are not in canonical RLP, the access list is not empty, or more follows. */
function fieldsOf(bytes: Uint8Array): Uint8Array[] | undefined {
  const list = canonicalItemAt(bytes, 1)
  if (!list?.isList || list.end !== bytes.length) return undefined
  const fields: Uint8Array[] = []
  for (let at = list.start; at < list.end; ) {
    const item = canonicalItemAt(bytes, at)
    if (!item || item.end > list.end || item.isList !== (fields.length === accessListPlace)) return undefined
    if (item.isList && item.end !== item.start) return undefined
    fields.push(bytes.slice(item.start, item.end))
    at = item.end
  }
  return fields.length === fieldCount ? fields : undefined
}

/** An item; `undefined` if it is not canonical. */
function canonicalItemAt(bytes: Uint8Array, at: number): RlpItem | undefined {
  const item = itemAt(bytes, at)
  return item && isCanonical(bytes, at, item) ? item : undefined
}
