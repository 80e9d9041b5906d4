import type { Hex } from './port.ts'

const mask64 = (1n << 64n) - 1n

/** Writes 32 big-endian bytes. */
export function writeWord(bytes: Buffer, at: number, value: bigint): void {
  if (value <= mask64) {
    bytes.fill(0, at, at + 24)
    bytes.writeBigUInt64BE(value, at + 24)
    return
  }
  bytes.writeBigUInt64BE((value >> 192n) & mask64, at)
  bytes.writeBigUInt64BE((value >> 128n) & mask64, at + 8)
  bytes.writeBigUInt64BE((value >> 64n) & mask64, at + 16)
  bytes.writeBigUInt64BE(value & mask64, at + 24)
}

/** Reads 32 big-endian bytes. */
export function readWord(bytes: Buffer, at: number): bigint {
  const high = (bytes.readBigUInt64BE(at) << 64n) | bytes.readBigUInt64BE(at + 8)
  const low = (bytes.readBigUInt64BE(at + 16) << 64n) | bytes.readBigUInt64BE(at + 24)
  return high === 0n ? low : (high << 128n) | low
}

/** Reads a word in the engine's form: four little-endian limbs, lowest first. */
export function readLimbs(bytes: Buffer, at: number): bigint {
  const low = (bytes.readBigUInt64LE(at + 8) << 64n) | bytes.readBigUInt64LE(at)
  const high = (bytes.readBigUInt64LE(at + 24) << 64n) | bytes.readBigUInt64LE(at + 16)
  return high === 0n ? low : (high << 128n) | low
}

/** Undocumented methods of Node's buffers: they avoid parsing an encoding's name. */
type HexBuffer = Buffer & {
  hexSlice(start: number, end: number): string
  hexWrite(hex: string, start: number): number
}

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

/** Writes the bytes of a `0x`-prefixed string. */
export function writeHex(bytes: Buffer, at: number, hex: Hex): void {
  ;(bytes as HexBuffer).hexWrite(hex.slice(2), at)
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
