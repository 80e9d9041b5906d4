import { setImmediate as arrivals } from 'node:timers/promises'
import type { Address, Hex, Word } from '@understudy/evm'
import { zeroWord } from '../ethereum/constants.ts'
import type { Header } from '../ethereum/header.ts'
import type { LogEntry } from '../ethereum/log.ts'
import { formatMiningMode, type MiningMode } from '../ethereum/miningMode.ts'
import { nextHeader } from '../ethereum/nextHeader.ts'
import type { Receipt } from '../ethereum/receipt.ts'
import type { Hardforks } from '../ethereum/rules.ts'
import { decodeStoredTransaction, decodeTransaction, type Transaction } from '../ethereum/transaction.ts'
import type { CallRequest, Execution, ExecutionPoint } from '../execution/execution.ts'
import type { Senders } from '../senders/senders.ts'
import type { Clock, Timer } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { createEvents, type Events } from '../shared/events.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { createKeyedMutex } from '../shared/mutex.ts'
import { withoutBudget } from '../shared/requestBudget.ts'
import type { BlockTag } from '../state/blockTag.ts'
import type { State } from '../state/state.ts'
import { loadAccountField } from '../state/view.ts'
import type { ChangeNotice } from '../storage/changeNotice.ts'
import type { Database, Queries } from '../storage/database.ts'
import { loadPendingTransactions } from '../storage/records/chain/pendingTransactions.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'
import type { BaseState } from '../upstream/baseState.ts'
import type { Base } from '../upstream/wantedState.ts'
import type { Block, Head, PlacedTransaction } from './block.ts'
import { createCatchUp } from './catchUp.ts'
import type { ChainEvents } from './chainEvents.ts'
import { type BlockReplay, loadBlockReplay } from './history/blockReplay.ts'
import { loadStoredBlock } from './history/blockStore.ts'
import { type FeeHistory, loadFeeHistory } from './history/feeHistory.ts'
import {
  type AskUpstream,
  type BlockReference,
  createHistory,
  type FromUpstream,
  type Local,
  type LogFilter,
} from './history/history.ts'
import { admit } from './pool/admission.ts'
import { Pool, type PoolOutcome } from './pool/pool.ts'
import { poolContent, type SenderContent } from './pool/poolContent.ts'
import { createTipSuggestion } from './pool/suggestedTip.ts'
import {
  type FilledTransaction,
  fillTransaction,
  type SenderRequest,
  signedFromRequest,
  type TransactionNeeds,
  transactionFromRequest,
} from './pool/transactionRequest.ts'
import { fundedDiff } from './rewind/funding.ts'
import { loadLocalAllowances, permit2 } from './rewind/permit2.ts'
import { createPruning } from './rewind/pruning.ts'
import { createReorgs, type Reorg } from './rewind/reorg.ts'
import { createRewinds } from './rewind/rewind.ts'
import { BlockClock, type BlockClockSettings } from './sealing/blockClock.ts'
import type { UpstreamBlock } from './sealing/blockGroup.ts'
import type { BlockObserver } from './sealing/blockObserver.ts'
import { combineObservers } from './sealing/blockObservers.ts'
import { NextBlock, type NextBlockFields, type NextBlockSettings } from './sealing/nextBlock.ts'
import { Sealer } from './sealing/sealer.ts'
import { blocksUpTo } from './sealing/upstreamBlocks.ts'

export type { Head } from './block.ts'
export type { BlockReplay } from './history/blockReplay.ts'
export type { FeeHistory } from './history/feeHistory.ts'
export type { BlockReference, FromUpstream, Local, LogFilter } from './history/history.ts'
export type { SenderContent } from './pool/poolContent.ts'
export type { NextBlockFields } from './sealing/nextBlock.ts'

