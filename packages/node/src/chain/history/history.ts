import type { Address, BlockContext, Word } from '@understudy/evm'
import { zeroWord } from '../../ethereum/constants.ts'
import { nextHeader } from '../../ethereum/emptyBlocks/nextHeader.ts'
import type { Header } from '../../ethereum/header.ts'
import { headerFromRpc } from '../../ethereum/header.ts'
import type { LogEntry } from '../../ethereum/log.ts'
import type { DecodedBlock } from '../../ethereum/rawBlock.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import type { Hardforks } from '../../ethereum/rules.ts'
import type { ExecutionPoint } from '../../execution/execution.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Events } from '../../shared/events.ts'
import { BaseView } from '../../state/baseView.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { State } from '../../state/state.ts'
import type { LoadingView } from '../../state/view.ts'
import type { Database } from '../../storage/database.ts'
import { loadBlockAfter } from '../../storage/records/chain/blocks.ts'
import type { BaseState } from '../../upstream/baseState.ts'
import type { ReadLogs } from '../../upstream/logs/logReader.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { Block, Head, PlacedTransaction } from '../block.ts'
import type { ChainEvents } from '../chainEvents.ts'
import type { Pool } from '../pool/pool.ts'
import { blockContext } from '../sealing/blockBuilder.ts'
import type { LocalRules, LocalRulesByBlock } from '../sealing/localRules.ts'
import type { PendingBlocks } from '../sealing/pendingBlock.ts'
import { createAskOptional } from './askOptional.ts'
import { createBlockFinder } from './blockFinder.ts'
import { type BlockReplay, loadBlockReplay, replayDecoded, replayUpstream } from './blockReplay.ts'
import { loadStoredReceipt, loadStoredReceipts, loadStoredTransaction } from './blockStore.ts'
import { type FeeHistory, loadFeeHistory } from './feeHistory.ts'
import type { Finality } from './finality.ts'
import { createHashReads } from './hashReads.ts'
import { createLogReads, type LogFilter } from './logReads.ts'
import { type AskUpstream, type FromUpstream, fromUpstream, type Local, local, type Raw } from './origins.ts'
import type { RecentBlocks } from './recentBlocks.ts'
import { createResidentReads, type ResidentReads } from './residentReads.ts'
import { loadUpstreamReceipts } from './upstreamReceipts.ts'

/** A block whose state can be read. */
export type BlockReference = { origin: 'local' | 'upstream'; number: bigint; hash: Word }

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
  resolve(tag: BlockTag): Promise<BlockReference>
  /** The block and state of a tag, to read or to execute on. */
  at(tag: BlockTag): Promise<ExecutionPoint>
  /** The next block on the newest state, without the transactions that wait for it. */
  next(): ExecutionPoint
  /**
   * An upstream block has its transactions as requested: hashes (default) or full. By its hash, also a local block that was
   * removed, for a while; the same holds for `loadReceipts` and `loadLogsOf`.
   */
  loadBlock(tag: BlockTag, transactions?: 'hashes' | 'full'): Promise<Local<Block> | FromUpstream | undefined>
  loadTransaction(hash: Word): Promise<Local<PlacedTransaction> | FromUpstream | undefined>
  loadReceipt(hash: Word): Promise<Local<Receipt> | FromUpstream | undefined>
  /** `undefined` if there is no such block. */
  loadReceipts(tag: BlockTag): Promise<(Local<Receipt> | FromUpstream)[] | undefined>
  /** A sealed block and the state before it, for replaying it; for `pending`, the latest. Throws `NOT_FOUND`, `UNSUPPORTED`. */
  loadReplay(tag: BlockTag): Promise<BlockReplay>
  /** The same of a block that was read from upstream; `over` may put values on the state before it. */
  replayOf(raw: Raw, over?: (view: LoadingView) => LoadingView): BlockReplay
  /** The same of an encoded block: a known one, or one on top of a known one. Throws `BLOCK_NOT_FOUND`. */
  replayDecoded(block: DecodedBlock): Promise<BlockReplay>
  /** Oldest first. Throws `TOO_MANY_LOGS` if there are more logs than the limit. */
  loadLogs(filter: LogFilter): Promise<(Local<LogEntry> | FromUpstream)[]>
  /** The logs of a block by its hash. Throws `BLOCK_NOT_FOUND`, `TOO_MANY_LOGS`. */
  loadLogsOf(hash: Word, filter: Omit<LogFilter, 'from' | 'to'>): Promise<(Local<LogEntry> | FromUpstream)[]>
  /** The logs of local blocks after `number`, oldest first; at most as many as a query may return. */
  loadLogsAfter(number: bigint): Promise<LogEntry[]>
  /** Fee statistics of `count` blocks: base fees, gas used ratios, blob fees and paid tips. */
  loadFeeHistory(count: bigint, newest: BlockTag, percentiles?: number[]): Promise<FeeHistory>
  /** What can be read at once. */
  readonly resident: ResidentReads
}

type Options = {
  /** The live chain's id; `undefined` if nothing is forked. */
  upstreamChainId: bigint | undefined
  /** How many of the latest blocks to keep; `undefined` keeps all. */
  keepBlocks: number | undefined
  logRowsLimit: number
}

