import type { StateDiff, Word } from '@understudy/evm'
import { zeroWord } from '../../ethereum/constants.ts'
import type { LogEntry } from '../../ethereum/log.ts'
import type { Transaction } from '../../ethereum/transaction.ts'
import { withoutBudget } from '../../shared/budget/requestBudget.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Events } from '../../shared/events.ts'
import type { StatePoint } from '../../state/change.ts'
import { nextCommitment } from '../../state/diff.ts'
import type { State } from '../../state/state.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { loadNewestBlock, removeBlocksAfter } from '../../storage/records/chain/blocks.ts'
import { addPendingTransactions } from '../../storage/records/chain/pendingTransactions.ts'
import { addRewind } from '../../storage/records/chain/rewinds.ts'
import {
  addSnapshot,
  loadSnapshot,
  loadSnapshots,
  removeSnapshotsAfter,
  removeSnapshotsFrom,
} from '../../storage/records/chain/snapshots.ts'
import { blockClockKey, saveSetting, saveSettings } from '../../storage/records/settings.ts'
import type { Head } from '../block.ts'
import type { ChainEvents } from '../chainEvents.ts'
import type { Finality } from '../history/finality.ts'
import type { History } from '../history/history.ts'
import type { Pool } from '../pool/pool.ts'
import type { LocalRulesByBlock } from '../run/localRules.ts'
import type { BlockClock, BlockClockSettings } from '../sealing/blockClock.ts'
import type { BlockObserver } from '../sealing/blockObserver.ts'
import { localRulesKey } from '../sealing/blockSettings.ts'
import type { MiningControl } from '../sealing/mining.ts'
import type { NextBlock, NextBlockSettings } from '../sealing/nextBlock.ts'
import type { Opening } from '../sealing/openingBlock.ts'
import type { Sealer } from '../sealing/sealer.ts'
import { loadStoredBlock } from '../store/blockStore.ts'
import type { RecentBlocks } from '../store/recentBlocks.ts'
import type { Branching } from './branching.ts'
import { type Funding, fundedDiff } from './funding.ts'
import { createReorg, type Reorg, type ReorgNeeds } from './reorg.ts'
import { createWaiting, type Waiting, type WaitingNeeds } from './waiting.ts'

/** A point that the network can be reverted to. */
export type Snapshot = { id: bigint; name: string | undefined; blockNumber: bigint }

/** Reverts the network to an earlier point. */
export type Rewinds = {
  /** `name`: what lists show. */
  snapshot(name?: string): Promise<bigint>
  /** Stores a snapshot with the change that comes after it. Call only inside `exclusive`. */
  saveSnapshot(transaction: Queries, name: string): Promise<bigint>
  /** The newest snapshots, newest first, at most 1000. */
  snapshots(): Promise<Snapshot[]>
  /** Those transactions wait afterwards that waited at the snapshot. False if there is no such snapshot. */
  revert(id: bigint): Promise<boolean>
  /**
   * Removes the latest `depth` blocks with their transactions, and direct writes since. What waits goes on waiting. Throws
   * `INVALID_PARAMS` if there are fewer, and like `reorg` `BLOCK_FINALIZED`.
   */
  rollback(depth: bigint): Promise<void>
  /**
   * Removes the blocks after this one, and direct writes since, but no pending transaction. `prepare` runs before, while
   * nothing else changes.
   */
  rollbackTo(number: bigint, prepare: () => Promise<KeptChanges>): Promise<void>
  reorg: Reorg
  /** Deletes all blocks, local state and follows, and funds the accounts again. */
  reset(): Promise<void>
  /**
   * Deletes the same, in one SQL transaction with `save`, without funding accounts. Call only after the chain has
   * stopped, before another network replaces it.
   */
  abandon(save: (transaction: Queries) => Promise<void>): Promise<void>
}

type Needs = {
  database: Database
  state: State
  pool: Pool
  blockClock: BlockClock
  /** The settings with which the clock of the network starts. */
  startOfClock: () => BlockClockSettings
  nextBlock: NextBlock
  localRules: LocalRulesByBlock
  sealer: Sealer
  opening: Opening
  /** The parent of the first block of the network. */
  origin: Head
  observer: Pick<BlockObserver, 'revertTo'>
  branching: Branching
  finality: Finality
  history: Pick<History, 'loadLogsAfter'>
  recent: Pick<RecentBlocks, 'block'>
  mining: Pick<MiningControl, 'resume'>
  submission: ReorgNeeds['submission'] & WaitingNeeds['submission']
  events: Events<ChainEvents>
}

type SnapshotSettings = {
  blockClock: BlockClockSettings
  nextBlock?: NextBlockSettings
  commitment: Word
  name?: string
}

