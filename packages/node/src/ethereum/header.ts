import type { Address, Hex, Word } from '@understudy/evm'
import { bigintFromBytes, bytesFromBigint, bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { decodeRlp } from '../shared/rlp/decodeRlp.ts'
import { encodeRlp } from '../shared/rlp/encodeRlp.ts'
import {
  emptyAccessListHash,
  emptyBloom,
  emptyRequestsHash,
  emptyTrieRoot,
  emptyUnclesHash,
  zeroAddress,
  zeroWord,
} from './constants.ts'

/** A block header; fields of later forks are `undefined`. Amounts in wei, time in seconds. */
export type Header = {
  number: bigint
  parentHash: Word
  timestamp: bigint
  coinbase: Address
  stateRoot: Word
  transactionsRoot: Word
  receiptsRoot: Word
  logsBloom: Hex
  gasLimit: bigint
  gasUsed: bigint
  difficulty: bigint
  extraData: Hex
  /** PREVRANDAO since Paris. */
  mixHash: Word
  baseFeePerGas: bigint | undefined
  withdrawalsRoot: Word | undefined
  blobGasUsed: bigint | undefined
  excessBlobGas: bigint | undefined
  parentBeaconBlockRoot: Word | undefined
  requestsHash: Word | undefined
  /** EIP-7928. */
  blockAccessListHash: Word | undefined
  /** The slot of the beacon chain (EIP-7843). */
  slotNumber: bigint | undefined
  /**
   * Milliseconds since 1970, where a chain has several blocks in a second and its nodes say so. It is no part of the header's RLP:
   * https://docs.base.org/base-chain/specs/upgrades/denim/200ms-blocks.
   */
  timestampMs: bigint | undefined
  /**
   * The newest block whose results the chain had agreed upon, where it executes blocks after it accepted them (Avalanche, ACP-194).
   * Its nodes answer it for `safe` and `finalized`.
   */
  settledHeight: bigint | undefined
}

type Codec<T> = { encode(value: T): Uint8Array; decode(bytes: Uint8Array): T }

/** The bytes of values that most headers have. */
const commonBytes = new Map(
  [emptyBloom, emptyTrieRoot, emptyUnclesHash, emptyRequestsHash, zeroWord].map((value) => [
    value,
    bytesFromHex(value),
  ]),
)
const bytesOf = (value: Hex) => commonBytes.get(value) ?? bytesFromHex(value)

const hex: Codec<Hex> = { encode: bytesOf, decode: hexFromBytes }
const number: Codec<bigint> = { encode: bytesFromBigint, decode: bigintFromBytes }
/** Hex that is stored as null if it has its default value. */
const hexOrDefault = (byDefault: Hex): Codec<Hex> => ({
  encode: (value) => (value === byDefault ? new Uint8Array() : bytesFromHex(value)),
  decode: (bytes) => (bytes.length === 0 ? byDefault : hexFromBytes(bytes)),
})

/**
 * The fields in the order of the header's RLP; `stored` encodes them for SQL, more compactly than RLP for common
 * values.
 */
const fields: { name: keyof Header; codec: Codec<never>; stored: Codec<never> }[] = [
  field('parentHash', hex, hex),
  field('coinbase', hex, hex),
  field('stateRoot', hex, hex),
  field('transactionsRoot', hex, hexOrDefault(emptyTrieRoot)),
  field('receiptsRoot', hex, hexOrDefault(emptyTrieRoot)),
  field('logsBloom', hex, hexOrDefault(emptyBloom)),
  field('difficulty', number, number),
  field('number', number, number),
  field('gasLimit', number, number),
  field('gasUsed', number, number),
  field('timestamp', number, number),
  field('extraData', hex, hex),
  field('mixHash', hex, hex),
  field('baseFeePerGas', number, number),
  field('withdrawalsRoot', hex, hexOrDefault(emptyTrieRoot)),
  field('blobGasUsed', number, number),
  field('excessBlobGas', number, number),
  field('parentBeaconBlockRoot', hex, hexOrDefault(zeroWord)),
  field('requestsHash', hex, hexOrDefault(emptyRequestsHash)),
  field('blockAccessListHash', hex, hexOrDefault(emptyAccessListHash)),
  field('slotNumber', number, number),
]

/** Those of a stored header. */
const storedFields = [...fields, field('timestampMs', number, number), field('settledHeight', number, number)]

function field<Name extends keyof Header>(
  name: Name,
  codec: Codec<NonNullable<Header[Name]>>,
  stored: Codec<NonNullable<Header[Name]>>,
) {
  return { name, codec, stored } as { name: keyof Header; codec: Codec<never>; stored: Codec<never> }
}

/** The items of the header's RLP, without fields of later forks at the end. */
export function headerItems(header: Header): Uint8Array[] {
  const items = fields
    .filter(({ name }) => header[name] !== undefined)
    .map(({ name, codec }) => codec.encode(header[name] as never))
  const [parentHash, ...rest] = items
  const nonce = new Uint8Array(8)
  // The uncles' hash is second and the nonce follows the mix hash; both are constant since Paris.
  return [parentHash as Uint8Array, bytesOf(emptyUnclesHash), ...rest.slice(0, 12), nonce, ...rest.slice(12)]
}

/** The header with these items. Fields that this version does not know are ignored. */
export function headerFromItems(items: readonly Uint8Array[]): Header {
  const known = items.filter((_, index) => index !== unclesIndex && index !== nonceIndex)
  return Object.fromEntries(
    fields.map(({ name, codec }, index) => [name, known[index] && codec.decode(known[index])]),
  ) as unknown as Header
}

const unclesIndex = 1
const nonceIndex = 14

export function encodeHeader(header: Header): Uint8Array {
  return encodeRlp(headerItems(header))
}

export function headerHash(header: Header): Word {
  return keccak(encodeHeader(header))
}

/** A header as stored in SQL. */
export function encodeStoredHeader(header: Header): Uint8Array {
  return encodeRlp(
    storedFields.map(({ name, stored }) => (header[name] === undefined ? [] : [stored.encode(header[name] as never)])),
  )
}

export function decodeStoredHeader(bytes: Uint8Array): Header {
  const items = decodeRlp(bytes) as Uint8Array[][]
  return Object.fromEntries(
    storedFields.map(({ name, stored }, index) => {
      const [item] = items[index] ?? []
      return [name, item && stored.decode(item)]
    }),
  ) as unknown as Header
}

/** A header from upstream; unknown fields are ignored. */
export function headerFromRpc(raw: Record<string, unknown>): Header {
  const text = (name: string) => (typeof raw[name] === 'string' ? (raw[name].toLowerCase() as Hex) : undefined)
  const big = (name: string) => {
    const value = text(name)
    return value === undefined || value === '0x' ? undefined : BigInt(value)
  }
  return {
    number: big('number') ?? 0n,
    parentHash: text('parentHash') ?? zeroWord,
    timestamp: big('timestamp') ?? 0n,
    coinbase: text('miner') ?? zeroAddress,
    stateRoot: text('stateRoot') ?? zeroWord,
    transactionsRoot: text('transactionsRoot') ?? emptyTrieRoot,
    receiptsRoot: text('receiptsRoot') ?? emptyTrieRoot,
    logsBloom: text('logsBloom') ?? emptyBloom,
    gasLimit: big('gasLimit') ?? 30_000_000n,
    gasUsed: big('gasUsed') ?? 0n,
    difficulty: big('difficulty') ?? 0n,
    extraData: text('extraData') ?? '0x',
    mixHash: text('mixHash') ?? zeroWord,
    baseFeePerGas: big('baseFeePerGas'),
    withdrawalsRoot: text('withdrawalsRoot'),
    blobGasUsed: big('blobGasUsed'),
    excessBlobGas: big('excessBlobGas'),
    parentBeaconBlockRoot: text('parentBeaconBlockRoot'),
    requestsHash: text('requestsHash'),
    blockAccessListHash: text('blockAccessListHash'),
    slotNumber: big('slotNumber'),
    timestampMs: timestampMsFrom(raw.timestampMs, big('timestamp')),
    settledHeight: settledHeightFrom(raw.settledHeight, big('number')),
  }
}

/** `undefined` where a chain means something else by it. */
function timestampMsFrom(value: unknown, timestamp: bigint | undefined): bigint | undefined {
  if (typeof value !== 'string' || !/^0x[\da-f]{1,16}$/i.test(value)) return undefined
  const ms = BigInt(value)
  return ms / 1000n === timestamp ? ms : undefined
}

/** `undefined` where a chain means something else by it. */
function settledHeightFrom(value: unknown, number: bigint | undefined): bigint | undefined {
  if (typeof value !== 'string' || !/^0x[\da-f]{1,16}$/i.test(value)) return undefined
  const height = BigInt(value)
  return number !== undefined && height <= number ? height : undefined
}

/** What is no part of the header of every chain, of a block after `parent`. `model` is the newest block of the live chain, as far as it is known. */
export const ownFieldsAfter = (
  parent: Header,
  { number, timestamp }: Pick<Header, 'number' | 'timestamp'>,
  model: Header,
): Pick<Header, 'timestampMs' | 'settledHeight'> => ({
  timestampMs: timestampMsAfter(parent, timestamp, model),
  settledHeight: settledHeightAfter(parent, number, model),
})

/** The part below the second is that of `model`, which contracts read. */
function timestampMsAfter(parent: Header, timestamp: bigint, model: Header): bigint | undefined {
  if (model.timestampMs === undefined) return undefined
  const ms = timestamp * 1000n + (model.timestampMs % 1000n)
  return parent.timestampMs !== undefined && parent.timestampMs > ms ? parent.timestampMs : ms
}

/** As many blocks below the block as `model` has it. It never falls from a block to the next. */
function settledHeightAfter(parent: Header, number: bigint, model: Header): bigint | undefined {
  if (model.settledHeight === undefined) return undefined
  const behind = model.number - model.settledHeight
  const height = number > behind ? number - behind : 0n
  return parent.settledHeight !== undefined && parent.settledHeight > height ? parent.settledHeight : height
}
