import type { Word } from '@understudy/evm'
import { bytesFromBigint, bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { encodeRlp, type RlpItem } from '../shared/rlp/encodeRlp.ts'
import { emptyTrieRoot } from './constants.ts'

type Entry = { path: Uint8Array; value: Uint8Array }

const nothing = new Uint8Array()
/** The path of a leaf that is the only one: all nibbles of the RLP of the index 0. */
const pathOfFirst = new Uint8Array([0x20, 0x80])

/**
 * The root of the Merkle Patricia trie of a list, keyed by the RLP of its indices: `transactionsRoot`, `receiptsRoot`.
 * The whole list is known, so each node is built once, from the root down (yellow paper, appendix D).
 */
export function listRoot(items: readonly Uint8Array[]): Word {
  const [first] = items
  if (first === undefined) return emptyTrieRoot
  if (items.length === 1) return keccak(encodeRlp([pathOfFirst, first]))
  const entries = items.map((value, index) => ({ path: nibblesOf(encodeRlp(bytesFromBigint(BigInt(index)))), value }))
  return keccak(encodeRlp(nodeOf(entries, 0)))
}

/** The node for entries whose paths are equal up to `depth`. No path is a prefix of another. */
function nodeOf(entries: readonly Entry[], depth: number): readonly RlpItem[] {
  const [first] = entries as [Entry]
  if (entries.length === 1) return [compactPath(first.path.subarray(depth), 'leaf'), first.value]
  let end = depth
  while (entries.every(({ path }) => path[end] === first.path[end])) end++
  if (end > depth) return [compactPath(first.path.subarray(depth, end), 'extension'), referenceTo(nodeOf(entries, end))]
  const children = Array.from({ length: 16 }, (): Entry[] => [])
  for (const entry of entries) children[entry.path[depth] as number]?.push(entry)
  return [...children.map((below) => (below.length === 0 ? nothing : referenceTo(nodeOf(below, depth + 1)))), nothing]
}

/** Small nodes are embedded in their parents. */
function referenceTo(node: readonly RlpItem[]): RlpItem {
  const encoded = encodeRlp(node)
  return encoded.length < 32 ? node : bytesFromHex(keccak(encoded))
}

function nibblesOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: bytes.length * 2 }, (_, index) => {
    const byte = bytes[index >> 1] as number
    return index % 2 === 0 ? byte >> 4 : byte & 15
  })
}

/** A path in whole bytes: the first nibble encodes the kind of node and whether the length is odd. */
function compactPath(nibbles: Uint8Array, kind: 'leaf' | 'extension'): Uint8Array {
  const isOdd = nibbles.length % 2 === 1
  const flag = (kind === 'leaf' ? 2 : 0) + (isOdd ? 1 : 0)
  const all = isOdd ? [flag, ...nibbles] : [flag, 0, ...nibbles]
  return Uint8Array.from(
    { length: all.length / 2 },
    (_, index) => (all[index * 2] as number) * 16 + (all[index * 2 + 1] as number),
  )
}