/** Test suites take a snapshot for each test. */
const listedSnapshots = 1000

type SaveMore = (transaction: Queries) => Promise<void>
const nothingMore: SaveMore = async () => {}

/** What a rollback does not remove. */
export type KeptChanges = {
  /** Made again afterwards, in an SQL transaction of their own. */
  writes: StateDiff
  /** Transactions of the blocks that wait for another block. */
  pending: readonly Transaction[]
  /** Stored with the rollback: what is needed to make them again if the process is killed in between. */
  removed: SaveMore
  /** Stored with the writes. */
  written: SaveMore
}

export function createRewinds({ funding }: { funding: Funding }, needs: Needs): Rewinds {
  const waiting = createWaiting(needs)
  const rewinder = createRewinder(funding, needs)
  const rollbacks = createRollbacks(needs, rewinder)
  const reorg = createReorg({ ...needs, rollback: rollbacks.rollback, waiting })
  return {
    ...createSnapshots(needs, rewinder, waiting),
    rollback: (depth) => removeBlocks(depth, () => rollbacks.rollback(depth), needs),
    rollbackTo: rollbacks.rollbackTo,
    reorg: (depth, transactions) => removeBlocks(depth, () => reorg(depth, transactions), needs),
    ...createResets(needs, rewinder),
  }
}

/** Goes back to a block, and tells of it. */
type Rewinder = ReturnType<typeof createRewinder>

function createRewinder(funding: Funding, needs: Needs) {
  const { state, localRules, sealer, history, events, branching, observer, origin } = needs

  /** `removed`: the logs of the blocks that were removed. */
  function tell(head: Head, removed: LogEntry[]): void {
    if (removed.length > 0) events.emit('logsRemoved', removed)
    events.emit('reverted', head)
  }

  return {
    tell,
    /** `save` runs in the same SQL transaction. Returns the logs of the blocks that were removed. */
    async rewind(head: Head, point: Omit<StatePoint, 'base'>, save: SaveMore): Promise<LogEntry[]> {
      const { number } = head.header
      const removed = events.isHeard('logsRemoved') ? await history.loadLogsAfter(number) : []
      const localChanges = localRules.withoutBlocks(number + 1n)
      const layers = branching.revertTo({ seq: point.seq, block: Number(number) })
      await state
        .revert(
          { ...point, base: head.base },
          {
            before: layers.keep,
            async save(transaction, seq) {
              await addRewind(transaction, seq, number)
              await removeBlocksAfter(transaction, number)
              await layers.cut(transaction)
              await observer.revertTo(transaction, number)
              if (localChanges.length > 0) await saveSetting(transaction, localRulesKey, localChanges)
              await save(transaction)
            },
          },
        )
        .catch(async (error) => {
          await layers.undo()
          throw error
        })
      localRules.restore(localChanges)
      sealer.moveTo(head)
      return removed
    },
    /** Funds the accounts again. Call when the network is back at its origin, with the logs that were removed. */
    async begin(removed: LogEntry[]): Promise<void> {
      const diff = fundedDiff(funding)
      await state.commit([{ diff, commitment: nextCommitment(zeroWord, diff) }], { base: origin.base })
      tell(origin, removed)
    },
  }
}

function createSnapshots(
  { database, state, blockClock, nextBlock, sealer, recent, origin }: Needs,
  { rewind, tell }: Rewinder,
  waiting: Waiting,
): Pick<Rewinds, 'snapshot' | 'saveSnapshot' | 'snapshots' | 'revert'> {
  const { queries } = database

  async function saveSnapshot(transaction: Queries, name: string | undefined): Promise<bigint> {
    const settings: SnapshotSettings = {
      blockClock: blockClock.settings,
      nextBlock: nextBlock.settings,
      commitment: state.commitment(),
      ...(name !== undefined && { name }),
    }
    const blockNumber = Number(sealer.head.header.number)
    const record = { blockNumber, seq: state.seq(), settings }
    const id = await addSnapshot(transaction, record)
    await waiting.save(transaction, id)
    return BigInt(id)
  }

  /** The block that the network goes back to. */
  async function headAt(number: bigint): Promise<Head> {
    if (sealer.head.header.number === number) return sealer.head
    if (number === origin.header.number) return origin
    // A snapshot goes with its block, which may be kept longer than history shows it.
    return recent.block({ number }) ?? (await loadStoredBlock(queries, { number }))?.block ?? origin
  }

  async function revert(id: bigint): Promise<boolean> {
    const snapshot = await loadSnapshot(queries, Number(id))
    if (!snapshot) return false
    const head = await headAt(BigInt(snapshot.blockNumber))
    const settings = snapshot.settings as SnapshotSettings
    const then = await waiting.at(snapshot.id)
    const save: SaveMore = async (transaction) => {
      await then.save(transaction)
      // Later ones have greater ids.
      await removeSnapshotsFrom(transaction, snapshot.id)
      await saveSettings(transaction, { [blockClockKey]: settings.blockClock, nextBlock: settings.nextBlock ?? {} })
    }
    let removed: LogEntry[] = []
    if (snapshot.seq < state.seq())
      removed = await rewind(head, { seq: snapshot.seq, commitment: settings.commitment }, save)
    // Since then, there were only calls, and transactions that wait.
    else await database.transaction(save)
    then.saved()
    blockClock.restore(settings.blockClock)
    nextBlock.restore(settings.nextBlock)
    tell(head, removed)
    return true
  }

  return {
    snapshot: (name) => state.exclusive(() => database.transaction((transaction) => saveSnapshot(transaction, name))),
    saveSnapshot,
    async snapshots() {
      const records = await loadSnapshots(queries, listedSnapshots)
      return records.map(({ id, blockNumber, settings }) => ({
        id: BigInt(id),
        name: (settings as SnapshotSettings).name,
        blockNumber: BigInt(blockNumber),
      }))
    },
    revert: (id) => state.exclusive(() => revert(id)),
  }
}

