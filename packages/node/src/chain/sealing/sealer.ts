import type { OverrideTable, StateDiff } from '@understudy/evm'
import type { Header } from '../../ethereum/header.ts'
import { nextHeader } from '../../ethereum/nextHeader.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import type { Transaction } from '../../ethereum/transaction.ts'
import { chain, type MaybePromise, settle } from '../../shared/async/maybePromise.ts'
import { ComputingTime } from '../../shared/budget/computingTime.ts'
import { isNetworkError, isUpstreamAway, NetworkError } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Released } from '../../state/release.ts'
import type { State } from '../../state/state.ts'
import { mergeWanted, type WantedState } from '../../state/view.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { removePendingTransactions } from '../../storage/records/chain/pendingTransactions.ts'
import { blockClockKey, saveSetting } from '../../storage/records/settings.ts'
import type { KeptSlots } from '../../storage/records/state/localState.ts'
import type { Block, BuiltBlock, Head } from '../block.ts'
import { loadExecutable, type Pool, type PoolEntry, storedHashes } from '../pool/pool.ts'
import { savePending } from '../pool/poolContent.ts'
import { blockContext } from '../run/blockContext.ts'
import { AheadRuns, heavyMs } from './aheadRuns.ts'
import type { BlockBuilder } from './blockBuilder.ts'
import type { BlockTime } from './blockClock.ts'
import { BlockGroup, type GroupNeeds, type UpstreamBlock } from './blockGroup.ts'
import type { PreparedBlock, ShadowedBlock } from './blockShadow.ts'
import { sealEmptyRun } from './emptyRun.ts'
import { fillBlock } from './fillBlock.ts'

/** Maximum number of blocks sealed in one SQL transaction. */
const groupLimit = 100
/** How long transactions run before they are committed, in milliseconds, because other changes of the network wait. */
const groupMs = 300

export type SealerNeeds = GroupNeeds & {
  database: Database
  state: State
  pool: Pool
  /** The enabled function overrides. */
  overrides: () => OverrideTable | undefined
  logger: Logger
  /** Called when a transaction ran ahead and is ready to be sealed. */
  onAhead(entry: PoolEntry): void
  /** Called when blocks are durable and the head has moved, oldest first. */
  onSealed(blocks: BuiltBlock[]): void
  /** Called when blocks are durable after which the network seals only on request. */
  onPaused(): void
}

/** Builds blocks from the pool. Every method runs inside `state.exclusive`. */
export class Sealer {
  #head: Head | Block
  readonly #needs: SealerNeeds
  readonly #aheadRuns: AheadRuns

