import { type Address, type Hex, keccak256, recoverAddress, type Word } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromBigint, bytesFromHex, hexFromBytes, wordFromBigint } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { hasMoreItems } from '../shared/rlp/decodeRlp.ts'
import { encodeRlp, encodeTypedList } from '../shared/rlp/encodeRlp.ts'
import { isPlaceholder, recoverAuthority, type SignedAuthorization, secp256k1HalfOrder } from './authorization.ts'
import { zeroWord } from './constants.ts'
import { splitSidecar } from './encodings/blobSidecar.ts'
import { legacyV } from './encodings/encodeTransaction.ts'
import { FieldReader, undecodable } from './encodings/fieldReader.ts'
import {
  type SentTransaction,
  type SignedType,
  signedTypes,
  type Transaction,
  type TransactionFields,
  transactionTypeNumbers,
} from './transaction.ts'

/** Some 3 000 addresses of an access list, or 1 400 authorizations: up to 0.4 s. */
const itemLimit = 10_000

/** Whether an encoding is that of a deposit (OP Stack). */
export const isDeposit = (sent: Hex): boolean => sent.slice(2, 4).toLowerCase() === '7e'

/**
 * Decodes a transaction that is signed, with or without its blobs, and recovers its sender; or a deposit, which names its
 * sender. Throws `TRANSACTION_INVALID`.
 */
export function decodeSent(sent: Hex): SentTransaction {
  const bytes = bytesFromHex(sent)
  // The type counts as one.
  if (hasMoreItems(bytes, itemLimit))
    throw invalid(`oversized data: the transaction and its lists have more than ${itemLimit} RLP items`)
  const { encoded, sidecar } = splitSidecar(bytes)
  return { transaction: decode(encoded, sidecar ? hexFromBytes(encoded) : sent, undefined), sidecar }
}

/** Decodes a signed transaction, like `decodeSent`, without the blobs. */
export function decodeTransaction(sent: Hex): Transaction {
  if (isDeposit(sent)) throw unsupportedType(transactionTypeNumbers.deposit)
  return decodeSent(sent).transaction
}

/** What is stored of a transaction. `depositNonce`: of a deposit in a block. */
type Stored = { raw: Hex; sender: Address; depositNonce?: bigint | undefined }

/** Decodes a stored transaction, or another with a known sender. */
export function decodeStoredTransaction({ raw, sender, depositNonce }: Stored): Transaction {
  const transaction = decode(bytesFromHex(raw), raw, sender)
  return depositNonce === undefined ? transaction : { ...transaction, nonce: depositNonce }
}

/** The hash and the signer are those of the bytes as given. */
function decode(bytes: Uint8Array, raw: Hex, sender: Address | undefined): Transaction {
  const [first = 0] = bytes
  if (first === transactionTypeNumbers.deposit) return decodeDeposit(bytes, raw)
  const typeNumber = first < 0x80 ? first : 0
  const type = signedTypes[typeNumber]
  if (bytes.length === 0) throw undecodable('it is empty')
  if (type === undefined || first === 0) throw unsupportedType(first)
  const fields = FieldReader.ofWhole(bytes, typeNumber === 0 ? 0 : 1)
  const asked = readFields(fields, type)
  const unsignedEnd = fields.at
  if (!fields.hasMore) throw unsignedError()
  const v = fields.number(type === 'legacy' ? 'v' : 'yParity')
  const r = fields.number('r')
  const s = fields.number('s')
  fields.end('the transaction')
  if (r === 0n && s === 0n) throw unsignedError()
  const chainId = type === 'legacy' ? chainIdOf(v) : asked.chainId
  const parity = type === 'legacy' ? v - legacyV({ yParity: 0 }, chainId) : v
  if (parity !== 0n && parity !== 1n) throw invalid(`invalid transaction v, r, s values: v is ${v}`)
  const yParity = parity === 0n ? 0 : 1
  const recover = () => {
    if (s > secp256k1HalfOrder) throw invalid('invalid transaction v, r, s values: s is too high (EIP-2)')
    const unsigned = bytes.subarray(fields.start, unsignedEnd)
    // With a chain id, it is signed too (EIP-155).
    const hasEnd = type === 'legacy' && chainId !== undefined
    const signed = hasEnd ? [unsigned, encodeRlp(bytesFromBigint(chainId)), zeros] : [unsigned]
    return recoverAddress(keccak256(encodeTypedList(typeNumber, signed)), r, s, yParity)
  }
  const from = sender ?? recover()
  if (!from) throw invalid('invalid sender: the signature recovers no key')
  const signature = { r: wordFromBigint(r), s: wordFromBigint(s), yParity, v } as const
  const { authorizationList } = asked
  // One literal takes half as long as a spread, and blocks have many.
  return {
    type,
    chainId,
    to: asked.to,
    nonce: asked.nonce,
    gasLimit: asked.gasLimit,
    value: asked.value,
    data: asked.data,
    maxFeePerGas: asked.maxFeePerGas,
    maxPriorityFeePerGas: asked.maxPriorityFeePerGas,
    accessList: asked.accessList,
    maxFeePerBlobGas: asked.maxFeePerBlobGas,
    blobVersionedHashes: asked.blobVersionedHashes,
    authorizationList:
      authorizationList && signedBy(authorizationList, isPlaceholder(signature, from) ? from : undefined),
    hash: keccak(bytes),
    raw,
    from,
    signature,
  }
}

