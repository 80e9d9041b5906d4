import type { Address, Hex, Word } from '@understudy/evm'
import { bigintFromBytes, bytesFromBigint, bytesFromHex, hexFromBytes } from '../shared/hex.ts'

/** Drivers hand out blobs as Buffers or as bare ArrayBuffers. */
type Blob = Uint8Array | ArrayBuffer

const bytes = (blob: Blob): Uint8Array => (blob instanceof ArrayBuffer ? new Uint8Array(blob) : blob)

/** Between the values of the network and their columns. */
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
