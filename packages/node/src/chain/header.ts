import { RLP } from '@ethereumjs/rlp'
import type { Hex, Word } from '@understudy/evm'
import { bigintFromBytes, bytesFromBigint, bytesFromHex, hexFromBytes, wordFromBigint } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import type { Header } from './block.ts'

export const zeroWord: Word = `0x${'00'.repeat(32)}`
export const emptyBloom: Hex = `0x${'00'.repeat(256)}`
/** The root of a trie of nothing. */
export const emptyTrieRoot: Word = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
/** The hash of an empty list of uncles. */
export const emptyUnclesHash: Word = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
/** The EIP-7685 hash of no requests: SHA-256 of nothing. */
export const emptyRequestsHash: Word = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

type Codec<T> = { encode(value: T): Uint8Array; decode(bytes: Uint8Array): T }

const hex: Codec<Hex> = { encode: bytesFromHex, decode: hexFromBytes }
const number: Codec<bigint> = { encode: bytesFromBigint, decode: bigintFromBytes }
/** Hex whose usual value is stored as nothing. */
const usually = (usual: Hex): Codec<Hex> => ({
  encode: (value) => (value === usual ? new Uint8Array() : bytesFromHex(value)),
  decode: (bytes) => (bytes.length === 0 ? usual : hexFromBytes(bytes)),
})

/** The fields in the order of the header's RLP; `stored` is how SQL has them, smaller than the RLP where a value is common. */
const fields: { name: keyof Header; codec: Codec<never>; stored: Codec<never> }[] = [
  field('parentHash', hex, hex),
  field('coinbase', hex, hex),
  field('stateRoot', hex, hex),
  field('transactionsRoot', hex, usually(emptyTrieRoot)),
  field('receiptsRoot', hex, usually(emptyTrieRoot)),
  field('logsBloom', hex, usually(emptyBloom)),
  field('difficulty', number, number),
  field('number', number, number),
  field('gasLimit', number, number),
  field('gasUsed', number, number),
  field('timestamp', number, number),
  field('extraData', hex, hex),
  field('mixHash', hex, hex),
  field('baseFeePerGas', number, number),
  field('withdrawalsRoot', hex, usually(emptyTrieRoot)),
  field('blobGasUsed', number, number),
  field('excessBlobGas', number, number),
  field('parentBeaconBlockRoot', hex, usually(zeroWord)),
  field('requestsHash', hex, usually(emptyRequestsHash)),
]

function field<Name extends keyof Header>(
  name: Name,
  codec: Codec<NonNullable<Header[Name]>>,
  stored: Codec<NonNullable<Header[Name]>>,
) {
  return { name, codec, stored } as { name: keyof Header; codec: Codec<never>; stored: Codec<never> }
}

/** The items of the header's RLP. Fields of later forks are missing from its end. */
export function headerItems(header: Header): Uint8Array[] {
  const items = fields
    .filter(({ name }) => header[name] !== undefined)
    .map(({ name, codec }) => codec.encode(header[name] as never))
  const [parentHash, ...rest] = items
  const nonce = new Uint8Array(8)
  // The uncles' hash comes second and the nonce after the mix hash; neither ever differs since Paris.
  return [parentHash as Uint8Array, bytesFromHex(emptyUnclesHash), ...rest.slice(0, 12), nonce, ...rest.slice(12)]
}

export function encodeHeader(header: Header): Uint8Array {
  return RLP.encode(headerItems(header))
}

export function headerHash(header: Header): Word {
  return keccak(encodeHeader(header))
}

/** A header as SQL stores it. */
export function encodeStoredHeader(header: Header): Uint8Array {
  return RLP.encode(
    fields.map(({ name, stored }) => (header[name] === undefined ? [] : [stored.encode(header[name] as never)])),
  )
}

export function decodeStoredHeader(bytes: Uint8Array): Header {
  const items = RLP.decode(bytes) as Uint8Array[][]
  return Object.fromEntries(
    fields.map(({ name, stored }, index) => {
      const [item] = items[index] ?? []
      return [name, item && stored.decode(item)]
    }),
  ) as unknown as Header
}

/** A header as an upstream sends it; other fields than ours are left aside. */
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
    coinbase: text('miner') ?? `0x${'00'.repeat(20)}`,
    stateRoot: text('stateRoot') ?? zeroWord,
    transactionsRoot: text('transactionsRoot') ?? emptyTrieRoot,
    receiptsRoot: text('receiptsRoot') ?? emptyTrieRoot,
    logsBloom: text('logsBloom') ?? emptyBloom,
    gasLimit: big('gasLimit') ?? 30_000_000n,
    gasUsed: big('gasUsed') ?? 0n,
    difficulty: big('difficulty') ?? 0n,
    extraData: text('extraData') ?? '0x',
    mixHash: text('mixHash') ?? wordFromBigint(0n),
    baseFeePerGas: big('baseFeePerGas'),
    withdrawalsRoot: text('withdrawalsRoot'),
    blobGasUsed: big('blobGasUsed'),
    excessBlobGas: big('excessBlobGas'),
    parentBeaconBlockRoot: text('parentBeaconBlockRoot'),
    requestsHash: text('requestsHash'),
  }
}