function decodeDeposit(bytes: Uint8Array, raw: Hex): Transaction {
  const fields = FieldReader.ofWhole(bytes, 1)
  const sourceHash = readWord(fields, 'sourceHash')
  const from = readAddress(fields, 'from')
  const to = readRecipient(fields)
  const mint = fields.number('mint')
  const value = fields.number('value')
  const gasLimit = fields.number('gas', 8)
  const isSystem = fields.number('isSystemTx', 1)
  const data = fields.bytes('data')
  fields.end('the transaction')
  if (isSystem > 1n) throw undecodable(`isSystemTx is ${isSystem}, neither 0 nor 1`)
  if (isSystem === 1n) throw invalid('system transaction not supported: isSystemTx must be false since Regolith')
  return {
    type: 'deposit',
    chainId: undefined,
    to,
    nonce: 0n,
    gasLimit,
    value,
    data,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    accessList: undefined,
    maxFeePerBlobGas: undefined,
    blobVersionedHashes: undefined,
    authorizationList: undefined,
    deposit: { sourceHash, mint },
    hash: keccak(bytes),
    raw,
    from,
    signature: { r: zeroWord, s: zeroWord, yParity: 0, v: 0n },
  }
}

/** An impersonated sender may delegate itself, without a key. */
function signedBy(list: readonly Unrecovered[], impersonated: Address | undefined): SignedAuthorization[] {
  return list.map((each) =>
    impersonated && isPlaceholder(each, impersonated) ? { ...each, authority: impersonated } : recoverAuthority(each),
  )
}

/** An empty `r` and `s`. */
const zeros = new Uint8Array([0x80, 0x80])

type Unrecovered = Omit<SignedAuthorization, 'authority'>
type UnrecoveredFields = Omit<TransactionFields, 'authorizationList'> & { authorizationList: Unrecovered[] | undefined }

function readFields(fields: FieldReader, type: SignedType): UnrecoveredFields {
  const isLegacy = type === 'legacy'
  const chainId = isLegacy ? undefined : fields.number('chainId')
  const nonce = fields.number('nonce', 8)
  const hasTip = !isLegacy && type !== 'eip2930'
  const maxPriorityFeePerGas = fields.number(hasTip ? 'maxPriorityFeePerGas' : 'gasPrice')
  const maxFeePerGas = hasTip ? fields.number('maxFeePerGas') : maxPriorityFeePerGas
  const gasLimit = fields.number('gas', 8)
  return {
    type,
    chainId,
    nonce,
    gasLimit,
    to: readRecipient(fields),
    value: fields.number('value'),
    data: fields.bytes('data'),
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList: isLegacy ? undefined : fields.list('accessList').all(readAccess),
    maxFeePerBlobGas: type === 'eip4844' ? fields.number('maxFeePerBlobGas') : undefined,
    blobVersionedHashes:
      type === 'eip4844'
        ? fields.list('blobVersionedHashes').all((hashes) => readWord(hashes, 'a hash of blobVersionedHashes'))
        : undefined,
    authorizationList: type === 'eip7702' ? fields.list('authorizationList').all(readAuthorization) : undefined,
  }
}

const readAddress = (fields: FieldReader, name: string): Address => hexFromBytes(fields.fixed(name, 20))

/** `undefined` for a creation. */
function readRecipient(fields: FieldReader): Address | undefined {
  const to = fields.bytes('to')
  if (to.length !== 0 && to.length !== 20) throw undecodable(`to has ${to.length} bytes instead of 20`)
  return to.length === 0 ? undefined : hexFromBytes(to)
}

const readWord = (fields: FieldReader, name: string): Word => hexFromBytes(fields.fixed(name, 32))

function readAccess(list: FieldReader) {
  const entry = list.list('an entry of accessList')
  const address = readAddress(entry, 'an address of accessList')
  const storageKeys = entry.list('storageKeys').all((keys) => readWord(keys, 'a storage key of accessList'))
  entry.end('an entry of accessList')
  return { address, storageKeys }
}

function readAuthorization(list: FieldReader): Unrecovered {
  const entry = list.list('an authorization')
  const authorization = {
    chainId: entry.number('chainId of an authorization'),
    address: readAddress(entry, 'address of an authorization'),
    nonce: entry.number('nonce of an authorization', 8),
    yParity: Number(entry.number('yParity of an authorization', 1)),
    r: wordFromBigint(entry.number('r of an authorization')),
    s: wordFromBigint(entry.number('s of an authorization')),
  }
  entry.end('an authorization')
  return authorization
}

/** The chain id in the `v` of a legacy signature; `undefined` if it has none. */
const chainIdOf = (v: bigint) => (v < 35n ? undefined : (v - 35n) / 2n)

const invalid = (text: string) => new NetworkError('TRANSACTION_INVALID', { text })
const unsupportedType = (type: number) =>
  invalid(`transaction type not supported: 0x${type.toString(16).padStart(2, '0')}`)
const unsignedError = () => invalid('invalid transaction v, r, s values: it is not signed')
