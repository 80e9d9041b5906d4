import type { Word } from '@understudy/evm'
import { keccak256 } from 'viem'

/** The keccak-256 of bytes. */
export const keccak = (bytes: Uint8Array): Word => keccak256(bytes)

/** Of no bytes: the code hash of accounts without code. */
export const emptyCodeHash: Word = keccak(new Uint8Array())
