/** Bytes, or a list of what RLP encodes. */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** The RLP of an item after the number of its type (EIP-2718); 0, of legacy ones, is not written. */
export function encodeTyped(type: number, item: RlpItem): Uint8Array {
  if (type === 0) return encodeRlp(item)
  const bytes = new Uint8Array(1 + encodedLength(item))
  bytes[0] = type
  write(item, bytes, 1)
  return bytes
}

/** The RLP of a list after the number of its type, of items that are encoded already. */
export function encodeTypedList(type: number, items: readonly Uint8Array[]): Uint8Array {
  const length = items.reduce((sum, item) => sum + item.length, 0)
  const typeLength = type === 0 ? 0 : 1
  const bytes = new Uint8Array(typeLength + prefixLength(length) + length)
  if (type !== 0) bytes[0] = type
  let at = writePrefix(length, 0xc0, bytes, typeLength)
  for (const item of items) {
    bytes.set(item, at)
    at += item.length
  }
  return bytes
}

/**
 * Encodes bytes and lists in RLP, written once into a buffer of the right length: every block encodes a dozen items, and other
 * libraries copy each for every list around it.
 */
export function encodeRlp(item: RlpItem): Uint8Array {
  const bytes = new Uint8Array(encodedLength(item))
  write(item, bytes, 0)
  return bytes
}

const isBytes = (item: RlpItem): item is Uint8Array => item instanceof Uint8Array

function encodedLength(item: RlpItem): number {
  if (isBytes(item)) return isSmallByte(item) ? 1 : prefixLength(item.length) + item.length
  const length = contentLength(item)
  return prefixLength(length) + length
}

function contentLength(items: readonly RlpItem[]): number {
  let length = 0
  for (const item of items) length += encodedLength(item)
  return length
}

/** A single byte below 0x80 is its own encoding. */
const isSmallByte = (bytes: Uint8Array) => bytes.length === 1 && (bytes[0] as number) < 0x80

const prefixLength = (length: number) => (length < 56 ? 1 : 1 + lengthOfNumber(length))

function lengthOfNumber(value: number): number {
  let length = 1
  for (let rest = value; rest >= 256; rest = Math.floor(rest / 256)) length++
  return length
}

/** Returns the position after the item. */
function write(item: RlpItem, to: Uint8Array, at: number): number {
  if (isBytes(item)) {
    const start = isSmallByte(item) ? at : writePrefix(item.length, 0x80, to, at)
    to.set(item, start)
    return start + item.length
  }
  let end = writePrefix(contentLength(item), 0xc0, to, at)
  for (const inner of item) end = write(inner, to, end)
  return end
}

function writePrefix(length: number, offset: number, to: Uint8Array, at: number): number {
  if (length < 56) {
    to[at] = offset + length
    return at + 1
  }
  const size = lengthOfNumber(length)
  to[at] = offset + 55 + size
  for (let index = size, rest = length; index > 0; index--, rest = Math.floor(rest / 256)) to[at + index] = rest % 256
  return at + 1 + size
}
