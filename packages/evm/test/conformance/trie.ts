import { bytesFromBigint, bytesFromHex } from '../../src/bytes.ts'
import { keccak256 } from '../../src/keccak.ts'
import { concat } from '../../src/precompiles/input.ts'

// The root of a secure Merkle Patricia trie, computed from all of its entries at once. Checked against @ethereumjs/mpt.

export type RlpValue = Uint8Array | readonly RlpValue[]

export function rlp(value: RlpValue): Uint8Array {
  if (value instanceof Uint8Array) {
    if (value.length === 1 && (value[0] as number) < 0x80) return value
    return concat(prefix(0x80, value.length), value)
  }
  const payload = concat(...value.map(rlp))
  return concat(prefix(0xc0, payload.length), payload)
}

function prefix(base: number, length: number): Uint8Array {
  if (length < 56) return Uint8Array.of(base + length)
  const bytes = rlpNumber(BigInt(length))
  return concat(Uint8Array.of(base + 55 + bytes.length), bytes)
}

/** A number without leading zeros. */
export function rlpNumber(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0)
  return bytesFromBigint(value, Math.ceil(value.toString(16).length / 2))
}

type Entry = { nibbles: Uint8Array; value: Uint8Array }

function compactPath(nibbles: Uint8Array, leaf: boolean): Uint8Array {
  const odd = nibbles.length % 2
  const flags = (leaf ? 2 : 0) + odd
  const all = odd ? [flags, ...nibbles] : [flags, 0, ...nibbles]
  return Uint8Array.from(
    { length: all.length / 2 },
    (_, i) => ((all[2 * i] as number) << 4) | (all[2 * i + 1] as number),
  )
}

function reference(node: Exclude<RlpValue, Uint8Array>): RlpValue {
  const encoded = rlp(node)
  return encoded.length < 32 ? node : keccak256(encoded)
}

function buildNode(entries: Entry[], depth: number): Exclude<RlpValue, Uint8Array> {
  const first = entries[0] as Entry
  if (entries.length === 1) return [compactPath(first.nibbles.subarray(depth), true), first.value]
  let end = depth
  while (entries.every(({ nibbles }) => nibbles[end] === first.nibbles[end])) end++
  if (end > depth) {
    return [compactPath(first.nibbles.subarray(depth, end), false), reference(buildNode(entries, end))]
  }
  const children = Array.from({ length: 16 }, (_, nibble): RlpValue => {
    const below = entries.filter(({ nibbles }) => nibbles[depth] === nibble)
    return below.length === 0 ? new Uint8Array(0) : reference(buildNode(below, depth + 1))
  })
  return [...children, new Uint8Array(0)]
}

export const emptyRoot = keccak256(rlp(new Uint8Array(0)))

/** Keys are hashed; all have one length. */
export function trieRoot(entries: Iterable<readonly [key: Uint8Array, value: Uint8Array]>): Uint8Array {
  const list = [...entries].map(([key, value]) => {
    const hash = keccak256(key)
    const nibbles = new Uint8Array(64)
    for (let i = 0; i < 32; i++) {
      nibbles[2 * i] = (hash[i] as number) >> 4
      nibbles[2 * i + 1] = (hash[i] as number) & 15
    }
    return { nibbles, value }
  })
  return list.length === 0 ? emptyRoot : keccak256(rlp(buildNode(list, 0)))
}

export type StateAccount = {
  balance: bigint
  nonce: bigint
  code: Uint8Array
  /** Without zeros. */
  storage: Map<string, bigint>
}

export function stateRoot(state: Map<string, StateAccount>): Uint8Array {
  const encode = ({ balance, nonce, code, storage }: StateAccount) => {
    const slots = [...storage].map(
      ([key, value]) => [bytesFromHex(key as `0x${string}`), rlp(rlpNumber(value))] as const,
    )
    return rlp([rlpNumber(nonce), rlpNumber(balance), trieRoot(slots), keccak256(code)])
  }
  return trieRoot(
    [...state].map(([address, account]) => [bytesFromHex(address as `0x${string}`), encode(account)] as const),
  )
}