/** Between `start` and `stop` it seals; before and after, it is another node that does. */
export type Chain = Service & {
  readonly events: Events<ChainEvents>
  /** The block at which the network left upstream. */
  readonly origin: Base
  readonly chainId: bigint
  head(): Head
  /** The first block from which on every one can be read, and how many are kept, when there is a limit. */
  kept(): { oldest: bigint; keepBlocks: number | undefined }
  /** The header that the next block would get if it were sealed now, without transactions. */
  pendingHeader(): Header

  /** Throws `BLOCK_NOT_FOUND`, `BLOCK_PRUNED`. `pending` is answered as `latest`. */
  resolve(tag: BlockTag): Promise<BlockReference>
  /** The block and the state of a tag, to read or to execute on; for `pending` the block that would come next. */
  at(tag: BlockTag): Promise<ExecutionPoint>
  /** A block of upstream's holds what is asked of its transactions: hashes (when left out) or whole. */
  loadBlock(tag: BlockTag, transactions?: 'hashes' | 'full'): Promise<Local<Block> | FromUpstream | undefined>
  loadTransaction(hash: Word): Promise<Local<PlacedTransaction> | FromUpstream | undefined>
  loadReceipt(hash: Word): Promise<Local<Receipt> | FromUpstream | undefined>
  /** `undefined` when there is no such block. */
  loadReceipts(tag: BlockTag): Promise<(Local<Receipt> | FromUpstream)[] | undefined>
  /** A sealed block and the state before it, to be run once more. Throws `NOT_FOUND`, `UNSUPPORTED`. */
  loadReplay(tag: BlockTag): Promise<BlockReplay>
  /** Oldest first. Throws `LIMIT_EXCEEDED` when there are more than the limit of rows. */
  loadLogs(filter: LogFilter): Promise<(Local<LogEntry> | FromUpstream)[]>
  /** Headers of `[from, to]` for fee statistics: base fee, gas used ratio, blob figures and the tips that were paid. */
  loadFeeHistory(count: bigint, newest: BlockTag, percentiles?: number[]): Promise<FeeHistory>

  /** Adds a transaction. In instant mode resolves when it is sealed; otherwise when it is durable in the pool. */
  submit(transaction: Transaction): Promise<Word>
  /** Submits a signed transaction in its EIP-2718 encoding. Throws `TRANSACTION_INVALID`. */
  submitRaw(encoded: Hex): Promise<Word>
  /** Fills in what a request leaves out, signs it (or stands in for the signature of an impersonated sender) and submits it. */
  send(request: CallRequest): Promise<Word>
  /** Fills in what a request leaves out, and sends nothing. */
  fill(request: CallRequest): Promise<FilledTransaction>
  /** As `fill`, and signs it. Throws `NOT_IMPERSONATED`, `UNSUPPORTED` for senders whose key the network does not hold. */
  sign(request: CallRequest): Promise<Transaction>
  /** The tip that a sender is suggested, in wei per gas: that of the live chain's recent blocks. */
  suggestTip(): Promise<bigint>
  /** The sender's next nonce, pending transactions counted. */
  pendingNonce(address: Address): Promise<bigint>
  /** How many transactions wait. */
  poolSize(): number
  /** What waits, by sender. */
  loadPending(): Promise<SenderContent[]>
  /** Seals `blocks` blocks, `intervalSeconds` apart. */
  mine(blocks: bigint, intervalSeconds?: bigint): Promise<void>

  mode(): MiningMode
  setMode(mode: MiningMode): Promise<void>
  /** Moves the clock of the network forward; returns the whole shift in seconds. */
  increaseTime(seconds: bigint): Promise<bigint>
  /** Makes it this time now, in seconds; returns how far that is from what it was. */
  setTime(timestamp: bigint): Promise<bigint>
  /** Throws `INVALID_PARAMS` when it is before the head's. */
  setNextBlockTimestamp(timestamp: bigint): Promise<void>
  /** From now on each block is so many seconds after the one before; `undefined` ends that. Returns what it was. */
  setBlockInterval(seconds: bigint | undefined): Promise<bigint | undefined>
  /** Gives the next block these in place of what follows from its parent. */
  setNextBlock(fields: NextBlockFields): Promise<void>
  /** Tells of upstream's newest block, to which the base moves unless it is pinned. */
  onUpstreamHead(head: UpstreamBlock): void
  /** Gives everything local back, but for the Permit2 allowances of these spenders, and funds the accounts anew, in a block. */
  wipe(routers: readonly Address[]): Promise<WipeSummary>
  snapshot(): Promise<bigint>
  /** False when there is no such snapshot. */
  revert(id: bigint): Promise<boolean>
  /** Forgets the newest blocks, and direct writes since. Throws `INVALID_PARAMS` when there are fewer. */
  rollback(depth: bigint): Promise<void>
  reorg: Reorg
  /** Forgets every block and everything local, and funds the accounts anew. */
  reset(): Promise<void>
  /** Takes in what another node stored, and tells of it. */
  refresh(notice: ChangeNotice): Promise<void>
  /** Forgets the same, in one SQL transaction with `save`, and funds nobody. Only after `stop`: another network takes its place. */
  abandon(save: (queries: Queries) => Promise<void>): Promise<void>
  /** Takes transactions out of the pool: one, those of a sender, or all. Returns how many there were. */
  drop(which: { hash: Word } | { sender: Address } | 'all'): Promise<number>
}

