import type { Word } from '@understudy/evm'
import { LRUCache } from 'lru-cache'
import { chain, type MaybePromise } from '../../shared/async/maybePromise.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Events } from '../../shared/events.ts'
import { quantity } from '../../shared/hex.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { Database } from '../../storage/database.ts'
import { blockFromAnswer } from '../../upstream/answers.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { Block, BuiltBlock, Head } from '../block.ts'
import type { ChainEvents } from '../chainEvents.ts'
import type { AskUpstream, Raw } from '../origins.ts'
import { loadStoredBlock, loadStoredHead } from '../store/blockStore.ts'
import type { RecentBlocks } from '../store/recentBlocks.ts'
import type { Finality } from './finality.ts'
import type { ReadByHash } from './hashReads.ts'

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
  /** Local blocks in memory, and those that were removed. */
  recent: Pick<RecentBlocks, 'block' | 'removed'>
  events: Events<ChainEvents>
}

/** Number of upstream's blocks that are kept, and how long, in milliseconds: clients read much state of one block. */
const keptBlocks = 16
const keptMs = 10_000

type Key = { number: bigint } | { hash: Word }

type Search<Found> = { origin: 'local'; block: Found } | { origin: 'upstream'; raw: Raw } | undefined

export function createBlockFinder(needs: Needs) {
  const { database, origin, upstream, readByHash, head, finality, oldest, recent } = needs
  const isOwn = (number: bigint) => number > origin.base.number
  const kept = new LRUCache<bigint, Raw>({ max: keptBlocks, ttl: keptMs })
  // A new head may be of another chain.
  needs.events.on('upstream', () => kept.clear())

  /** The number or hash that a tag refers to. */
  function locate(tag: BlockTag): Key {
    if (typeof tag === 'object') return tag
    if (tag === 'safe' || tag === 'finalized') return { number: finality.numberOf(tag) }
    return { number: tag === 'earliest' ? 0n : head().header.number }
  }

  function isHead(tag: BlockTag): boolean {
    if (tag === 'latest' || tag === 'pending') return true
    const { header, hash } = head()
    const key = locate(tag)
    return 'number' in key ? key.number === header.number : key.hash === hash
  }

  /** Throws `BLOCK_PRUNED` for a pruned block. */
  function requireKept(number: bigint): void {
    if (isOwn(number) && number < oldest()) throw new NetworkError('BLOCK_PRUNED', { block: number, oldest: oldest() })
  }

  const sharedFrom = (tag: string, answer: unknown) => {
    const block = answer === null ? undefined : blockFromAnswer(tag, answer)
    return block && !isOwn(BigInt(block.number)) ? block : undefined
  }

  const loadHashed = async (hash: Word, full: boolean) =>
    sharedFrom(hash, await readByHash('eth_getBlockByHash', hash, full))

  /** A number means the same block for every method, and that at which the network was forked stays its own after a reorg. */
  async function loadNumbered(number: bigint, full: boolean): Promise<Raw | undefined> {
    const isOrigin = number === origin.base.number
    const known = isOrigin ? origin.raw : kept.get(number)
    if (known && (!full || !upstream)) return known
    if (!upstream) return undefined
    const tag = quantity(number)
    const block = sharedFrom(tag, await upstream('eth_getBlockByNumber', [tag, full]))
    if (known && block?.hash !== known.hash) {
      const whole = await loadHashed(known.hash as Word, full)
      if (whole) return whole
      if (isOrigin) throw removedThere(origin.base.hash)
    }
    if (block) kept.set(number, full ? withHashes(block) : block)
    return block
  }

  function loadUpstreamBlock(key: Key, full: boolean): Promise<Raw | undefined> | Raw {
    if ('number' in key) return loadNumbered(key.number, full)
    return key.hash === origin.base.hash && (!full || !upstream) ? origin.raw : loadHashed(key.hash, full)
  }

  /** A local block that is in memory: the newest are. */
  function resident(tag: BlockTag): Block | undefined {
    if (!isHead(tag)) return recent.block(locate(tag))
    const newest = head()
    return 'transactions' in newest ? newest : undefined
  }

  /** A block by its number or hash: local, of which as much as `load` reads, or from before the fork. */
  function search<Found>(
    tag: BlockTag,
    load: (key: Key) => Promise<Found | undefined>,
    full: boolean,
  ): MaybePromise<Search<Found | Block>> {
    const block = resident(tag)
    return block ? { origin: 'local', block } : loadSearched(locate(tag), load, full)
  }

  async function loadSearched<Found>(
    key: Key,
    load: (key: Key) => Promise<Found | undefined>,
    full: boolean,
  ): Promise<Search<Found>> {
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
    isHead,
    requireKept,
    /** `full`: with the transactions of a block of upstream. */
    find: (tag: BlockTag, full = false) =>
      search(tag, async (key) => (await loadStoredBlock(database.queries, key))?.block, full),
    /** A local block that is no longer part of the chain, by its hash: its contents can be read for a while, its state cannot. */
    findRemoved(tag: BlockTag): MaybePromise<BuiltBlock | undefined> {
      if (typeof tag === 'string' || 'number' in tag) return undefined
      const removed = recent.removed(tag.hash)
      if (!removed || recent.block(tag)) return undefined
      return loadStoredHead(database.queries, tag).then((stored) => (stored ? undefined : removed))
    },
    /** Without the transactions of the block. Throws `BLOCK_NOT_FOUND`, `BLOCK_PRUNED`. */
    require(tag: BlockTag) {
      return chain(
        search(tag, (key) => loadStoredHead(database.queries, key), false),
        (found) => {
          if (found) return found
          const block = typeof tag === 'string' ? tag : 'number' in tag ? tag.number : tag.hash
          throw new NetworkError('BLOCK_NOT_FOUND', { block, head: head().header.number })
        },
      )
    },
  }
}

/** A block with the hashes of its transactions instead of all of them. */
const withHashes = (block: Raw): Raw => ({
  ...block,
  transactions: (block.transactions as Raw[]).map(({ hash }) => hash),
})

/** The live chain was reorganised. */
export const removedThere = (hash: Word) =>
  new NetworkError('UPSTREAM_ERROR', {
    problem: `it no longer has block ${hash}, which a reorg removed; its header and hashes are known here, what it contains is not`,
  })
