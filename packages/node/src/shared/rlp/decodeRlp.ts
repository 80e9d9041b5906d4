import type { RlpItem } from './encodeRlp.ts'

/** Lists within lists that are decoded: no encoding of Ethereum has more than a few. */
const maxDepth = 16

/** Decodes canonical RLP. @throws RangeError for other bytes, and for what ends early or late. */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const item = requireItem(bytes, 0, bytes.length)
  if (item.end !== bytes.length) throw new RangeError('bytes follow the RLP')
  return contentOf(bytes, item, maxDepth)
}

function contentOf(bytes: Uint8Array, { isList, start, end }: RlpRange, depth: number): RlpItem {
  if (!isList) return bytes.subarray(start, end)
  if (depth === 0) throw new RangeError('the RLP has too many lists within lists')
  const items: RlpItem[] = []
  for (let at = start; at < end; ) {
    const item = requireItem(bytes, at, end)
    items.push(contentOf(bytes, item, depth - 1))
    at = item.end
  }
  return items
}

function requireItem(bytes: Uint8Array, at: number, end: number): RlpRange {
  const item = itemAt(bytes, at)
  if (!item || item.end > end) throw new RangeError('the RLP ends early')
  if (!isCanonical(bytes, at, item)) throw new RangeError('the RLP is not canonical')
  return item
}

/** Where the content of an item begins and ends. */
export type RlpRange = { isList: boolean; start: number; end: number }

/** The item that begins at `at`, canonical or not; it may end behind the bytes. `undefined` at their end. */
export function itemAt(bytes: Uint8Array, at: number): RlpRange | undefined {
  const prefix = bytes[at]
  if (prefix === undefined) return undefined
  if (prefix < 0x80) return { isList: false, start: at, end: at + 1 }
  const isList = prefix >= 0xc0
  const short = prefix - (isList ? 0xc0 : 0x80)
  if (short < 56) return { isList, start: at + 1, end: at + 1 + short }
  const start = at + 1 + short - 55
  let length = 0
  for (let index = at + 1; index < start; index++) length = length * 256 + (bytes[index] ?? 0)
  return { isList, start, end: start + length }
}

/** Whether the item that begins at `at` has the shortest encoding. */
export function isCanonical(bytes: Uint8Array, at: number, { isList, start, end }: RlpRange): boolean {
  const length = end - start
  if (start === at) return true
  if (start === at + 1) return isList || length !== 1 || (bytes[start] ?? 0) >= 0x80
  // Longer ones do not fit into a request.
  return start - at <= 5 && bytes[at + 1] !== 0 && start <= bytes.length && length >= 56
}

/**
 * Whether an RLP encoding has more than `limit` items, lists with all that is in them. Takes some nanoseconds for each item;
 * decoding takes up to 40 µs.
 */
export function hasMoreItems(bytes: Uint8Array, limit: number): boolean {
  let count = 0
  for (let item = itemAt(bytes, 0); item && count <= limit; count++)
    item = itemAt(bytes, item.isList ? item.start : item.end)
  return count > limit
}
