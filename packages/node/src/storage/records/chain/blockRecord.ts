import type { Word } from '@understudy/evm'

export type BlockRecord = {
  number: bigint
  hash: Word
  seq: number
  baseNumber: bigint
  baseHash: Word
  /** Upstream's head at that time, if anything was followed. */
  live: { number: bigint; hash: Word } | undefined
  header: Uint8Array
  size: bigint
}
