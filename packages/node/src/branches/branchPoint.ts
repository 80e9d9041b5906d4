import type { Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import type { Rewinds } from '../chain/rewind/rewind.ts'
import { LocalRulesByBlock } from '../chain/run/localRules.ts'
import { type BlockSettings, loadLocalRulesSettings, localRulesKey } from '../chain/sealing/blockSettings.ts'
import { type OpeningBlock, openingFrom, openingKey } from '../chain/sealing/openingBlock.ts'
import { loadStoredBlock } from '../chain/store/blockStore.ts'
import type { Submission } from '../chain/submission/submission.ts'
import type { FunctionOverrides } from '../overrides/functionOverrides.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Events } from '../shared/events.ts'
import type { BlockTag } from '../state/blockTag.ts'
import type { State } from '../state/state.ts'
import type { LayerPoint, NetworkNumber } from '../storage/branches/layers.ts'
import type { Queries } from '../storage/database.ts'
import { loadBlockAfter, removeBlocksAfter } from '../storage/records/chain/blocks.ts'
import { addRewind } from '../storage/records/chain/rewinds.ts'
import { loadStateBefore } from '../storage/records/chain/shadowedTransactions.ts'
import { removeSnapshotsAfter } from '../storage/records/chain/snapshots.ts'
import { saveSetting } from '../storage/records/settings.ts'
import { revertFollows } from '../storage/records/state/follows.ts'
import { encodeDiff } from '../storage/records/state/storedDiff.ts'
import { revertTrackedItems } from '../storage/records/tracking/trackedItems.ts'
import type { Dashboards } from '../workspaces/dashboards.ts'

/** What a branch of a network needs of it. */
export type NetworkParts = {
  number: NetworkNumber
  queries: Queries
  state: State
  history: History
  rewinds: Pick<Rewinds, 'saveSnapshot'>
  blockSettings: Pick<BlockSettings, 'time'>
}

/** The services of a network that branches themselves need. */
export type BranchedServices = {
  overrides: Pick<FunctionOverrides, 'list'>
  dashboards: Pick<Dashboards, 'slotPaths'>
  submission: Pick<Submission, 'dropUsed'>
  changes: Events<{ changed: { method: string }; exchanged: undefined }>
}

/** A network that is open, with its services. */
export type OpenNetwork<Services = BranchedServices> = NetworkParts & { services: Services }

/** A branch that is open, until `stop`. */
export type OpenBranch<Services> = OpenNetwork<Services> & { stop(): Promise<void> }

/** Where a branch leaves its parent. */
export type BranchPoint = {
  point: LayerPoint
  /**
   * Set if its parent went on since: its newest change, the commitment of the block, if that is a local one, and the
   * block that it begins with, if it leaves its parent inside of one.
   */
  past: { newest: LayerPoint; commitment: Word | undefined; opening?: OpeningBlock } | undefined
}

type Needs = Pick<NetworkParts, 'queries' | 'state' | 'history' | 'blockSettings'>

/**
 * The newest state, or that of a block, with the direct writes after it: what reads at that block return. Throws
 * `INVALID_PARAMS`, `BLOCK_NOT_FOUND`, `BLOCK_PRUNED`.
 */
export async function pointAt(at: BlockTag | undefined, needs: Needs): Promise<BranchPoint> {
  const { queries, history } = needs
  const newest = newestPoint(needs)
  if (at === undefined) return { point: newest, past: undefined }
  const { number } = await history.resolve(at)
  if (number < history.origin.number)
    throw new NetworkError('INVALID_PARAMS', {
      field: 'at',
      problem: `block ${number} is of the live chain. The first one that a branch can begin at is ${history.origin.number}`,
    })
  const next = await loadBlockAfter(queries, number)
  if (!next) return { point: newest, past: undefined }
  const found = await history.loadBlock({ number })
  const commitment = found?.origin === 'local' ? found.value.header.stateRoot : undefined
  return { point: { seq: next.seq - 1, block: Number(number), at: newest.at }, past: { newest, commitment } }
}

/**
 * The state after a local transaction: within its block, the branch begins with a block that ends there. Throws
 * `INVALID_PARAMS`, `TRANSACTION_NOT_FOUND`, `BLOCK_PRUNED`.
 */
export async function pointAfter(hash: Word, needs: Needs): Promise<BranchPoint> {
  const { queries, history } = needs
  const found = await history.loadTransaction(hash)
  if (!found) throw new NetworkError('TRANSACTION_NOT_FOUND', { hash })
  const refuse = (problem: string) =>
    new NetworkError('INVALID_PARAMS', { field: 'params[0].afterTransaction', problem })
  if (found.origin !== 'local')
    throw refuse(
      `${hash} is of the live chain. A branch begins at a block or after a transaction of this network; fork the live chain there with --fork-transaction-hash`,
    )
  const { block: sealedIn, index } = found.value
  if (!sealedIn?.hash) throw refuse(`${hash} waits for a block`)
  const stored = await loadStoredBlock(queries, { hash: sealedIn.hash })
  if (!stored) throw new NetworkError('TRANSACTION_NOT_FOUND', { hash })
  const { block, seq } = stored
  const { number, parentHash, stateRoot } = block.header
  const newest = newestPoint(needs)
  if (index === block.transactions.length - 1)
    return { point: { seq, block: Number(number), at: newest.at }, past: { newest, commitment: stateRoot } }
  const before = await loadStateBefore(queries, number)
  const transactions = block.transactions.slice(0, index + 1).map(({ hash, raw, from }) => {
    const diff = before.get(hash)
    return { raw, from, ...(diff && { before: encodeDiff(diff) }) }
  })
  const parent = await loadStoredBlock(queries, { hash: parentHash })
  return {
    point: { seq: seq - 1, block: Number(number) - 1, at: newest.at },
    past: { newest, commitment: parent?.block.header.stateRoot, opening: openingFrom(block.header, transactions) },
  }
}

/** Samples have the network's time, which may be hours before or after that of the machine. */
function newestPoint({ state, history, blockSettings }: Needs): LayerPoint {
  return { seq: state.seq(), block: Number(history.head().header.number), at: Number(blockSettings.time()) * 1000 }
}

/**
 * Undoes what a branch of the past has copied of the time after its point, as a rollback to it does. `queries` read its
 * parent's rows up to the newest change.
 */
export async function beginInPast(
  queries: Queries,
  { seq, block }: LayerPoint,
  { newest, commitment, opening }: NonNullable<BranchPoint['past']>,
): Promise<void> {
  const number = BigInt(block)
  // Later changes get numbers that the copied rows do not have.
  await addRewind(queries, newest.seq + 1, number)
  await removeBlocksAfter(queries, number)
  await revertFollows(queries, seq)
  await revertTrackedItems(queries, number)
  await removeSnapshotsAfter(queries, seq)
  const localRules = new LocalRulesByBlock(0n, await loadLocalRulesSettings(queries)).withoutBlocks(number + 1n)
  if (localRules.length > 0) await saveSetting(queries, localRulesKey, localRules)
  if (commitment !== undefined) await saveSetting(queries, 'commitment', commitment)
  if (opening) await saveSetting(queries, openingKey, opening)
}