export type WipeSummary = {
  blockNumber: bigint
  accountsCleared: number
  slotsCleared: number
  codesCleared: number
  allowancesKept: number
  /** Milliseconds since 1970. */
  wipedAt: number
}

export type ChainOptions = {
  chainId: bigint
  /** That of the live chain; `undefined` for a network that forks nothing. */
  upstreamChainId: bigint | undefined
  /** `undefined` goes on with the mode of the last run, or with `instant`. */
  mode: MiningMode | undefined
  /** How many of the newest blocks are kept; every one, when `undefined`. */
  keepBlocks: number | undefined
  /** Transactions that wait at the most. */
  poolLimit: number
  logRowsLimit: number
  /** Whether the base moves with upstream's head. */
  movesBase: boolean
  /** What each funded account has after a wipe, in wei. */
  balance: bigint
  /** In replay: the longest way to upstream's head that is gone block by block. */
  replayMaxGap: number
}

export type ChainNeeds = {
  database: Database
  state: State
  engine: Engine
  execution: Execution
  senders: Senders
  baseStates: (base: Base) => BaseState
  hardforks: Hardforks
  systemContracts: ReadonlySet<Address>
  /** The block at which the network left upstream: its header, and as upstream describes it. */
  origin: Head & { raw: Record<string, unknown> }
  upstream: AskUpstream | undefined
  observers: readonly BlockObserver[]
  clock: Clock
  logger: Logger
}

