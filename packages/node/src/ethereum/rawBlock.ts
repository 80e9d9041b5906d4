import type { Hex, Word } from '@understudy/evm'
import { hexFromBytes } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { decodeRlp } from '../shared/rlp/decodeRlp.ts'
import { encodeRlp } from '../shared/rlp/encodeRlp.ts'
import { type Header, headerFromItems, headerItems } from './header.ts'
import { type Withdrawal, withdrawalItems } from './withdrawal.ts'

/** The RLP of a block with transactions in their EIP-2718 encoding. */
export function encodeRawBlock(
  header: Header,
  transactions: readonly Uint8Array[],
  withdrawals: readonly Withdrawal[] = [],
): Uint8Array {
  // In a block, legacy transactions are lists and typed ones are strings.
  const body = transactions.map((raw) => ((raw[0] ?? 0) >= 0xc0 ? decodeRlp(raw) : raw))
  const withdrawn = header.withdrawalsRoot === undefined ? [] : [withdrawals.map(withdrawalItems)]
  return encodeRlp([headerItems(header), body, [], ...withdrawn])
}

export type DecodedBlock = { hash: Word; header: Header; transactions: Hex[] }

/** A block from its RLP, with its transactions in their EIP-2718 encoding; `undefined` if it is none. */
export function decodeRawBlock(encoded: Uint8Array): DecodedBlock | undefined {
  const [items, body] = listFrom(encoded)
  if (!isList(items) || !isList(body) || items.length < 15 || !items.every((item) => item instanceof Uint8Array)) return
  const transactions = body.map((item) => hexFromBytes(item instanceof Uint8Array ? item : encodeRlp(item)))
  return { hash: keccak(encodeRlp(items)), header: headerFromItems(items as Uint8Array[]), transactions }
}

type Item = Uint8Array | Item[]
const isList = (item: Item | undefined): item is Item[] => Array.isArray(item)

function listFrom(encoded: Uint8Array): Item[] {
  try {
    const decoded = decodeRlp(encoded) as Item
    return isList(decoded) ? decoded : []
  } catch {
    return []
  }
}

/** The size of `encodeRawBlock`'s result in bytes, without encoding. */
export function rawBlockSize(
  { withdrawalsRoot }: Header,
  encodedHeader: Uint8Array,
  transactions: readonly Uint8Array[],
  withdrawals: readonly Withdrawal[] = [],
): number {
  const body = transactions.reduce((sum, raw) => sum + ((raw[0] ?? 0) >= 0xc0 ? raw.length : withPrefix(raw.length)), 0)
  const withdrawn = encodeRlp(withdrawals.map(withdrawalItems)).length
  return withPrefix(encodedHeader.length + withPrefix(body) + 1 + (withdrawalsRoot === undefined ? 0 : withdrawn))
}

/** The length of a list or string in RLP, from the length of its content. */
function withPrefix(length: number): number {
  return length + (length < 56 ? 1 : 1 + Math.ceil((32 - Math.clz32(length)) / 8))
}
