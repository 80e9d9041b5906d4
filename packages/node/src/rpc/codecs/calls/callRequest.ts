import { z } from 'zod'
import type { TransactionRequest } from '../../../chain/blobs/blobs.ts'
import { signedTypes, transactionTypeNumbers } from '../../../ethereum/transaction.ts'
import {
  codec,
  describeValue,
  notQuick,
  quickDecoderOf,
  unknownField,
  withQuickDecoder,
} from '../../../shared/codec.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { hexFromBytes, quantity } from '../../../shared/hex.ts'
import { Address, Bytes, bytesFromInput, Hash } from '../hex.ts'
import { ChainId, Quantity, Quantity64 } from '../numbers.ts'
import { optional } from '../optional.ts'
import { Authorizations } from './authorization.ts'

const AccessList = z.array(z.strictObject({ address: Address, storageKeys: z.array(Hash) }))

const bytesOfSize = (title: string, size: number) =>
  codec<string, Uint8Array>(
    `exactly ${size} bytes of 0x-hex`,
    (input) => (typeof input === 'string' && input.length === 2 + 2 * size ? bytesFromInput(input) : undefined),
    { title, type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$' },
  )
const Point = bytesOfSize('KzgPoint', 48)

/** The first byte of the versioned hash of a blob (EIP-4844). */
const BlobHash = Hash.refine((hash) => hash.startsWith('0x01'), {
  error: 'is the hash of no blob: it begins with 0x01',
})

const TypeNumber = withQuickDecoder(z.unknown(), (input) => (typeof input === 'object' ? notQuick : input))

/** Fields with a quick decoder. */
const plainFields = {
  from: optional(Address),
  to: optional(Address),
  gas: optional(Quantity64),
  gasPrice: optional(Quantity),
  maxFeePerGas: optional(Quantity),
  maxPriorityFeePerGas: optional(Quantity),
  maxFeePerBlobGas: optional(Quantity),
  value: optional(Quantity),
  data: optional(Bytes),
  nonce: optional(Quantity64),
  chainId: optional(ChainId),
  /** Of calls, it means nothing. */
  type: optional(TypeNumber),
}

/**
 * What clients send beside, and no node looks at: web3.js its own options, MetaMask what it estimated, and those that run a
 * transaction once more the rest of its fields.
 */
const passedOver: ReadonlySet<string> = new Set([
  ...['hash', 'blockHash', 'blockNumber', 'blockTimestamp', 'transactionIndex', 'v', 'r', 's', 'yParity'],
  ...['chain', 'common', 'hardfork', 'networkId', 'estimateSuggested', 'estimateUsed'],
])

/** All fields that are known. */
export const callFields = {
  ...plainFields,
  /** What web3.js sends beside `gas`, and MetaMask takes for it. */
  gasLimit: optional(Quantity64),
  input: optional(Bytes),
  accessList: optional(AccessList),
  blobVersionedHashes: optional(z.array(BlobHash)),
  authorizationList: optional(Authorizations),
  blobs: optional(z.array(bytesOfSize('Blob', 131_072))),
  commitments: optional(z.array(Point)),
  proofs: optional(z.array(Point)),
  /** What alloy, and so cast, sends for `proofs` of cells (EIP-7594). */
  cellProofs: optional(z.array(Point)),
}

type Fields = z.output<z.ZodObject<typeof callFields>>

const Schema = z
  .looseObject(callFields)
  .check(({ value, issues }) => {
    const refuse = (field: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [field], message })
    // `null` says of a field that it is left out, as clients do that have more fields than this network.
    const unknown = Object.keys(value).find(
      (name) => value[name] !== null && !Object.hasOwn(callFields, name) && !passedOver.has(name),
    )
    if (unknown !== undefined)
      issues.push({
        code: 'unrecognized_keys',
        input: value,
        keys: [unknown],
        message: unknownField(unknown, callFields),
      })
    if (value.data && value.input && hexFromBytes(value.data) !== hexFromBytes(value.input))
      refuse('input', 'differs from data; pass one of them, or the same value in both')
    if (value.gas !== undefined && value.gasLimit !== undefined && value.gas !== value.gasLimit)
      refuse('gasLimit', 'differs from gas; pass one of them, or the same value in both')
    if (value.proofs !== undefined && value.cellProofs !== undefined)
      refuse('cellProofs', 'conflicts with proofs; pass one of them')
    if (value.blobVersionedHashes?.length === 0)
      refuse('blobVersionedHashes', 'expected at least one hash; omit it for a transaction without blobs')
    if (value.authorizationList?.length === 0)
      refuse('authorizationList', 'expected at least one authorization; omit it for a transaction without any')
    if (value.gasPrice !== undefined && value.maxFeePerGas !== undefined)
      refuse('gasPrice', 'conflicts with maxFeePerGas; pass one of them')
    if (value.gasPrice !== undefined && value.maxPriorityFeePerGas !== undefined)
      refuse('gasPrice', 'conflicts with maxPriorityFeePerGas; pass one of them')
  })
  .transform((value): GivenRequest => {
    const given = Object.entries(value).filter(([name]) => Object.hasOwn(callFields, name))
    const { input, data, gas, gasLimit, proofs, cellProofs, ...request } = Object.fromEntries(given) as Fields
    return { ...request, gas: gas ?? gasLimit, data: data ?? input, proofs: proofs ?? cellProofs }
  })
  .meta({
    title: 'CallRequest',
    description:
      'an object with any of from, to, gas (or gasLimit), gasPrice or maxFeePerGas and maxPriorityFeePerGas, value, data (or input), nonce, chainId, accessList, maxFeePerBlobGas, blobVersionedHashes, authorizationList; to send it, also type, blobs, commitments and proofs (or cellProofs)',
  })

