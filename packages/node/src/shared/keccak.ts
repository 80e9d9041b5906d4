import { keccak256Hex, type Word } from '@understudy/evm'

/** The keccak-256 of bytes. */
export const keccak: (bytes: Uint8Array) => Word = keccak256Hex

/** Of no bytes: the code hash of accounts without code. */
export const emptyCodeHash: Word = keccak(new Uint8Array())
