import { type Address, type Hex, keccak256, signHash, type Word } from '@understudy/evm'
import { bytesFromBigint, bytesFromHex, hexFromBytes } from '../../shared/hex.ts'
import { encodeTyped, type RlpItem } from '../../shared/rlp/encodeRlp.ts'
import { placeholderSignature, type SignedAuthorization } from '../authorization.ts'
import { type Signature, type TransactionFields, transactionTypeNumbers } from '../transaction.ts'

/** The EIP-2718 encoding of a transaction, with its signature or without one, to be signed. */
export function encodeTransaction(fields: TransactionFields, signature?: Signature): Hex {
  return hexFromBytes(bytesOf(fields, signature))
}

/** With another `salt`, the signature and the hash differ. */
export function signTransaction(fields: TransactionFields, privateKey: Uint8Array, salt?: Word): Hex {
  return encodeTransaction(fields, signHash(keccak256(bytesOf(fields)), privateKey, salt && bytesFromHex(salt)))
}

/** Encodes a transaction of an impersonated account, with a placeholder signature. `salt` as in `signTransaction`. */
export function encodeImpersonated(fields: TransactionFields, from: Address, salt?: Word): Hex {
  return encodeTransaction(fields, placeholderSignature(from, salt))
}

function bytesOf(fields: TransactionFields, signature?: Signature): Uint8Array {
  const type = transactionTypeNumbers[fields.type]
  const items = [...unsignedItems(fields), ...(type === 0 ? legacyEnd(fields, signature) : typedEnd(signature))]
  return encodeTyped(type, items)
}

const nothing = new Uint8Array()
const addressBytes = (address: Address | undefined) => (address ? bytesFromHex(address) : nothing)

function unsignedItems(fields: TransactionFields): RlpItem[] {
  const { type, chainId = 0n, nonce, gasLimit, to, value, data, maxFeePerGas, maxPriorityFeePerGas } = fields
  const fees = type === 'legacy' || type === 'eip2930' ? [maxFeePerGas] : [maxPriorityFeePerGas, maxFeePerGas]
  const first = [...(type === 'legacy' ? [] : [chainId]), nonce, ...fees, gasLimit].map(bytesFromBigint)
  const items: RlpItem[] = [...first, addressBytes(to), bytesFromBigint(value), data]
  const { accessList = [], maxFeePerBlobGas = 0n, blobVersionedHashes = [], authorizationList = [] } = fields
  if (type !== 'legacy')
    items.push(accessList.map(({ address, storageKeys }) => [bytesFromHex(address), storageKeys.map(bytesFromHex)]))
  if (type === 'eip4844') items.push(bytesFromBigint(maxFeePerBlobGas), blobVersionedHashes.map(bytesFromHex))
  if (type === 'eip7702') items.push(authorizationList.map(authorizationItems))
  return items
}

const authorizationItems = ({ chainId, address, nonce, yParity, r, s }: SignedAuthorization): RlpItem => [
  bytesFromBigint(chainId),
  bytesFromHex(address),
  ...[nonce, BigInt(yParity), BigInt(r), BigInt(s)].map(bytesFromBigint),
]

const typedEnd = (signature: Signature | undefined): RlpItem[] =>
  signature ? [BigInt(signature.yParity), BigInt(signature.r), BigInt(signature.s)].map(bytesFromBigint) : []

/** With a chain id, it is signed too (EIP-155). */
function legacyEnd({ chainId }: TransactionFields, signature: Signature | undefined): RlpItem[] {
  if (!signature) return chainId === undefined ? [] : [bytesFromBigint(chainId), nothing, nothing]
  return [legacyV(signature, chainId), BigInt(signature.r), BigInt(signature.s)].map(bytesFromBigint)
}

/** The `v` of a legacy signature: 27 and 28, or with the chain id (EIP-155). */
export function legacyV({ yParity }: Pick<Signature, 'yParity'>, chainId: bigint | undefined): bigint {
  return BigInt(yParity) + (chainId === undefined ? 27n : 35n + 2n * chainId)
}
