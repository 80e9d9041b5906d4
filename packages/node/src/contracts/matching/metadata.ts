/** A part of code that may differ between compilation and deployment. */
export type Hole = readonly [start: number, length: number]

/** The start of compilers' CBOR metadata: a map of one to five entries, the first with one of these keys. */
const keys = ['ipfs', 'bzzr0', 'bzzr1', 'solc', 'experimental', 'vyper']
/** Source hashes with the CBOR before them: a text key and the header of a byte string. */
const hashes = [
  { mark: Buffer.from('64697066735822', 'hex'), length: 34 },
  { mark: Buffer.from('65627a7a72305820', 'hex'), length: 32 },
  { mark: Buffer.from('65627a7a72315820', 'hex'), length: 32 },
]

/**
 * The length of code without the metadata that solc and Vyper append: CBOR, followed by its length in two bytes. See
 * https://docs.soliditylang.org/en/latest/metadata.html#encoding-of-the-metadata-hash-in-the-bytecode.
 */
export function lengthWithoutMetadata(code: Uint8Array): number {
  const { length } = code
  if (length < 4) return length
  const size = ((code[length - 2] ?? 0) << 8) | (code[length - 1] ?? 0)
  const start = length - 2 - size
  if (start < 0 || !isMetadata(code.subarray(start, length - 2))) return length
  return start
}

function isMetadata(cbor: Uint8Array): boolean {
  const [head = 0, first = 0] = cbor
  if (head < 0xa1 || head > 0xa5 || first < 0x60 || first > 0x77) return false
  const key = Buffer.from(cbor.subarray(2, 2 + (first - 0x60))).toString('latin1')
  return keys.includes(key)
}

/** The positions of source hashes in code: a factory contains the metadata of what it creates. */
export function sourceHashes(code: Uint8Array): Hole[] {
  const buffer = Buffer.from(code.buffer, code.byteOffset, code.byteLength)
  const found: Hole[] = []
  for (const { mark, length } of hashes)
    for (let at = buffer.indexOf(mark); at >= 0; at = buffer.indexOf(mark, at + 1))
      if (at + mark.length + length <= code.length) found.push([at + mark.length, length])
  return found
}
