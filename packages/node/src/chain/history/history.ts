import type { Address, BlockContext, Word } from '@understudy/evm'
import type { Header } from '../../ethereum/header.ts'
import { headerFromRpc } from '../../ethereum/header.ts'
import type { LogEntry } from '../../ethereum/log.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import type { Hardforks } from '../../ethereum/rules.ts'
import type { ExecutionPoint } from '../../execution/execution.ts'
import { NetworkError } from '../../shared/errors.ts'
import { quantity } from '../../shared/hex.ts'
import { BaseView } from '../../state/baseView.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { State } from '../../state/state.ts'
import type { Database } from '../../storage/database.ts'
import { loadBlockAfter } from '../../storage/records/chain/blocks.ts'
import { loadLogs } from '../../storage/records/chain/logs.ts'
import { blockFromAnswer, listFromAnswer } from '../../upstream/answers.ts'
import type { BaseState } from '../../upstream/baseState.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { Block, Head, PlacedTransaction } from '../block.ts'
import type { Pool } from '../pool/pool.ts'
import { blockContext } from '../sealing/blockBuilder.ts'
import {
  loadStoredBlock,
  loadStoredReceipt,
  loadStoredReceipts,
  loadStoredTransaction,
  logEntry,
} from './blockStore.ts'

/** Asks the live chain. `undefined` for a network that forks nothing. */
export type AskUpstream = <T>(method: string, params: readonly unknown[]) => Promise<T>

/** Something that is either the network's own or upstream's, passed through untouched. */
export type Local<T> = { origin: 'local'; value: T }
export type FromUpstream = { origin: 'upstream'; value: Record<string, unknown> }

/** A block of which state can be read. */
export type BlockReference = { origin: 'local' | 'upstream'; number: bigint; hash: Word }

export type LogFilter = {
  from: bigint
  to: bigint
  /** `undefined` matches every address. */
  addresses: Address[] | undefined
  /** By position; `undefined` matches any topic. */
  topics: (Word[] | undefined)[]
}

type RawBlock = Record<string, unknown>

export type HistoryNeeds = {
  database: Database
  state: State
  pool: Pool
  baseStates: (base: Base) => BaseState
  hardforks: Hardforks
  chainId: bigint
  /** The block at which the network left upstream, as upstream (or the genesis) describes it. */
  origin: { base: Base; raw: RawBlock }
  upstream: AskUpstream | undefined
  head: () => Head | Block
  /** The first of the network's own blocks that was not forgotten. */
  oldest: () => bigint
  pendingHeader: () => Header
}

