import type { Address as AddressHex, Hex, Word } from '@understudy/evm'
import { z } from 'zod'
import { codec } from '../../shared/codec.ts'
import { decodeHex } from '../../shared/hex.ts'

/** An address in any case; lowercased. EIP-55 checksums are not verified, as in geth. */
export const Address = codec<string, AddressHex>(
  'a 20-byte 0x-hex address',
  (input) =>
    typeof input === 'string' && /^0x[\da-f]{40}$/i.test(input) ? (input.toLowerCase() as AddressHex) : undefined,
  { title: 'Address', type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
)

/** The hash of a block or transaction, or another 32-byte word. */
export const Hash = codec<string, Word>(
  'a 32-byte 0x-hex hash',
  (input) => (isWord(input) ? (input.toLowerCase() as Word) : undefined),
  { title: 'Hash', type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' },
)

/** A storage value: exactly 32 bytes, decoded to a number. */
export const Word32 = codec<string, bigint>(
  'exactly 32 bytes (0x and 64 hex digits)',
  (input) => (isWord(input) ? BigInt(input) : undefined),
  { title: 'Word32', type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' },
)

export function isWord(input: unknown): input is string {
  return typeof input === 'string' && input.length === 66 && /^0x[\da-f]{64}$/i.test(input)
}

/** Bytes as 0x-hex with an even number of digits. An empty string is none, as in geth. */
export const Bytes = codec<string, Uint8Array>('0x-hex bytes (an even number of hex digits)', bytesFromInput, {
  title: 'Bytes',
  type: 'string',
  pattern: '^(0x([0-9a-fA-F]{2})*)?$',
})

/** Bytes that are passed on as lowercase hex, such as an encoded transaction. */
export const BytesAsHex = codec<string, Hex>(
  '0x-hex bytes (an even number of hex digits)',
  (input) => (bytesFromInput(input) ? (`0x${(input as string).slice(2).toLowerCase()}` as Hex) : undefined),
  { title: 'Bytes', type: 'string', pattern: '^(0x([0-9a-fA-F]{2})*)?$' },
)

/** So many bytes, passed on as lowercase hex. */
export const BytesOfLength = (length: number) =>
  codec<string, Hex>(
    `${length} bytes (0x and ${2 * length} hex digits)`,
    (input) =>
      bytesFromInput(input)?.length === length ? (`0x${(input as string).slice(2).toLowerCase()}` as Hex) : undefined,
    { title: `Bytes${length}`, type: 'string', pattern: `^0x[0-9a-fA-F]{${2 * length}}$` },
  )

/**
 * Decodes without a regular expression over the whole string, which may have megabytes. `undefined` if it is not hex.
 */
export function bytesFromInput(input: unknown): Uint8Array | undefined {
  if (input === '') return new Uint8Array()
  if (typeof input !== 'string' || !(input.startsWith('0x') || input.startsWith('0X')) || input.length % 2 !== 0)
    return undefined
  return decodeHex(input)
}

/** The first four bytes of the hash of a function or an error. */
export const Selector = BytesOfLength(4)

/** Most bytes of data that is decoded: pools take transactions up to this size. */
const decodedLimit = 131_072

/** Data that is decoded, as lowercase hex; at least so many bytes. */
const dataFrom = (input: unknown, least: number): Hex | undefined => {
  if (typeof input !== 'string' || input.length > 2 + 2 * decodedLimit) return undefined
  return (bytesFromInput(input)?.length ?? -1) >= least ? `0x${input.slice(2).toLowerCase()}` : undefined
}

/** Data that is decoded. */
export const DecodableData = codec<string, Hex>(
  `at most ${decodedLimit} bytes of 0x-hex`,
  (input) => dataFrom(input, 0),
  { title: 'DecodableData', type: 'string', pattern: '^(0x([0-9a-fA-F]{2})*)?$' },
)

/** Data that is decoded, and begins with a selector. */
export const SelectedData = codec<string, Hex>(
  `at most ${decodedLimit} bytes of 0x-hex that begin with a selector of 4 bytes`,
  (input) => dataFrom(input, 4),
  { title: 'SelectedData', type: 'string', pattern: '^0x([0-9a-fA-F]{2}){4,}$' },
)

/** The topics of a log that is not anonymous. */
export const Topics = z
  .array(Hash)
  .min(1, { error: 'is empty; the first topic says which event it is' })
  .max(4, { error: 'has more than the 4 topics that a log can have' })

/** Maximum number of addresses that one request changes. */
const limit = 1000

/** One or several addresses. */
export const AddressOrList: z.ZodType<AddressHex[], string | string[]> = z
  .union([Address.transform((address) => [address]), z.array(Address).max(limit)])
  .meta({ title: 'AddressOrList', description: `an address, or an array of at most ${limit}` })