/** Opens the network's chain where it was left. */
export async function createChain(options: ChainOptions, needs: ChainNeeds): Promise<Chain> {
  const { database, state, engine, execution, senders, hardforks, origin, clock, logger } = needs
  const { queries } = database
  const { chainId, upstreamChainId = chainId } = options
  const events: Chain['events'] = createEvents((error) => logger.error({ err: error }, 'A listener failed'))
  const pool = new Pool(options.poolLimit)
  const blockClock = new BlockClock(clock, await loadSetting<BlockClockSettings>(queries, 'calendar'))
  const observer = combineObservers(needs.observers, logger)
  const newest = await loadStoredBlock(queries, 'newest')
  const nextBlock = new NextBlock(await loadSetting<NextBlockSettings>(queries, 'nextBlock'))
  const sealer = new Sealer(newest?.block ?? origin, {
    ...needs,
    chainId,
    pool,
    blockClock,
    observer,
    nextBlock,
    onSealed(blocks) {
      for (const block of blocks) events.emit('block', block)
      events.emit('head', sealer.head)
    },
  })
  let mode = options.mode ?? (await loadSetting<MiningMode>(queries, 'mode')) ?? { type: 'instant' }
  let upstreamHead: UpstreamBlock | undefined
  let timer: Timer | undefined
  let running = false

  const pendingHeader = () => {
    const { head } = sealer
    const timestamp = blockClock.timestampAfter(head.header.timestamp)
    return nextBlock.apply(nextHeader(head, timestamp, hardforks({ number: head.header.number + 1n, timestamp })))
  }
  const pruning = await createPruning(options, {
    ...needs,
    first: origin.base.number + 1n,
    head: () => sealer.head.header.number,
  })
  const history = createHistory(options, {
    ...needs,
    oldest: pruning.oldest,
    pool,
    chainId,
    origin: { base: origin.base, raw: origin.raw },
    head: () => sealer.head,
    pendingHeader,
  })

  /** Where the base moves with the next block: `undefined` leaves it. */
  const nextBase = () => {
    const moves = options.movesBase && mode.type !== 'replay' && upstreamHead?.hash !== sealer.head.base.hash
    return moves ? upstreamHead : undefined
  }

  /**
   * In instant mode: runs what waits, and moves the base when upstream has moved. Who asks while that is still to begin
   * shares it, and what has arrived meanwhile is let in first, so that one commit serves many. What one commit cannot serve
   * gets its turn after whatever else waits to change the network.
   */
  /** Runs alone what changes the network: it goes on, whatever becomes of the request that began it. */
  const seal: State['exclusive'] = (task) => state.exclusive(() => withoutBudget(task))
  let sealing: Promise<void> | undefined
  const sealInstantly = (): Promise<void> => {
    sealing ??= seal(async () => {
      await arrivals()
      sealing = undefined
      const isMore = await sealer.sealEach()
      const base = nextBase()
      if (base) await sealer.sealBase(base)
      return isMore
    }).then((isMore) => (isMore && running ? sealInstantly() : undefined))
    return sealing
  }

  const trySealing = () =>
    sealInstantly().catch((error) =>
      logger.warn({ err: error }, 'Could not seal yet; trying again at the next head or transaction'),
    )

  /** In replay: one block for each of upstream's. Where upstream went back, it is waited for until it is ahead again. */
  async function replay(): Promise<void> {
    while (mode.type === 'replay' && running) {
      const { base } = sealer.head
      const target = options.movesBase ? upstreamHead : undefined
      if (!target || target.number <= base.number || !needs.upstream) return
      const blocks = await blocksUpTo(target, base.number, options.replayMaxGap, needs.upstream)
      await seal(() => sealer.sealReplayed(blocks))
    }
  }

  let replaying: Promise<void> | undefined
  function startReplay(): void {
    replaying ??= replay()
      .catch((error) => logger.warn({ err: error }, 'Could not replay upstream; trying again at its next block'))
      .finally(() => {
        replaying = undefined
      })
  }

  function runInterval(): void {
    timer?.cancel()
    timer = undefined
    if (mode.type !== 'interval' || !running) return
    timer = clock.after(mode.intervalMs, () => {
      seal(() => sealer.sealPool(nextBase()))
        .catch((error) => logger.error({ err: error }, 'Could not seal a block; trying again at the next interval'))
        .finally(runInterval)
    })
  }

  /** Lets a transaction into the pool; `outcome` is what becomes of it. */
  async function enter(transaction: Transaction): Promise<{ hash: Word; outcome: Promise<PoolOutcome> }> {
    const base = sealer.head.base.hash
    const later = mode.type !== 'instant'
    const read = await admit(transaction, await history.at('pending'), { engine, chainId, later })
    const reads = read && { base, state: read }
    const outcome = new Promise<PoolOutcome>((settle) => pool.add(transaction, settle, { reads }))
    events.emit('pending', transaction)
    const stored = mode.type === 'instant' ? sealInstantly() : seal(() => sealer.storeWaiting())
    stored.catch((error) => {
      const entry = pool.get(transaction.hash)
      if (!entry || entry.stored) return
      pool.remove(entry)
      entry.settle({ type: 'refused', error })
    })
    return { hash: transaction.hash, outcome }
  }

  async function hashWhenSettled(entered: ReturnType<typeof enter>): Promise<Word> {
    const { hash, outcome } = await entered
    const settled = await outcome
    if (settled.type === 'refused') throw settled.error
    return hash
  }

  const suggestTip = createTipSuggestion(needs)
  /** Makes a transaction of a request, on the state that is pending; of the first funded account where none is named. */
  const fromRequest =
    <Result>(make: (request: SenderRequest, point: ExecutionPoint, needs: TransactionNeeds) => Promise<Result>) =>
    async (request: CallRequest): Promise<Result> => {
      const from = request.from ?? senders.funded()[0]
      if (!from) throw new NetworkError('INVALID_PARAMS', { field: 'params[0].from', problem: 'is missing' })
      const nonce = await pendingNonce(from)
      return make({ ...request, from }, await history.at('pending'), { execution, senders, chainId, nonce, suggestTip })
    }
  const transactionFor = fromRequest(transactionFromRequest)
  /** Of one sender, the next transaction is made when the one before has its nonce. */
  const sends = createKeyedMutex<Address | undefined>()

  async function pendingNonce(address: Address): Promise<bigint> {
    return pool.nextNonce(address, await loadAccountField(state.latest(), address, 'nonce'))
  }

  const rewinds = createRewinds(options, {
    ...needs,
    pool,
    blockClock,
    nextBlock,
    sealer,
    observer,
    logsAfter: async (number) => (events.isHeard('logsRemoved') ? history.loadLogsAfter(number) : []),
    onRewound(head, removed) {
      if (removed.length > 0) events.emit('logsRemoved', removed)
      events.emit('reverted', head)
    },
  })
  const reorgs = createReorgs({ state, pool, sealer, nextBlock, rewinds, transactionFor })

  const save = (key: string, value: unknown) =>
    database.transaction((transaction) => saveSetting(transaction, key, value))
  const catchUp = createCatchUp(options, { ...needs, pool, sealer, events })
  const saveBlockClock = () => save('calendar', blockClock.settings)

  return {
    events,
    origin: origin.base,
    chainId,
    head: () => sealer.head,
    kept() {
      const oldest = pruning.oldest()
      // Where nothing is forgotten, history goes on before the fork.
      return { oldest: oldest > origin.base.number + 1n ? oldest : 0n, keepBlocks: options.keepBlocks }
    },
    pendingHeader,
    ...history,
    async loadFeeHistory(count, tag, percentiles) {
      const { number } = await history.resolve(tag)
      const kept = number > origin.base.number ? number - pruning.oldest() + 1n : count
      const wanted = pruning.oldest() > origin.base.number + 1n && kept < count ? kept : count
      const nextOf = (header: Header) =>
        header.number === sealer.head.header.number
          ? pendingHeader()
          : nextHeader({ hash: zeroWord, header }, header.timestamp, hardforks(header))
      return loadFeeHistory(wanted, number, percentiles, { ...needs, origin: origin.header, nextOf })
    },
    loadReplay: (tag) => loadBlockReplay(tag, { ...needs, chainId, upstreamChainId, loadBlock: history.loadBlock }),

    submit: (transaction) => hashWhenSettled(enter(transaction)),
    submitRaw: async (encoded) => hashWhenSettled(enter(await decodeTransaction(encoded))),
    send: (request) => hashWhenSettled(sends.run(request.from, async () => enter(await transactionFor(request)))),
    fill: fromRequest(fillTransaction),
    sign: fromRequest(signedFromRequest),
    suggestTip,
    pendingNonce,
    poolSize: () => pool.size,
    async loadPending() {
      const nonces = new Map<Address, bigint>()
      for (const sender of pool.senders()) nonces.set(sender, await loadAccountField(state.latest(), sender, 'nonce'))
      return poolContent(pool, nonces)
    },
    mine: (blocks, intervalSeconds = 0n) =>
      seal(async () => {
        if (blocks === 0n) return
        await sealer.sealPool(nextBase())
        let left = blocks - 1n
        for (; left > 0n && (await sealer.canRun()); left--) await sealer.sealPool(undefined, intervalSeconds)
        await sealer.sealEmpty(left, intervalSeconds)
      }),

    mode: () => mode,
    async setMode(next) {
      await save('mode', next)
      mode = next
      events.emit('mode', mode)
      runInterval()
      if (mode.type === 'instant') await sealInstantly()
      if (mode.type === 'replay') startReplay()
    },
    async increaseTime(seconds) {
      const shift = blockClock.increase(seconds)
      await saveBlockClock()
      return shift
    },
    async setTime(timestamp) {
      const shift = blockClock.setNow(timestamp)
      await saveBlockClock()
      return shift
    },
    async setBlockInterval(seconds) {
      const before = blockClock.interval
      blockClock.setInterval(seconds)
      await saveBlockClock()
      return before
    },
    setNextBlock: (fields) =>
      state.exclusive(async () => {
        nextBlock.set(fields)
        await save('nextBlock', nextBlock.settings)
      }),
    async setNextBlockTimestamp(timestamp) {
      blockClock.setNext(timestamp, sealer.head.header.timestamp)
      await saveBlockClock()
    },
    wipe: (routers) =>
      seal(async () => {
        const { number } = sealer.head.header
        const kept = await loadLocalAllowances(queries, routers, number)
        const diff = fundedDiff(senders.funded(), options.balance)
        const { accounts, slots, codes } = await sealer.sealWiped(new Map([[permit2, kept]]), diff)
        return {
          blockNumber: sealer.head.header.number,
          accountsCleared: accounts,
          slotsCleared: slots,
          codesCleared: codes,
          allowancesKept: kept.size,
          wipedAt: clock.now(),
        }
      }),
    snapshot: () => state.exclusive(rewinds.snapshot),
    revert: (id) => state.exclusive(() => rewinds.revert(id)),
    rollback: (depth) => state.exclusive(() => rewinds.rollback(depth)),
    reorg: reorgs.reorg,
    async reset() {
      await state.exclusive(rewinds.reset)
      if (mode.type === 'instant') await sealInstantly()
      if (mode.type === 'replay') startReplay()
    },
    abandon: (save) => state.exclusive(() => rewinds.abandon(save)),
    drop: (which) =>
      state.exclusive(async () => {
        const entries = pool.select(which)
        await sealer.drop(entries)
        for (const entry of entries) entry.settle({ type: 'queued' })
        return entries.length
      }),

    refresh: (notice) =>
      state.exclusive(async () => {
        const modeBefore = mode
        mode = (await loadSetting<MiningMode>(notice.queries, 'mode')) ?? mode
        const settings = await loadSetting<BlockClockSettings>(notice.queries, 'calendar')
        if (settings) blockClock.restore(settings)
        nextBlock.restore(await loadSetting<NextBlockSettings>(notice.queries, 'nextBlock'))
        await pruning.refresh(notice)
        await catchUp(notice)
        if (formatMiningMode(mode) !== formatMiningMode(modeBefore)) events.emit('mode', mode)
      }),

    onUpstreamHead(head) {
      upstreamHead = head
      events.emit('upstream', head)
      if (!running) return
      if (mode.type === 'replay') startReplay()
      if (mode.type === 'instant' && nextBase()) void trySealing()
    },

    async start() {
      running = true
      await save('mode', mode)
      for (const { hash, raw, sender } of await loadPendingTransactions(queries))
        if (!pool.get(hash)) pool.add(decodeStoredTransaction(raw, sender), () => {}, { stored: true })
      runInterval()
      await pruning.start()
      if (mode.type === 'instant' && (pool.size > 0 || nextBase())) await trySealing()
      if (mode.type === 'replay') startReplay()
    },
    async stop() {
      running = false
      timer?.cancel()
      await pruning.stop()
      // Whatever is being sealed is finished first.
      await replaying
      await state.exclusive(async () => {})
    },
  }
}
