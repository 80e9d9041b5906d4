import type { Word } from '@understudy/evm'

/** A block reference from a client. */
export type BlockTag = 'latest' | 'pending' | 'safe' | 'finalized' | 'earliest' | { number: bigint } | { hash: Word }
