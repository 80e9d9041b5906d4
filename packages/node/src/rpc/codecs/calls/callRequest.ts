import { z } from 'zod'
import type { TransactionRequest } from '../../../chain/blobs/blobs.ts'
import { codec, hasObject, notQuick, quickDecoderOf, withQuickDecoder } from '../../../shared/codec.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { hexFromBytes } from '../../../shared/hex.ts'
import { Address, Bytes, bytesFromInput, Hash } from '../hex.ts'
import { ChainId, Quantity, Quantity64 } from '../numbers.ts'
import { optional } from '../optional.ts'
import { Authorizations } from './authorization.ts'

const AccessList = z.array(z.object({ address: Address, storageKeys: z.array(Hash) }))

const bytesOfSize = (title: string, size: number) =>
  codec<string, Uint8Array>(
    `exactly ${size} bytes of 0x-hex`,
    (input) => (typeof input === 'string' && input.length === 2 + 2 * size ? bytesFromInput(input) : undefined),
    { title, type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$' },
  )
const Point = bytesOfSize('KzgPoint', 48)

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
}

const Schema = z
  .object({
    ...plainFields,
    input: optional(Bytes),
    accessList: optional(AccessList),
    blobVersionedHashes: optional(z.array(Hash)),
    authorizationList: optional(Authorizations),
    blobs: optional(z.array(bytesOfSize('Blob', 131_072))),
    commitments: optional(z.array(Point)),
    proofs: optional(z.array(Point)),
  })
  .check(({ value, issues }) => {
    const refuse = (field: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [field], message })
    if (value.data && value.input && hexFromBytes(value.data) !== hexFromBytes(value.input))
      refuse('input', 'differs from data; pass one of them, or the same value in both')
    if (value.blobVersionedHashes?.length === 0)
      refuse('blobVersionedHashes', 'expected at least one hash; omit it for a transaction without blobs')
    if (value.gasPrice !== undefined && value.maxFeePerGas !== undefined)
      refuse('gasPrice', 'conflicts with maxFeePerGas; pass one of them')
    if (value.gasPrice !== undefined && value.maxPriorityFeePerGas !== undefined)
      refuse('gasPrice', 'conflicts with maxPriorityFeePerGas; pass one of them')
  })
  .transform(({ input, data, ...request }): TransactionRequest & { chainId?: bigint } => ({
    ...request,
    data: data ?? input,
  }))
  .meta({
    title: 'CallRequest',
    description:
      'an object with any of from, to, gas, gasPrice or maxFeePerGas and maxPriorityFeePerGas, value, data (or input), nonce, chainId, accessList, maxFeePerBlobGas, blobVersionedHashes, authorizationList; to send it, also blobs, commitments and proofs',
  })

const decoders = Object.entries(plainFields).map(([name, schema]) => [name, quickDecoderOf<unknown>(schema)] as const)

/** A message or transaction from a client. Unknown fields are ignored, as in geth. */
export const CallRequest = withQuickDecoder(Schema, (given) => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return notQuick
  const input = given as Record<string, unknown>
  // The schema decodes lists, and checks fields against each other.
  if (hasObject(input)) return notQuick
  if ((input.accessList ?? input.blobVersionedHashes ?? input.authorizationList) != null) return notQuick
  if (input.gasPrice != null && (input.maxFeePerGas ?? input.maxPriorityFeePerGas) != null) return notQuick
  if (input.data != null && input.input != null && input.data !== input.input) return notQuick
  const request: Record<string, unknown> = {}
  for (const [name, decode] of decoders) {
    const field = name === 'data' ? (input.data ?? input.input) : input[name]
    if (field === undefined || field === null) continue
    const value = decode(field)
    if (value === notQuick) return notQuick
    request[name] = value
  }
  return request as z.output<typeof Schema>
})

/** A transaction request. Throws `INVALID_PARAMS` if its chain id is not the network's. */
export function forChain({ chainId, ...request }: z.output<typeof CallRequest>, own: bigint): TransactionRequest {
  if (chainId === undefined || chainId === own) return request
  throw new NetworkError('INVALID_PARAMS', {
    field: 'params[0].chainId',
    problem: `is ${chainId}, but the chain id of the network is ${own}`,
  })
}
