import type { Word } from '@understudy/evm'

/** How a client names a block. */
export type BlockTag = 'latest' | 'pending' | 'safe' | 'finalized' | 'earliest' | { number: bigint } | { hash: Word }
