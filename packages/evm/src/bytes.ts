import type { Hex } from './port.ts'

const mask64 = (1n << 64n) - 1n

/** Views read and write 64 bits at once; a buffer's own methods go byte by byte. */
export function dataViewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/** Writes 32 big-endian bytes. */
export function writeWord(data: DataView, at: number, value: bigint): void {
  const isShort = value <= mask64
  data.setBigUint64(at, isShort ? 0n : value >> 192n)
  data.setBigUint64(at + 8, isShort ? 0n : value >> 128n)
  data.setBigUint64(at + 16, isShort ? 0n : value >> 64n)
  data.setBigUint64(at + 24, value)
}

/** Reads 32 big-endian bytes. */
export function readWord(data: DataView, at: number): bigint {
  return wordOf(
    data.getBigUint64(at),
    data.getBigUint64(at + 8),
    data.getBigUint64(at + 16),
    data.getBigUint64(at + 24),
  )
}

/** Reads a word in the engine's form: four little-endian limbs, lowest first. */
export function readLimbs(data: DataView, at: number): bigint {
  return wordOf(
    data.getBigUint64(at + 24, true),
    data.getBigUint64(at + 16, true),
    data.getBigUint64(at + 8, true),
    data.getBigUint64(at, true),
  )
}

/** A word of its limbs, highest first. */
function wordOf(d: bigint, c: bigint, b: bigint, a: bigint): bigint {
  const low = b === 0n ? a : (b << 64n) | a
  return c === 0n && d === 0n ? low : (d << 192n) | (c << 128n) | low
}

/** An undocumented method of Node's buffers: it avoids parsing an encoding's name. */
type HexBuffer = Buffer & { hexSlice(start: number, end: number): string }

/** Bytes [start, end) as a `0x`-prefixed string. */
export function hexAt(bytes: Buffer, start: number, end: number): Hex {
  return `0x${(bytes as HexBuffer).hexSlice(start, end)}`
}

const scratch = Buffer.alloc(32)

function reversedHex(bytes: Buffer, at: number, length: number): Hex {
  for (let i = 0; i < length; i++) scratch[i] = bytes[at + length - 1 - i] as number
  return hexAt(scratch, 0, length)
}

/** The 32 bytes of a word that the engine stores as limbs. */
export function hexFromLimbs(bytes: Buffer, at: number): Hex {
  return reversedHex(bytes, at, 32)
}

/** The address in a word that the engine stores as limbs. */
export function addressFromLimbs(bytes: Buffer, at: number): Hex {
  return reversedHex(bytes, at, 20)
}

/** What each digit is worth, by its character. */
const digits = new Uint8Array(128)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  digits[digit.charCodeAt(0)] = value
  digits[digit.toUpperCase().charCodeAt(0)] = value
}

/** Writes the few bytes of a `0x`-prefixed string: for an address or a word, a buffer's own method takes three times as long. */
export function writeHex(bytes: Buffer, at: number, hex: Hex): void {
  for (let i = 2; i < hex.length; i += 2) {
    bytes[at++] = ((digits[hex.charCodeAt(i)] as number) << 4) | (digits[hex.charCodeAt(i + 1)] as number)
  }
}

export function hexFromBytes(bytes: Uint8Array): Hex {
  return hexAt(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.byteLength)
}

export function bytesFromHex(hex: Hex): Uint8Array {
  return new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
}

export function bigintFromBytes(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(hexFromBytes(bytes))
}

/** A number as `length` big-endian bytes. */
export function bytesFromBigint(value: bigint, length: number): Uint8Array {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex'))
}
