import type { Word } from '@understudy/evm'
import { createBoundedCache } from '../../shared/caches.ts'
import type { Base } from '../wantedState.ts'
import { stateHashOf, stateNumberOf } from './rpcError.ts'

/** Number of blocks that are remembered. */
const blockLimit = 1_024
/** Nodes behind one address lag by seconds: by at most so many milliseconds, and so many blocks of a fast chain. */
const lagMs = 10_000
const lagBlocks = 64n

/** The blocks of upstream that the network knows: what their numbers are, and which some of upstream's nodes may not have yet. */
export class SeenBlocks {
  /** The number of upstream's head; `undefined` before the first. */
  newest: bigint | undefined
  readonly #blocks = createBoundedCache<string, { number: bigint; since: number }>(blockLimit)

  /** `now` in milliseconds since 1970. */
  add({ number, hash }: Base, now: number): void {
    if (this.#blocks.get(hash) === undefined) this.#blocks.set(hash, { number, since: now })
  }

  /** The block whose state a call reads, if the call names it by its hash and its number is known. */
  blockOfState(method: string, params: readonly unknown[]): Base | undefined {
    const hash = stateHashOf(method, params)
    const known = hash && this.#blocks.get(hash)
    return hash && known && { number: known.number, hash }
  }

  /** How far the block whose state a call reads is behind the newest; `undefined` if it is not known, or the call reads none. */
  depthOfState(method: string, params: readonly unknown[]): bigint | undefined {
    const number = this.blockOfState(method, params)?.number ?? stateNumberOf(method, params)
    return number === undefined || this.newest === undefined || number > this.newest ? undefined : this.newest - number
  }

  isKnown(number: bigint): boolean {
    return this.newest !== undefined && number <= this.newest
  }

  /** Whether it is so new that one of upstream's nodes may not have it yet. */
  isRecent(hash: string | undefined, now: number): boolean {
    const block = hash === undefined ? undefined : this.#blocks.get(hash)
    return block !== undefined && now - block.since < lagMs && block.number + lagBlocks >= (this.newest ?? 0n)
  }
}

/** The hash that a call names a block by, and whose answer is `null` where the block is not known. */
export function blockHashOf(method: string, params: readonly unknown[]): Word | undefined {
  const [hash] = params
  const isByHash = method === 'eth_getBlockByHash' || method === 'eth_getBlockReceipts'
  return isByHash && typeof hash === 'string' && hash.length === 66 ? (hash as Word) : undefined
}
