import type { Address, Hex, Word } from '@understudy/evm'

/** Bytes as `0x`-prefixed hex. */
export function hexFromBytes(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}

/** The bytes of a `0x`-prefixed hex string of even length, which must be valid. */
export function bytesFromHex(hex: Hex): Uint8Array {
  const bytes = Buffer.from(hex.slice(2), 'hex')
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
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