type Needs = {
  database: Database
  state: Pick<State, 'at' | 'latest' | 'seq'>
  pool: Pick<Pool, 'get'>
  baseStates: (base: Base) => BaseState
  hardforks: Hardforks
  localRules: LocalRulesByBlock
  systemContracts: ReadonlySet<Address>
  /** The block at which the network was forked, as upstream (or the genesis) describes it. */
  origin: Head & { raw: Raw }
  upstream: AskUpstream | undefined
  readLiveLogs: ReadLogs | undefined
  pendingBlocks: Pick<PendingBlocks, 'isAlwaysEmpty' | 'load'>
  events: Events<ChainEvents>
  clock: Clock
  head: () => Head | Block
  finality: Finality
  /** The first local block that was not pruned. */
  oldest: () => bigint
  pendingHeader: () => Header
  recent: RecentBlocks
}

export function createHistory(options: Options, needs: Needs): History {
  const { database, state, pool, pendingBlocks, upstream, origin, head, oldest, pendingHeader } = needs
  const { queries } = database
  const readByHash = createHashReads(needs)
  const ask = createAskOptional(upstream)
  const blocks = createBlockFinder({ ...needs, readByHash })
  const isShared = (raw: Raw) => typeof raw.blockNumber === 'string' && !blocks.isOwn(BigInt(raw.blockNumber))
  /** Engines tell blocks apart by their objects. */
  const contexts = new WeakMap<Header, { context: BlockContext; localRules: LocalRules }>()

  /** For runs on the state after a block, to which changes before the next block belong. */
  function contextOf(header: Header): BlockContext {
    const localRules = needs.localRules.of(header.number + 1n)
    const known = contexts.get(header)
    if (known?.localRules === localRules) return known.context
    const context = blockContext(header, needs.hardforks(header), localRules)
    contexts.set(header, { context, localRules })
    return context
  }

  /** The number of the last change that belongs to a block: writes between two blocks belong to the first. */
  async function lastSeqOf(number: bigint): Promise<number> {
    const next = await loadBlockAfter(queries, number)
    return next ? next.seq - 1 : state.seq()
  }

  async function resolve(tag: BlockTag): Promise<BlockReference> {
    if (blocks.isHead(tag)) {
      const { header, hash } = head()
      return { origin: blocks.isOwn(header.number) ? 'local' : 'upstream', number: header.number, hash }
    }
    const found = await blocks.require(tag)
    return found.origin === 'local'
      ? { origin: 'local', number: found.block.header.number, hash: found.block.hash }
      : { origin: 'upstream', number: BigInt(String(found.raw.number)), hash: found.raw.hash as Word }
  }

  async function loadSealedBlock(tag: BlockTag, transactions: 'hashes' | 'full' = 'hashes') {
    const found = await blocks.find(tag, transactions === 'full')
    return found && (found.origin === 'local' ? local(found.block) : fromUpstream(found.raw))
  }

  const next = () => ({ block: contextOf(pendingHeader()), view: state.latest() })

  const nextOf = (header: Header) =>
    header.number === head().header.number
      ? pendingHeader()
      : nextHeader({ hash: zeroWord, header }, header.timestamp, needs.hardforks(header))

  async function at(tag: BlockTag): Promise<ExecutionPoint> {
    if (tag === 'pending') return pendingBlocks.isAlwaysEmpty() ? next() : (await pendingBlocks.load()).point
    if (blocks.isHead(tag)) return { block: contextOf(head().header), view: state.latest() }
    const found = await blocks.require(tag)
    if (found.origin === 'local') {
      const { header, base, live } = found.block
      return { block: contextOf(header), view: await state.at(await lastSeqOf(header.number), base, live) }
    }
    const header = headerFromRpc(found.raw)
    const base = { number: header.number, hash: found.raw.hash as Word }
    return { block: contextOf(header), view: new BaseView(needs.baseStates(base)) }
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

    async loadBlock(tag, transactions) {
      if (tag === 'pending') return local((await pendingBlocks.load()).block)
      const removed = await blocks.findRemoved(tag)
      return removed ? local(removed.block) : loadSealedBlock(tag, transactions)
    },
    loadReplay: (tag) => loadBlockReplay(tag, replayNeeds),
    replayOf: (raw, over) => replayUpstream(raw, replayNeeds, over),
    async replayDecoded(block) {
      if (await blocks.find({ hash: block.hash })) return loadBlockReplay({ hash: block.hash }, replayNeeds)
      return replayDecoded(block, (await at({ hash: block.header.parentHash })).view, replayNeeds)
    },
    async loadTransaction(hash) {
      const pending = pool.get(hash)
      if (pending) return local({ transaction: pending.transaction, block: undefined, index: 0 })
      const stored = await loadStoredTransaction(queries, hash)
      if (stored) return local(stored)
      const raw = await readByHash<Raw>('eth_getTransactionByHash', hash)
      return raw && isShared(raw) ? fromUpstream(raw) : undefined
    },
    async loadReceipt(hash) {
      const stored = await loadStoredReceipt(queries, hash)
      if (stored) return local(stored)
      if (pool.get(hash)) return undefined
      const raw = await readByHash<Raw>('eth_getTransactionReceipt', hash)
      return raw && isShared(raw) ? fromUpstream(raw) : undefined
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
    resident: createResidentReads(options, { ...needs, locate: blocks.locate, isHead: blocks.isHead, contextOf }),
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
