import type { Address, Word } from '@understudy/evm'
import type { Header } from '../../ethereum/header.ts'
import type { LogEntry, LogFilter } from '../../ethereum/log.ts'
import type { DecodedBlock } from '../../ethereum/rawBlock.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import type { ExecutionPoint } from '../../execution/execution.ts'
import { chain, type MaybePromise } from '../../shared/async/maybePromise.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Events } from '../../shared/events.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { LoadingView } from '../../state/view.ts'
import type { Database } from '../../storage/database.ts'
import type { ReadLogs } from '../../upstream/logs/logReader.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { Block, Head, TransactionInBlock } from '../block.ts'
import type { ChainEvents } from '../chainEvents.ts'
import {
  type AskUpstream,
  createAskOptional,
  type FromUpstream,
  fromUpstream,
  type Local,
  local,
  type Raw,
} from '../origins.ts'
import type { Pool } from '../pool/pool.ts'
import { loadStoredReceipt, loadStoredReceipts, loadStoredTransaction } from '../store/blockStore.ts'
import type { RecentBlocks } from '../store/recentBlocks.ts'
import { createBlockFinder } from './blockFinder.ts'
import { type BlockReplay, loadBlockReplay, replayDecoded, replayUpstream } from './blockReplay.ts'
import { type FeeHistory, loadFeeHistory } from './feeHistory.ts'
import type { Finality } from './finality.ts'
import { createHashReads } from './hashReads.ts'
import { createLogReads } from './logReads.ts'
import { type BlockReference, createPoints, type PointNeeds } from './points.ts'
import { loadUpstreamReceipts } from './upstreamReceipts.ts'

/** Blocks and their contents, on both sides of the fork. */
export type History = {
  /** Of the next block. */
  readonly chainId: bigint
  /** The block at which the network was forked. */
  readonly origin: Base
  head(): Head
  /** The header of the next block if it were sealed now, without transactions. */
  pendingHeader(): Header
  /** The oldest block that can be read, and the number of blocks to keep, if limited. */
  kept(): { oldest: bigint; keepBlocks: number | undefined }
  /** Throws `BLOCK_NOT_FOUND`, `BLOCK_PRUNED`. `pending` is resolved like `latest`. */
  resolve(tag: BlockTag): MaybePromise<BlockReference>
  /** The block and state of a tag, to read or to execute on. */
  at(tag: BlockTag): MaybePromise<ExecutionPoint>
  /** The next block on the newest state, without the transactions that wait for it. */
  next(): ExecutionPoint
  /**
   * An upstream block has its transactions as requested: hashes (default) or full. By its hash, also a local block that was
   * removed, for a while; the same holds for `loadReceipts` and `loadLogsOf`.
   */
  loadBlock(tag: BlockTag, transactions?: 'hashes' | 'full'): MaybePromise<Local<Block> | FromUpstream | undefined>
  loadTransaction(hash: Word): MaybePromise<Local<TransactionInBlock> | FromUpstream | undefined>
  loadReceipt(hash: Word): MaybePromise<Local<Receipt> | FromUpstream | undefined>
  /** `undefined` if there is no such block. */
  loadReceipts(tag: BlockTag): Promise<(Local<Receipt> | FromUpstream)[] | undefined>
  /** A sealed block and the state before it, for replaying it; for `pending`, the latest. Throws `NOT_FOUND`, `UNSUPPORTED`. */
  loadReplay(tag: BlockTag): Promise<BlockReplay>
  /** The same of a block that was read from upstream; `over` may put values on the state before it. */
  replayOf(raw: Raw, over?: (view: LoadingView) => LoadingView): BlockReplay
  /** The same of an encoded block: a known one, or one on top of a known one. Throws `BLOCK_NOT_FOUND`. */
  replayDecoded(block: DecodedBlock): Promise<BlockReplay>
  /** Oldest first. Throws `TOO_MANY_LOGS` if there are more logs than the limit. */
  loadLogs(filter: LogFilter): MaybePromise<(Local<LogEntry> | FromUpstream)[]>
  /** The logs of a block by its hash. Throws `BLOCK_NOT_FOUND`, `TOO_MANY_LOGS`. */
  loadLogsOf(hash: Word, filter: Omit<LogFilter, 'from' | 'to'>): Promise<(Local<LogEntry> | FromUpstream)[]>
  /** The logs of local blocks after `number`, oldest first; at most as many as a query may return. */
  loadLogsAfter(number: bigint): Promise<LogEntry[]>
  /** Fee statistics of `count` blocks: base fees, gas used ratios, blob fees and paid tips. */
  loadFeeHistory(count: bigint, newest: BlockTag, percentiles?: number[]): Promise<FeeHistory>
}

type Options = {
  /** The live chain's id; `undefined` if nothing is forked. */
  upstreamChainId: bigint | undefined
  /** How many of the latest blocks to keep; `undefined` keeps all. */
  keepBlocks: number | undefined
  logRowsLimit: number
}

