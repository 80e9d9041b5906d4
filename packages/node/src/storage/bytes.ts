import type { Address, Hex, Word } from '@understudy/evm'
import { bigintFromBytes, bytesFromHex, hexFromBytes } from '../shared/hex.ts'

/** Drivers return blobs as Buffers or as plain ArrayBuffers. */
type Blob = Uint8Array | ArrayBuffer

const bytes = (blob: Blob): Uint8Array => (blob instanceof ArrayBuffer ? new Uint8Array(blob) : blob)

/** Conversions between the network's values and their columns. */
export const column = {
  /** Of Node's pool: a driver that is bound to a small array outside of it first has to copy it out of the heap. */
  hex(hex: Hex): Uint8Array {
    const bytes = Buffer.from(hex.slice(2), 'hex')
    // Buffer stops at the first character that is not hex.
    return bytes.length === hex.length / 2 - 1 ? bytes : bytesFromHex(hex)
  },
  /** Big-endian bytes without leading zeros; zero is empty. */
  number(value: bigint): Uint8Array {
    if (value === 0n) return nothing
    const digits = value.toString(16)
    return Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex')
  },
}

const nothing = Buffer.alloc(0)

export const value = {
  bytes,
  hex: (blob: Blob): Hex => hexFromBytes(bytes(blob)),
  address: (blob: Blob): Address => hexFromBytes(bytes(blob)),
  word: (blob: Blob): Word => hexFromBytes(bytes(blob)),
  bigint: (blob: Blob): bigint => bigintFromBytes(bytes(blob)),
}

/**
 * PostgreSQL's text cannot contain NUL, and SQLite's driver truncates text there; names, sources and contract output
 * may contain it. The database has this code point instead, which is never assigned.
 */
const standsForNul = '\uffff'

/** Encodes a string for storage; returns other values unchanged. */
export function withoutNul<T>(value: T): T | string {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', standsForNul) : value
}

/** Decodes a stored string; returns other values unchanged. */
export function withNul<T>(value: T): T | string {
  return typeof value === 'string' && value.includes(standsForNul) ? value.replaceAll(standsForNul, '\0') : value
}