  constructor(head: Head | Block, needs: SealerNeeds) {
    this.#head = head
    this.#needs = needs
    this.#aheadRuns = new AheadRuns({
      ...needs,
      pendingContext: () => {
        const header = this.pendingHeader()
        return blockContext(header, needs.hardforks(header), needs.localRules.current)
      },
      onEnded: needs.onAhead,
    })
  }

  /** The header of the next block if it were sealed now, without transactions. */
  pendingHeader(): Header {
    const { blockClock, hardforks, nextBlock } = this.#needs
    const { header } = this.#head
    const timestamp = blockClock.timestampAfter(header.timestamp)
    return nextBlock.apply(nextHeader(this.#head, timestamp, hardforks({ number: header.number + 1n, timestamp })))
  }

  /** Stops runs ahead of blocks. */
  stop(): void {
    this.#aheadRuns.stop()
  }

  get head(): Head | Block {
    return this.#head
  }

  /** Called when the head changed otherwise: by a revert, or because another node sealed. */
  moveTo(head: Head | Block): void {
    this.#head = head
  }

  /**
   * Seals executable transactions, each in its own block, as many as one commit takes, and stores those that must wait.
   * True if there may be more to seal: transactions that arrive during the run are left for the next one, so that other
   * changes get a turn.
   */
  async sealEach(): Promise<boolean> {
    try {
      return await this.#sealGroup()
    } finally {
      this.#aheadRuns.startScheduled()
    }
  }

  async #sealGroup(): Promise<boolean> {
    const { pool } = this.#needs
    const group = new BlockGroup(this.#head, this.#needs)
    const settled: PoolEntry[] = []
    const fresh = this.#storable()
    await this.#loadAhead()
    let isOutOfTime = false
    const until = performance.now() + groupMs
    const entries = await this.executable()
    for (let step = entries.next(); !step.done && group.blocks.length < groupLimit && !group.pauses; ) {
      const entry = step.value
      isOutOfTime = performance.now() > until
      if (isOutOfTime) break
      const executed = !this.#aheadRuns.isRunning(entry) && this.#tryExecute(group.open(), entry, 'refuse')
      if (executed instanceof Promise ? await executed : executed) {
        const sealed = group.seal(group.head.base)
        if (sealed instanceof Promise) await sealed
        settled.push(entry)
        step = entries.next('executed')
      } else step = entries.next('skip')
    }
    if (settled.length === 0) {
      if (isOutOfTime) return true
      await this.storeWaiting()
      return false
    }
    await this.#commit(group, settled, isOutOfTime || group.blocks.length === groupLimit ? [] : fresh)
    return pool.size > 0 && !group.pauses
  }

  /** Moves to `base` with an empty block. */
  async sealBase(base: UpstreamBlock): Promise<void> {
    const group = new BlockGroup(this.#head, this.#needs)
    group.open({ notBefore: base.header.timestamp, fees: base.header })
    await group.seal(base)
    await this.#commit(group, [])
  }

  /**
   * Seals one block with everything from the pool that fits, at the clock's time or the given one, and moves to `base`.
   * Throws `INVALID_PARAMS` if it may not have that time.
   */
  async sealPool(base: UpstreamBlock | undefined, time?: BlockTime): Promise<void> {
    const group = new BlockGroup(this.#head, this.#needs)
    const notBefore = base?.header.timestamp
    const settled = await this.#executePool(group.open({ notBefore, time, fees: base?.header }))
    await group.seal(base ?? group.head.base)
    await this.#commit(group, settled)
  }

  /**
   * Seals a block for each of these upstream blocks, in order, and moves the base to them. Pending transactions run
   * first, then what `shadow` runs of a single block.
   */
  async sealReplayed(blocks: readonly UpstreamBlock[], shadow?: PreparedBlock): Promise<void> {
    const group = new BlockGroup(this.#head, this.#needs)
    const settled: PoolEntry[] = []
    let shadowed: ShadowedBlock | undefined
    for (const [index, block] of blocks.entries()) {
      const builder = group.open({ like: block.header })
      if (index === 0) settled.push(...(await this.#executePool(builder)))
      shadowed = await shadow?.run(builder)
      await group.seal(block)
      if (group.pauses) break
    }
    await this.#commit(group, settled, [], shadowed)
    shadowed?.committed()
  }

  /** Runs everything from the pool that fits into an open block. */
  async #executePool(builder: BlockBuilder): Promise<PoolEntry[]> {
    const entries = await this.executable(builder.context.baseFee)
    const { executed, unpaid } = await fillBlock(builder, entries, (entry) => this.#tryExecute(builder, entry, 'keep'))
    for (const [entry, error] of unpaid) await this.#refuse(entry, error)
    return executed
  }

  /**
   * Seals empty blocks, each at the clock's time or so long after its parent: as many of `limit` as one SQL transaction
   * takes. Returns how many.
   */
  async sealEmpty(limit: bigint, time?: { afterParent: bigint }): Promise<bigint> {
    const shown = (head: Block) => this.moveTo(head)
    const together = await sealEmptyRun(this.#head, limit, time, { ...this.#needs, shown })
    if (together > 0n) return together
    const group = new BlockGroup(this.#head, this.#needs)
    while (group.blocks.length < limit && group.blocks.length < groupLimit) {
      group.open({ time })
      await group.seal(group.head.base)
    }
    await this.#commit(group, [])
    return BigInt(group.blocks.length)
  }

  /** Seals one block that clears all local state except these slots, and that writes `diff`. */
  async sealWiped(keep: KeptSlots, diff: StateDiff): Promise<Released> {
    const group = new BlockGroup(this.#head, this.#needs)
    let released: Released = { slots: 0, accounts: 0, codes: 0 }
    group.open().apply(diff)
    group.wipe(keep, (counted) => {
      released = counted
    })
    await group.seal(group.head.base)
    await this.#commit(group, [])
    return released
  }

  /** Stores pending transactions, so that they survive, and notifies their senders. */
  async storeWaiting(): Promise<void> {
    const waiting = this.#storable()
    if (waiting.length === 0) return
    await this.#needs.database.transaction((queries) => savePending(queries, waiting))
    this.#settleAsQueued(waiting)
  }

  /** Entries that are not in SQL and need not wait; those that run ahead are answered when they are sealed. */
  #storable(): PoolEntry[] {
    return this.#needs.pool.unstored().filter((entry) => !this.#aheadRuns.holds(entry))
  }

  #settleAsQueued(waiting: readonly PoolEntry[]): void {
    for (const entry of waiting) {
      this.#needs.pool.markStored(entry)
      entry.settle({ type: 'queued' })
    }
  }

  /** Whether any transaction of the pool is executable, regardless of the base fee. */
  async canRun(): Promise<boolean> {
    return !(await this.executable(0n)).next().done
  }

  /**
   * Reloads in one request what pending transactions read on another base, so that each does not wait for it
   * separately.
   */
  async #loadAhead(): Promise<void> {
    const { hash } = this.#head.base
    const wanted: WantedState[] = []
    for (const entry of this.#needs.pool.entries()) {
      if (!entry.reads || entry.reads.base === hash) continue
      wanted.push(entry.reads.state)
      entry.reads = { ...entry.reads, base: hash }
      if (wanted.length === groupLimit) break
    }
    if (wanted.length === 0) return
    // Transactions whose state cannot be loaded are refused when they run.
    await this.#needs.state
      .latest()
      .load(mergeWanted(wanted))
      .catch(() => {})
  }

  /** Transactions that can pay this base fee; default: that of the next block. */
  executable(baseFee = this.pendingHeader().baseFeePerGas ?? 0n) {
    return loadExecutable(this.#needs.pool, this.#needs.state.latest(), baseFee)
  }

  /**
   * False if the transaction is invalid. It is then removed from the pool, unless it may become valid and `keep` is
   * set. Throws `INSUFFICIENT_FUNDS` with `keep`: another transaction of the block may fund the sender.
   */
  #tryExecute(builder: BlockBuilder, entry: PoolEntry, otherwise: 'refuse' | 'keep'): MaybePromise<boolean> {
    return settle(
      () => this.#execute(builder, entry, otherwise === 'refuse'),
      (isExecuted) => isExecuted,
      async (error) => {
        const isUpstream = isUpstreamAway(error) || isNetworkError(error, 'UPSTREAM_STATE_PRUNED')
        if (otherwise === 'keep' && (isUpstream || isNetworkError(error, 'INSUFFICIENT_FUNDS'))) throw error
        if (otherwise === 'keep' && isNetworkError(error, 'FEE_CAP_TOO_LOW')) return false
        // Its sender was told that it is pending: a silent upstream is no reason to drop it.
        if (isUpstream && entry.stored) return false
        await this.#refuse(entry, error)
        return false
      },
    )
  }

  async #refuse(entry: PoolEntry, error: unknown): Promise<void> {
    await this.drop([entry])
    entry.settle({ type: 'refused', error })
    this.#needs.logger.debug({ hash: entry.transaction.hash, err: error }, 'Refused transaction')
  }

  /** False if the transaction is left to run ahead, because it takes long and others wait. */
  #execute(builder: BlockBuilder, entry: PoolEntry, mayRunAhead: boolean): MaybePromise<boolean> {
    const run = this.#aheadRuns.take(entry)
    const executed = run ? builder.executeAhead(entry.transaction, run, this.#needs.overrides()) : false
    return chain(executed, (isExecuted) => isExecuted || this.#executeAgain(builder, entry, mayRunAhead))
  }

  async #executeAgain(builder: BlockBuilder, entry: PoolEntry, mayRunAhead: boolean): Promise<boolean> {
    const { transaction } = entry
    if (!mayRunAhead || !this.#aheadRuns.mayStart(entry)) {
      await builder.execute(transaction)
      return true
    }
    try {
      if (!entry.isHeavy) {
        await builder.execute(transaction, new ComputingTime(heavyMs))
        return true
      }
    } catch (error) {
      if (!isNetworkError(error, 'EXECUTION_TOO_LONG')) throw error
      entry.isHeavy = true
    }
    this.#aheadRuns.schedule(entry)
    return false
  }

  /** Refuses transactions whose nonces sealed ones used: they arrived to replace one of them, or a deposit was faster. */
  async #refuseLate(sealed: readonly Transaction[]): Promise<void> {
    for (const { from: address, nonce } of sealed) {
      const late = this.#needs.pool.ofSender(address)?.get(nonce)
      if (!late) continue
      await this.drop([late])
      late.settle({
        type: 'refused',
        error: new NetworkError('NONCE_TOO_LOW', { address, nonce, expected: nonce + 1n }),
      })
    }
  }

  /** Removes transactions from the pool. */
  async drop(entries: readonly PoolEntry[]): Promise<void> {
    const { pool, database } = this.#needs
    for (const entry of entries) pool.remove(entry)
    const stored = storedHashes(entries)
    if (stored.length > 0) await database.transaction((queries) => removePendingTransactions(queries, stored))
  }

  /** Commits a group's blocks, together with the `fresh` transactions that are still in the pool. */
  async #commit(
    group: BlockGroup,
    settled: readonly PoolEntry[],
    fresh: readonly PoolEntry[] = [],
    shadowed?: ShadowedBlock,
  ): Promise<void> {
    const { state, pool, blockClock, nextBlock, logger, onSealed, onPaused } = this.#needs
    const last = group.blocks.at(-1)
    if (!last) return
    const stored = storedHashes(settled)
    const ran = new Set(settled)
    const isWaiting = (entry: PoolEntry) => pool.get(entry.transaction.hash) === entry && !this.#aheadRuns.holds(entry)
    const waiting = fresh.filter((entry) => !ran.has(entry) && isWaiting(entry))
    const save = async (queries: Queries, seq: number) => {
      await group.save(queries, seq)
      await removePendingTransactions(queries, stored)
      await savePending(queries, waiting)
      await shadowed?.save(queries)
      if (group.movedBlockClock) await saveSetting(queries, blockClockKey, blockClock.settings)
      if (group.usedGiven) await saveSetting(queries, 'nextBlock', nextBlock.settings)
    }
    const shown = () => {
      this.#head = last.block
    }
    try {
      await state.commit(group.blocks, { base: last.block.base, identity: group.identity, save, shown })
    } catch (error) {
      group.abandon()
      throw error
    }
    if (group.pauses) onPaused()
    group.committed()
    for (const entry of settled) pool.remove(entry)
    await this.#refuseLate(group.blocks.flatMap(({ block }) => block.transactions))
    onSealed(group.blocks)
    for (const entry of settled) entry.settle({ type: 'sealed' })
    this.#settleAsQueued(waiting)
    for (const { block, receipts } of group.blocks)
      logger.debug(
        { block: block.header.number, transactions: receipts.length, base: block.base.number, gas: gasOf(receipts) },
        'Sealed block',
      )
  }
}

const gasOf = (receipts: readonly Receipt[]) => receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
