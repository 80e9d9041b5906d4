import type { Word } from '@understudy/evm'
import { quantity } from '../../shared/hex.ts'
import type { RawBlock } from '../answers.ts'
import { blockFromAnswer } from '../answers.ts'
import type { UpstreamHead } from '../head/head.ts'
import type { Request } from '../transport/requests.ts'

/** Number of block hashes kept. About 200 bytes each. */
const limit = 4_096
/** Number of block hashes stored. */
const storedLimit = 128
/** Maximum gap that is bridged block by block. */
const bridgeLimit = 32
/** Number of blocks compared per round trip when searching for the last common one. */
const searchStep = 16

/** How a head relates to known blocks. */
export type Route = {
  /** The newest known block that is still part of upstream's chain; `undefined` if none is. */
  ancestor: number | undefined
  /** Every block after it up to the head; `undefined` if there are too many, or none was needed. */
  blocks: RawBlock[] | undefined
}

/** The hashes of upstream's blocks by number. */
export class CanonicalChain {
  readonly #request: Request
  readonly #keep: number
  readonly #hashes = new Map<number, Word>()
  /** Incremented when blocks are found to be no longer part of the chain. */
  reorgs = 0

  /** `keep` is a block that is never dropped. */
  constructor(request: Request, keep: number) {
    this.#request = request
    this.#keep = keep
  }

  /** The newest blocks and the kept one, oldest first. */
  get record(): [number: number, hash: Word][] {
    const sorted = [...this.#hashes].sort(([a], [b]) => a - b)
    return sorted.filter(([number], index) => number === this.#keep || index >= sorted.length - storedLimit)
  }

  hash(number: number): Word | undefined {
    return this.#hashes.get(number)
  }

  has(number: number, hash: Word): boolean {
    return this.#hashes.get(number) === hash
  }

  add(number: number, hash: Word): void {
    this.#hashes.set(number, hash)
    if (this.#hashes.size <= limit) return
    for (const oldest of this.#hashes.keys()) {
      if (oldest === this.#keep) continue
      this.#hashes.delete(oldest)
      return
    }
  }

  /** Drops the blocks after this one, which were replaced. */
  rewindTo(number: number): void {
    this.reorgs++
    for (const known of this.#hashes.keys()) if (known > number) this.#hashes.delete(known)
  }

  /** Finds the path from the tip to a head; requests the blocks in between from upstream if they are needed. */
  async routeTo(
    head: UpstreamHead,
    tip: number,
    needsBlocks: () => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<Route> {
    const number = Number(head.number)
    const tipHash = this.#hashes.get(tip)
    if (number === tip && head.hash === tipHash) return { ancestor: tip, blocks: [] }
    if (number === tip + 1 && head.parentHash === tipHash) return { ancestor: tip, blocks: [head.raw] }
    const isBelow = Number(head.follows?.number) === tip && head.follows?.hash === tipHash
    if (number > tip && isBelow && !(await needsBlocks())) return { ancestor: tip, blocks: undefined }
    if (number > tip && number - tip <= bridgeLimit) {
      const between = await this.#load(tip, number - 1, signal)
      const blocks = [...between.slice(1), head.raw]
      if (between[0]?.hash === tipHash && isLinked([...between, head.raw])) return { ancestor: tip, blocks }
    } else if (number > tip) {
      const [block] = await this.#load(tip, tip, signal)
      if (block?.hash === tipHash) return { ancestor: tip, blocks: undefined }
    }
    return this.#routeAfterReorg(head, tip, signal)
  }

  async #routeAfterReorg(head: UpstreamHead, tip: number, signal: AbortSignal): Promise<Route> {
    const number = Number(head.number)
    const known = [...this.#hashes.keys()].filter((it) => it < number && it <= tip).sort((a, b) => b - a)
    const seen = new Map<number, RawBlock>([[number, head.raw]])
    for (let start = 0; start < known.length; start += searchStep) {
      const numbers = known.slice(start, start + searchStep)
      const blocks = await Promise.all(numbers.map((it) => this.#loadBlock(it, signal)))
      for (const [index, block] of blocks.entries()) {
        const at = numbers[index] ?? 0
        seen.set(at, block)
        if (block.hash !== this.#hashes.get(at)) continue
        const path = Array.from({ length: number - at }, (_, step) => seen.get(at + 1 + step))
        const isWhole = path.every((it) => it !== undefined)
        return { ancestor: at, blocks: isWhole && isLinked([block, ...path]) ? path : undefined }
      }
    }
    return { ancestor: undefined, blocks: undefined }
  }

  #load(from: number, to: number, signal: AbortSignal): Promise<RawBlock[]> {
    return Promise.all(Array.from({ length: to - from + 1 }, (_, index) => this.#loadBlock(from + index, signal)))
  }

  async #loadBlock(number: number, signal: AbortSignal): Promise<RawBlock> {
    const answer = await this.#request('eth_getBlockByNumber', [quantity(number), false], { signal })
    return blockFromAnswer(String(number), answer)
  }
}

function isLinked(blocks: readonly RawBlock[]): boolean {
  return blocks.every((block, index) => index === 0 || block.parentHash === blocks[index - 1]?.hash)
}
