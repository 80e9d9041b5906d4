import type { Word } from '@understudy/evm'
import { LRUCache } from 'lru-cache'
import { NetworkError } from '../../shared/errors.ts'
import { quantity } from '../../shared/hex.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { Database } from '../../storage/database.ts'
import { blockFromAnswer } from '../../upstream/answers.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { Block, Head } from '../block.ts'
import { loadStoredBlock, loadStoredHead } from './blockStore.ts'
import type { Finality } from './finality.ts'
import type { ReadByHash } from './hashReads.ts'
import type { AskUpstream, Raw } from './origins.ts'

/** Finds blocks on both sides of the fork. */
export type BlockFinder = ReturnType<typeof createBlockFinder>

type Needs = {
  database: Pick<Database, 'queries'>
  /** The block at which the network was forked, as upstream (or the genesis) describes it. */
  origin: { base: Base; raw: Raw }
  upstream: AskUpstream | undefined
  readByHash: ReadByHash
  head(): Head | Block
  finality: Finality
  /** The first local block that was not pruned. */
  oldest(): bigint
}

/** Number of upstream's blocks that are kept, and how long, in milliseconds: clients read much state of one block. */
const keptBlocks = 16
const keptMs = 10_000

export function createBlockFinder({ database, origin, upstream, readByHash, head, finality, oldest }: Needs) {
  const isOwn = (number: bigint) => number > origin.base.number
  const kept = new LRUCache<bigint, Raw>({ max: keptBlocks, ttl: keptMs })

  /** The number or hash that a tag refers to. */
  function locate(tag: BlockTag): { number: bigint } | { hash: Word } {
    if (typeof tag === 'object') return tag
    if (tag === 'safe' || tag === 'finalized') return { number: finality.numberOf(tag) }
    return { number: tag === 'earliest' ? 0n : head().header.number }
  }

  function isHead(tag: BlockTag): boolean {
    if (tag === 'latest' || tag === 'pending') return true
    const { header, hash } = head()
    const place = locate(tag)
    return 'number' in place ? place.number === header.number : place.hash === hash
  }

  /** Throws `BLOCK_PRUNED` for a pruned block. */
  function requireKept(number: bigint): void {
    if (isOwn(number) && number < oldest()) throw new NetworkError('BLOCK_PRUNED', { block: number, oldest: oldest() })
  }

  async function loadUpstreamBlock(key: { number: bigint } | { hash: Word }, full: boolean): Promise<Raw | undefined> {
    if ('number' in key ? key.number === origin.base.number : key.hash === origin.base.hash) {
      if (!full || !upstream) return origin.raw
    }
    if (!upstream) return undefined
    const known = 'number' in key && !full ? kept.get(key.number) : undefined
    if (known) return known
    const tag = 'number' in key ? quantity(key.number) : key.hash
    const answer =
      'number' in key
        ? await upstream('eth_getBlockByNumber', [tag, full])
        : await readByHash('eth_getBlockByHash', key.hash, full)
    const block = answer === null ? undefined : blockFromAnswer(tag, answer)
    if (!block || isOwn(BigInt(block.number))) return undefined
    if ('number' in key && !full) kept.set(key.number, block)
    return block
  }

  /** A block by its number or hash: local, of which as much as `load` reads, or from before the fork. */
  async function search<Found>(
    tag: BlockTag,
    load: (key: { number: bigint } | { hash: Word }) => Promise<Found | undefined>,
    full: boolean,
  ) {
    const newest = head()
    // Serve the latest block from memory.
    if ('transactions' in newest && isHead(tag)) return { origin: 'local' as const, block: newest }
    const key = locate(tag)
    if ('number' in key) requireKept(key.number)
    if (!('number' in key) || isOwn(key.number)) {
      const block = await load(key)
      if (block || 'number' in key) return block && { origin: 'local' as const, block }
    }
    const raw = await loadUpstreamBlock(key, full)
    return raw && { origin: 'upstream' as const, raw }
  }

  return {
    /**
     * Whether a block number belongs to local blocks: upstream's blocks after the origin are not part of the network.
     */
    isOwn,
    locate,
    isHead,
    requireKept,
    /** `full`: with the transactions of a block of upstream. */
    find: (tag: BlockTag, full = false) =>
      search(tag, async (key) => (await loadStoredBlock(database.queries, key))?.block, full),
    /** Without the transactions of the block. Throws `BLOCK_NOT_FOUND`, `BLOCK_PRUNED`. */
    async require(tag: BlockTag) {
      const found = await search(tag, (key) => loadStoredHead(database.queries, key), false)
      if (found) return found
      const block = typeof tag === 'string' ? tag : 'number' in tag ? tag.number : tag.hash
      throw new NetworkError('BLOCK_NOT_FOUND', { block, head: head().header.number })
    },
  }
}