/** Reads blocks and what is in them, on both sides of the block at which the network left upstream. */
export function createHistory(options: { logRowsLimit: number }, needs: HistoryNeeds) {
  const { database, state, upstream, origin } = needs
  const { queries } = database

  const local = <T>(value: T): Local<T> => ({ origin: 'local', value })
  const foreign = (value: RawBlock): FromUpstream => ({ origin: 'upstream', value })
  const isOwn = (number: bigint) => number > origin.base.number
  /** Upstream's blocks after the origin are not part of this network. */
  const isShared = (raw: RawBlock) => typeof raw.blockNumber === 'string' && !isOwn(BigInt(raw.blockNumber))

  /** The number or the hash that a tag stands for. */
  function locate(tag: BlockTag): { number: bigint } | { hash: Word } {
    if (typeof tag === 'object') return tag
    return { number: tag === 'earliest' ? 0n : needs.head().header.number }
  }

  async function loadUpstreamBlock(
    key: { number: bigint } | { hash: Word },
    full: boolean,
  ): Promise<RawBlock | undefined> {
    if ('number' in key ? key.number === origin.base.number : key.hash === origin.base.hash) {
      if (!full || !upstream) return origin.raw
    }
    if (!upstream) return undefined
    const tag = 'number' in key ? quantity(key.number) : key.hash
    const answer = await upstream(`eth_getBlockBy${'number' in key ? 'Number' : 'Hash'}`, [tag, full])
    const block = answer === null ? undefined : blockFromAnswer(tag, answer)
    return block && !isOwn(BigInt(block.number)) ? block : undefined
  }

  /** Throws `BLOCK_PRUNED` for a block that was forgotten. */
  function requireKept(number: bigint): void {
    const oldest = needs.oldest()
    if (isOwn(number) && number < oldest) throw new NetworkError('BLOCK_PRUNED', { block: number, oldest })
  }

  /** A block by its key: of the network, or shared with upstream. */
  async function find(tag: BlockTag, full = false) {
    const head = needs.head()
    // What is asked for most is at hand.
    if ('transactions' in head && isHead(tag)) return { origin: 'local' as const, block: head }
    const key = locate(tag)
    if ('number' in key) requireKept(key.number)
    if (!('number' in key) || isOwn(key.number)) {
      const stored = await loadStoredBlock(queries, key)
      if (stored || 'number' in key) return stored && { origin: 'local' as const, block: stored.block }
    }
    const raw = await loadUpstreamBlock(key, full)
    return raw && { origin: 'upstream' as const, raw }
  }

  async function require(tag: BlockTag) {
    const found = await find(tag)
    if (found) return found
    const block = typeof tag === 'string' ? tag : 'number' in tag ? tag.number : tag.hash
    throw new NetworkError('BLOCK_NOT_FOUND', { block, head: needs.head().header.number })
  }

  const contextOf = (header: Header): BlockContext => blockContext(header, needs.hardforks(header), needs.chainId)

  /** The number of the last change that belongs to a block: writes between two blocks belong to the first. */
  async function lastSeqOf(number: bigint): Promise<number> {
    const next = await loadBlockAfter(queries, number)
    return next ? next.seq - 1 : state.seq()
  }

  async function loadOwnLogs(filter: Parameters<typeof loadLogs>[1]): Promise<LogEntry[]> {
    const found: LogEntry[] = []
    const blocks = new Map<bigint, Block>()
    for (const row of await loadLogs(queries, filter)) {
      const block = blocks.get(row.blockNumber) ?? (await loadStoredBlock(queries, { number: row.blockNumber }))?.block
      if (!block) continue
      blocks.set(row.blockNumber, block)
      const { hash, header, transactions } = block
      found.push(logEntry(row, transactions[row.transactionPosition]?.hash, hash, header.timestamp))
    }
    return found
  }

  function isHead(tag: BlockTag): boolean {
    if (typeof tag === 'string') return tag !== 'earliest'
    const { header, hash } = needs.head()
    return 'number' in tag ? tag.number === header.number : tag.hash === hash
  }

  return {
    async resolve(tag: BlockTag): Promise<BlockReference> {
      if (isHead(tag)) {
        const { header, hash } = needs.head()
        return { origin: isOwn(header.number) ? 'local' : 'upstream', number: header.number, hash }
      }
      const found = await require(tag)
      return found.origin === 'local'
        ? { origin: 'local', number: found.block.header.number, hash: found.block.hash }
        : { origin: 'upstream', number: BigInt(String(found.raw.number)), hash: found.raw.hash as Word }
    },

    async at(tag: BlockTag): Promise<ExecutionPoint> {
      if (tag === 'pending') return { block: contextOf(needs.pendingHeader()), view: state.latest() }
      if (isHead(tag)) return { block: contextOf(needs.head().header), view: state.latest() }
      const found = await require(tag)
      if (found.origin === 'local') {
        const { header, base, live } = found.block
        return { block: contextOf(header), view: await state.at(await lastSeqOf(header.number), base, live) }
      }
      const header = headerFromRpc(found.raw)
      const base = { number: header.number, hash: found.raw.hash as Word }
      return { block: contextOf(header), view: new BaseView(needs.baseStates(base)) }
    },

    async loadBlock(
      tag: BlockTag,
      transactions: 'full' | 'hashes' = 'hashes',
    ): Promise<Local<Block> | FromUpstream | undefined> {
      const found = await find(tag, transactions === 'full')
      return found && (found.origin === 'local' ? local(found.block) : foreign(found.raw))
    },

    async loadTransaction(hash: Word): Promise<Local<PlacedTransaction> | FromUpstream | undefined> {
      const pending = needs.pool.get(hash)
      if (pending) return local({ transaction: pending.transaction, block: undefined, index: 0 })
      const stored = await loadStoredTransaction(queries, hash)
      if (stored) return local(stored)
      const raw = await upstream?.<RawBlock | null>('eth_getTransactionByHash', [hash])
      return raw && isShared(raw) ? foreign(raw) : undefined
    },

    async loadReceipt(hash: Word): Promise<Local<Receipt> | FromUpstream | undefined> {
      const stored = await loadStoredReceipt(queries, hash)
      if (stored) return local(stored)
      if (needs.pool.get(hash)) return undefined
      const raw = await upstream?.<RawBlock | null>('eth_getTransactionReceipt', [hash])
      return raw && isShared(raw) ? foreign(raw) : undefined
    },

    async loadReceipts(tag: BlockTag): Promise<(Local<Receipt> | FromUpstream)[] | undefined> {
      const found = await find(tag)
      if (!found) return undefined
      if (found.origin === 'local') return (await loadStoredReceipts(queries, found.block.header.number))?.map(local)
      if (!upstream) return []
      const raw = await upstream('eth_getBlockReceipts', [found.raw.number])
      return raw === null ? undefined : listFromAnswer('eth_getBlockReceipts', raw).map(foreign)
    },

    async loadLogs(filter: LogFilter): Promise<(Local<LogEntry> | FromUpstream)[]> {
      const { from, to, addresses, topics } = filter
      if (isOwn(to)) requireKept(isOwn(from) ? from : origin.base.number + 1n)
      const found: (Local<LogEntry> | FromUpstream)[] = []
      if (upstream && !isOwn(from) && from <= to) {
        const last = isOwn(to) ? origin.base.number : to
        const raw = await upstream('eth_getLogs', [
          {
            fromBlock: quantity(from),
            toBlock: quantity(last),
            ...(addresses && { address: addresses }),
            topics: topics.map((words) => words ?? null),
          },
        ])
        for (const log of listFromAnswer('eth_getLogs', raw)) found.push(foreign(log))
      }
      const limit = options.logRowsLimit
      const own = isOwn(to) ? await loadOwnLogs({ from, to, addresses, topics, limit: limit + 1 }) : []
      if (found.length + own.length > limit)
        throw new NetworkError('LIMIT_EXCEEDED', {
          what: `the query matches more than ${limit} logs; ask for fewer blocks, or for an address or a topic`,
          limit,
        })
      for (const log of own) found.push(local(log))
      return found
    },

    /** The logs of the blocks after `number`, the oldest first; at most as many as a query may answer. */
    loadLogsAfter: (number: bigint): Promise<LogEntry[]> =>
      loadOwnLogs({ from: number + 1n, to: needs.head().header.number, limit: options.logRowsLimit }),
  }
}
