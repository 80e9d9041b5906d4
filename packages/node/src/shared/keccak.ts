import { keccak256Hex, type Word } from '@understudy/evm'

/** The keccak-256 of bytes. */
export const keccak: (bytes: Uint8Array) => Word = keccak256Hex