type Needs = PointNeeds & {
  database: Database
  pool: Pick<Pool, 'get'>
  systemContracts: ReadonlySet<Address>
  /** The block at which the network was forked, as upstream (or the genesis) describes it. */
  origin: Head & { raw: Raw }
  upstream: AskUpstream | undefined
  readLiveLogs: ReadLogs | undefined
  events: Events<ChainEvents>
  clock: Clock
  finality: Finality
  /** The first local block that was not pruned. */
  oldest: () => bigint
  recent: RecentBlocks
}

export function createHistory(options: Options, needs: Needs): History {
  const { database, pool, pendingBlocks, upstream, origin, head, oldest, pendingHeader, recent } = needs
  const { queries } = database
  const readByHash = createHashReads(needs)
  const ask = createAskOptional(upstream)
  const blocks = createBlockFinder({ ...needs, readByHash })
  const isShared = (raw: Raw) => typeof raw.blockNumber === 'string' && !blocks.isOwn(BigInt(raw.blockNumber))
  const { resolve, at, next, nextOf } = createPoints(needs, blocks)

  function loadSealedBlock(tag: BlockTag, transactions: 'hashes' | 'full' = 'hashes') {
    return chain(
      blocks.find(tag, transactions === 'full'),
      (found) => found && (found.origin === 'local' ? local(found.block) : fromUpstream(found.raw)),
    )
  }

  async function loadOlderTransaction(hash: Word): Promise<Local<TransactionInBlock> | FromUpstream | undefined> {
    const stored = await loadStoredTransaction(queries, hash)
    if (stored) return local(stored)
    const raw = await readByHash<Raw>('eth_getTransactionByHash', hash)
    return raw && isShared(raw) ? fromUpstream(raw) : undefined
  }

  async function loadOlderReceipt(hash: Word): Promise<Local<Receipt> | FromUpstream | undefined> {
    const stored = await loadStoredReceipt(queries, hash)
    if (stored) return local(stored)
    if (pool.get(hash)) return undefined
    const raw = await readByHash<Raw>('eth_getTransactionReceipt', hash)
    return raw && isShared(raw) ? fromUpstream(raw) : undefined
  }

  const { upstreamChainId } = options
  const replayNeeds = { ...needs, upstreamChainId, loadBlock: loadSealedBlock }
  return {
    get chainId() {
      return needs.localRules.current.chainId
    },
    origin: origin.base,
    head,
    pendingHeader,
    kept: () => ({
      // Without pruning, history continues before the fork.
      oldest: blocks.isOwn(oldest() - 1n) ? oldest() : 0n,
      keepBlocks: options.keepBlocks,
    }),
    resolve,
    at,
    next,

    loadBlock(tag, transactions) {
      if (tag === 'pending') return pendingBlocks.load().then(({ block }) => local(block))
      return chain(blocks.findRemoved(tag), (removed) =>
        removed ? local(removed.block) : loadSealedBlock(tag, transactions),
      )
    },
    loadReplay: (tag) => loadBlockReplay(tag, replayNeeds),
    replayOf: (raw, over) => replayUpstream(raw, replayNeeds, over),
    async replayDecoded(block) {
      if (await blocks.find({ hash: block.hash })) return loadBlockReplay({ hash: block.hash }, replayNeeds)
      return replayDecoded(block, (await at({ hash: block.header.parentHash })).view, replayNeeds)
    },
    loadTransaction(hash) {
      const pending = pool.get(hash)
      if (pending) return local({ transaction: pending.transaction, block: undefined, index: 0 })
      const sealed = recent.transaction(hash)
      return sealed ? local(sealed) : loadOlderTransaction(hash)
    },
    loadReceipt(hash) {
      const receipt = recent.receipt(hash)
      return receipt ? local(receipt) : loadOlderReceipt(hash)
    },
    async loadReceipts(tag) {
      if (tag === 'pending') return (await pendingBlocks.load()).receipts.map(local)
      const removed = await blocks.findRemoved(tag)
      if (removed) return removed.receipts.map(local)
      const found = await blocks.find(tag)
      if (!found) return undefined
      if (found.origin === 'local') return (await loadStoredReceipts(queries, found.block.header.number))?.map(local)
      if (!upstream) return []
      return (await loadUpstreamReceipts(found.raw, { upstream, ask })).map(fromUpstream)
    },
    ...createLogReads(options, { ...needs, blocks }),
    async loadFeeHistory(count, tag, percentiles) {
      const pending = tag === 'pending' ? await pendingBlocks.load() : undefined
      const { number } = pending?.block.header ?? (await resolve(tag))
      const first = oldest()
      const kept = blocks.isOwn(number) ? number - first + 1n : count
      const wanted = blocks.isOwn(first - 1n) && kept < count ? kept : count
      return loadFeeHistory(wanted, number, percentiles, { ...needs, origin: origin.header, pending, nextOf })
    },
  }
}