const decoders = new Map([
  ...Object.entries(plainFields).map(([name, schema]) => [name, quickDecoderOf<unknown>(schema)] as const),
  ['input', quickDecoderOf<unknown>(plainFields.data)] as const,
])

/** A message or transaction from a client. */
export const CallRequest = withQuickDecoder(Schema, (given) => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return notQuick
  const input = given as Record<string, unknown>
  // The schema checks fields against each other.
  if (input.gasPrice != null && (input.maxFeePerGas ?? input.maxPriorityFeePerGas) != null) return notQuick
  if (input.data != null && input.input != null && input.data !== input.input) return notQuick
  const request: Record<string, unknown> = {}
  for (const name in input) {
    const field = input[name]
    if (field === undefined || field === null) continue
    const decode = decoders.get(name)
    if (!decode) {
      // It also decodes lists, and refuses what is not known or nested too deep.
      if (passedOver.has(name) && typeof field !== 'object') continue
      return notQuick
    }
    const value = decode(field)
    if (value === notQuick) return notQuick
    request[name === 'input' ? 'data' : name] = value
  }
  return request as z.output<typeof Schema>
})

/** A request as it was sent: a call, or a transaction once `transactionRequest` has checked it. */
export type GivenRequest = Omit<TransactionRequest, 'type'> & { chainId?: bigint; type?: unknown }

/** Fields that not all types have, and the types that have them. */
const typesWith = {
  gasPrice: [0, 1],
  maxFeePerGas: [2, 3, 4],
  maxPriorityFeePerGas: [2, 3, 4],
  accessList: [1, 2, 3, 4],
  maxFeePerBlobGas: [3],
  blobVersionedHashes: [3],
  blobs: [3],
  authorizationList: [4],
} as const

/**
 * A request for a transaction, whose type is that of its fields. Throws `INVALID_PARAMS` if no type has all of its fields,
 * if that is another type than it names, or if its chain id is not the network's.
 */
export function transactionRequest(
  { chainId, type: named, ...request }: GivenRequest,
  own: bigint,
): TransactionRequest {
  if (chainId !== undefined && chainId !== own)
    throw refusal('chainId', `is ${chainId}, but the chain id of the network is ${own}`)
  const has = (field: keyof typeof typesWith) => {
    const value = request[field]
    return value !== undefined && !(Array.isArray(value) && value.length === 0)
  }
  const number = named === undefined || named === null ? undefined : typeNumberOf(named)
  const fields = (Object.keys(typesWith) as (keyof typeof typesWith)[]).filter(has)
  const isIn = (field: keyof typeof typesWith, type: number) => (typesWith[field] as readonly number[]).includes(type)
  if (number === undefined) {
    for (const [index, field] of fields.entries()) {
      const other = fields.slice(0, index).find((each) => !typesWith[each].some((type) => isIn(field, type)))
      if (other) throw refusal(other, `conflicts with ${field}: no type of transaction has both`)
    }
    return request
  }
  const wrong = fields.find((field) => !isIn(field, number))
  if (wrong) throw refusal('type', `is ${quantity(number)}, but transactions of this type have no ${wrong}`)
  if (number === transactionTypeNumbers.eip4844 && !has('blobVersionedHashes') && !has('blobs'))
    throw refusal('type', 'is 0x3, but blobs and blobVersionedHashes are missing')
  if (number === transactionTypeNumbers.eip7702 && !has('authorizationList'))
    throw refusal('type', 'is 0x4, but authorizationList is missing')
  const type = signedTypes[number]
  return type ? { ...request, type } : request
}

function typeNumberOf(named: unknown): number {
  const number =
    typeof named === 'number' || (typeof named === 'string' && /^0x[\da-f]+$/i.test(named)) ? Number(named) : -1
  if (signedTypes[number]) return number
  throw refusal(
    'type',
    `is ${describeValue(named)}, and none of ${signedTypes.map((_, type) => quantity(type)).join(', ')}`,
  )
}

const refusal = (field: string, problem: string) =>
  new NetworkError('INVALID_PARAMS', { field: `params[0].${field}`, problem })
