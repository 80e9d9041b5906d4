import { type Header, headerFromRpc } from '../../ethereum/header.ts'
import { quantity } from '../../shared/hex.ts'
import { blockFromAnswer } from '../../upstream/answers.ts'
import type { AskUpstream } from '../origins.ts'
import type { UpstreamBlock } from './blockGroup.ts'

/** Number of upstream blocks that are replayed together. */
const stepLimit = 100n

/** An upstream block as a base. */
export function upstreamBlockFrom(raw: Record<string, unknown>): UpstreamBlock {
  const header = headerFromRpc(raw)
  return { number: header.number, hash: raw.hash as UpstreamBlock['hash'], header }
}

/** The next blocks from `after` to `target`, oldest first; only `target` if the gap is longer than `maxGap`. */
export async function blocksUpTo(
  target: UpstreamBlock,
  after: bigint,
  maxGap: number,
  upstream: AskUpstream,
): Promise<UpstreamBlock[]> {
  if (target.number - after > BigInt(maxGap)) return [target]
  const last = target.number < after + stepLimit ? target.number : after + stepLimit
  const numbers = Array.from({ length: Number(last - after) }, (_, index) => after + 1n + BigInt(index))
  return Promise.all(
    numbers.map(async (number) => {
      if (number === target.number) return target
      const answer = await upstream<unknown>('eth_getBlockByNumber', [quantity(number), false])
      return upstreamBlockFrom(blockFromAnswer(String(number), answer))
    }),
  )
}

type Timed = Pick<Header, 'number' | 'timestamp'>

/** Over how many blocks times are compared. */
const comparedBlocks = 64n

/** Finds out whether blocks of the live chain share timestamps, because it has several in a second. */
export class LiveTimes {
  /** The block that later ones are compared with. */
  #first: Timed
  #last: Timed
  #areShared = false

  /** `origin`: the first block of the live chain that is known. */
  constructor(origin: Timed) {
    this.#first = origin
    this.#last = origin
  }

  /** What blocks have shown so far. */
  get areShared(): boolean {
    return this.#areShared
  }

  /** A block of the live chain that was seen; in any order, and others between may be missing. */
  add(block: Timed): void {
    const { number, timestamp } = block
    const blocks = number - this.#first.number
    const isLater = number > this.#last.number && timestamp >= this.#last.timestamp
    // Some of more blocks than seconds share one. A reorg may move times by a second.
    if (isLater && (timestamp === this.#last.timestamp || blocks > timestamp - this.#first.timestamp + 1n))
      this.#areShared = true
    if (!isLater || blocks > comparedBlocks) this.#first = block
    this.#last = block
  }
}
