import type { Address, Hex, Word } from '@understudy/evm'
import { bigintFromBytes, bytesFromBigint, bytesFromHex, hexFromBytes } from '../shared/hex.ts'

/** Drivers return blobs as Buffers or as plain ArrayBuffers. */
type Blob = Uint8Array | ArrayBuffer

const bytes = (blob: Blob): Uint8Array => (blob instanceof ArrayBuffer ? new Uint8Array(blob) : blob)

/** Conversions between the network's values and their columns. */
export const column = {
  hex: bytesFromHex as (hex: Hex) => Uint8Array,
  number: bytesFromBigint,
}

export const value = {
  bytes,
  hex: (blob: Blob): Hex => hexFromBytes(bytes(blob)),
  address: (blob: Blob): Address => hexFromBytes(bytes(blob)),
  word: (blob: Blob): Word => hexFromBytes(bytes(blob)),
  bigint: (blob: Blob): bigint => bigintFromBytes(bytes(blob)),
}
