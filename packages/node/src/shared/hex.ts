import type { Address, Hex, Word } from '@understudy/evm'

/** An undocumented method of Node's buffers: it takes any bytes, and does not parse an encoding's name. */
const { hexSlice } = Buffer.prototype as unknown as { hexSlice(this: Uint8Array, start: number, end: number): string }

/** Bytes as `0x`-prefixed hex. */
export function hexFromBytes(bytes: Uint8Array): Hex {
  return `0x${hexSlice.call(bytes, 0, bytes.length)}`
}

/** What each digit is worth, by its character; 16 for what is no digit. */
const digits = new Uint8Array(256).fill(16)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  digits[digit.charCodeAt(0)] = value
  digits[digit.toUpperCase().charCodeAt(0)] = value
}

/** For fewer bytes, a buffer's own method takes twice as long. */
const manyBytes = 64

/** The bytes of a `0x`-prefixed hex string of even length; `undefined` when a character is not hex. */
export function decodeHex(hex: string): Uint8Array | undefined {
  const count = hex.length / 2 - 1
  if (count > manyBytes) {
    const bytes = Buffer.from(hex.slice(2), 'hex')
    // Buffer stops at the first character that is not hex.
    return bytes.length === count ? new Uint8Array(bytes.buffer, bytes.byteOffset, count) : undefined
  }
  const bytes = new Uint8Array(count)
  for (let i = 0, at = 2; i < count; i++, at += 2) {
    const high = digits[hex.charCodeAt(at)] ?? 16
    const low = digits[hex.charCodeAt(at + 1)] ?? 16
    if (high === 16 || low === 16) return undefined
    bytes[i] = (high << 4) | low
  }
  return bytes
}

/** The bytes of a `0x`-prefixed hex string of even length, which must be valid. */
export function bytesFromHex(hex: Hex): Uint8Array {
  const bytes = decodeHex(hex)
  if (!bytes) throw new Error(`${hex.slice(0, 80)} is not hex`)
  return bytes
}

/** A JSON-RPC quantity: hex without leading zeros. */
export function quantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}

/** A number as 32 bytes: a storage key, a storage value or a topic. */
export function wordFromBigint(value: bigint): Word {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** The address in the low 20 bytes of a word. */
export function addressFromWord(word: Word): Address {
  return `0x${word.slice(26)}`
}

/** The address of a number: its low 20 bytes. */
export function addressFromNumber(value: bigint | number): Address {
  return `0x${BigInt.asUintN(160, BigInt(value)).toString(16).padStart(40, '0')}`
}

/** Big-endian bytes without leading zeros; zero is empty. */
export function bytesFromBigint(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array()
  const digits = value.toString(16)
  return bytesFromHex(`0x${digits.length % 2 ? '0' : ''}${digits}`)
}

/** A number from big-endian bytes; no bytes are zero. */
export function bigintFromBytes(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(hexFromBytes(bytes))
}