function createRollbacks(needs: Needs, { rewind, tell, begin }: Rewinder) {
  const { state, pool, sealer, origin } = needs
  const { queries } = needs.database

  /** Removes so many blocks. Runs inside `state.exclusive`. */
  async function rollback(depth: bigint, save = nothingMore): Promise<void> {
    const number = sealer.head.header.number - depth
    if (number < origin.header.number)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'depth',
        problem: `the network has ${sealer.head.header.number - origin.header.number} local blocks, not ${depth}`,
      })
    if (depth === 0n) return
    const record = await loadNewestBlock(queries, number)
    const stored = record && (await loadStoredBlock(queries, { number: record.number }))
    const point = stored
      ? { seq: stored.seq, commitment: stored.block.header.stateRoot }
      : { seq: 0, commitment: zeroWord }
    const removed = await rewind(stored?.block ?? origin, point, async (transaction) => {
      await removeSnapshotsAfter(transaction, point.seq)
      await save(transaction)
    })
    if (!stored) return begin(removed)
    const { block } = stored
    tell(block, removed)
  }
  const rollbackTo: Rewinds['rollbackTo'] = (number, prepare) =>
    state.exclusive(async () => {
      const { writes, removed, written, ...kept } = await prepare()
      const pending = kept.pending.filter(({ from, nonce }) => !pool.ofSender(from)?.has(nonce))
      const records = pending.map(({ hash, raw, from: sender }) => ({ hash, raw, sender }))
      const save: SaveMore = async (transaction) => {
        await removed(transaction)
        await addPendingTransactions(transaction, records)
      }
      await rollback(sealer.head.header.number - number, save)
      const commitment = nextCommitment(state.commitment(), writes)
      await state.commit([{ diff: writes, commitment }], { base: sealer.head.base, save: written })
      for (const each of pending) pool.add(each, () => {}, { stored: true })
    })

  return { rollback, rollbackTo }
}

function createResets(
  { state, pool, blockClock, nextBlock, sealer, opening, origin, mining, startOfClock }: Needs,
  { rewind, begin }: Rewinder,
): Pick<Rewinds, 'reset' | 'abandon'> {
  /** Transactions that wait were sent to another chain. */
  async function dropWaiting(): Promise<void> {
    const entries = [...pool.entries()]
    await sealer.drop(entries)
    for (const entry of entries) entry.settle({ type: 'queued' })
  }

  /** Goes back to the origin, and forgets what was set for the next blocks. */
  async function forget(save: SaveMore): Promise<LogEntry[]> {
    const settings = startOfClock()
    const removed = await rewind(origin, { seq: 0, commitment: zeroWord }, async (transaction) => {
      await removeSnapshotsFrom(transaction, 0)
      await saveSettings(transaction, { [blockClockKey]: settings, nextBlock: {} })
      await save(transaction)
    })
    blockClock.restore(settings)
    nextBlock.restore()
    return removed
  }

  return {
    async reset() {
      await state.exclusive(async () => {
        await dropWaiting()
        await begin(await forget(opening.again))
        await withoutBudget(opening.seal)
      })
      await mining.resume()
    },
    async abandon(save) {
      await state.exclusive(async () => {
        await dropWaiting()
        await forget(save)
      })
    },
  }
}

/** Removes blocks as a client asked, who may not remove finalized ones. */
function removeBlocks(depth: bigint, remove: () => Promise<void>, { state, finality }: Needs): Promise<void> {
  return state.exclusive(async () => {
    finality.requireRemovable(depth)
    await remove()
  })
}
