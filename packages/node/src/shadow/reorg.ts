import type { StateDiff, Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import type { Rewinds } from '../chain/rewind/rewind.ts'
import type { UpstreamBlock } from '../chain/sealing/blockGroup.ts'
import { loadStoredBlock } from '../chain/store/blockStore.ts'
import type { Transaction } from '../ethereum/transaction.ts'
import { quantity } from '../shared/hex.ts'
import type { Logger } from '../shared/logger.ts'
import { emptyDiff, mergeDiff } from '../state/diff.ts'
import type { State } from '../state/state.ts'
import type { Database } from '../storage/database.ts'
import { loadShadowedHashes } from '../storage/records/chain/shadowedTransactions.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'
import { loadLocalAccounts, loadLocalCode, loadVersionsSince } from '../storage/records/state/localState.ts'
import { decodeDiff, encodeDiff } from '../storage/records/state/storedDiff.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** The deepest reorg that is followed: beyond any that a live chain has. */
const depthLimit = 256
/** The most rows of direct writes that are made again. */
const versionLimit = 50_000

/** The setting that holds direct writes that a rollback removed, until they are made again. */
const removedWritesKey = 'shadowReorg'

export type ReorgNeeds = {
  database: Database
  history: Pick<History, 'head' | 'origin'>
  state: Pick<State, 'seq' | 'write' | 'follows'>
  rewinds: Pick<Rewinds, 'rollbackTo'>
  upstream: Pick<Upstream, 'request'>
  logger: Logger
}

/**
 * Follows a reorg of the live chain: removes the blocks whose live blocks are gone, so that their transactions do not
 * count twice. Direct writes since then are made again, and transactions of this network wait again.
 * False if `next` follows the block that was replayed last, or if nothing can be removed.
 */
export async function followReorg(next: UpstreamBlock, needs: ReorgNeeds): Promise<boolean> {
  const { history, rewinds, logger } = needs
  const { base, header } = history.head()
  if (next.number !== base.number + 1n || next.header.parentHash === base.hash) return false
  const kept = await loadLastCommon(needs)
  if (!kept || kept.number === header.number) return false
  await rewinds.rollbackTo(kept.number, async () => {
    const { writes, pending } = await loadOwnChanges(kept, history.head().header.number, needs)
    return {
      ...{ writes, pending },
      async removed(transaction) {
        await saveSetting(transaction, removedWritesKey, encodeDiff(writes))
        const removed = { from: kept.number + 1n, to: header.number }
        logger.warn(removed, 'The live chain replaced blocks; removed those that replay them')
      },
      written: (transaction) => saveSetting(transaction, removedWritesKey, null),
    }
  })
  return true
}

/** Makes the direct writes again that a rollback had removed when the process was killed. */
export async function remakeWrites({ database, state }: Pick<ReorgNeeds, 'database' | 'state'>): Promise<void> {
  const removed = await loadSetting<string | null>(database.queries, removedWritesKey)
  if (!removed) return
  await state.write(decodeDiff(removed))
  await database.transaction((transaction) => saveSetting(transaction, removedWritesKey, null))
}

/** The newest block here whose live block is still in the live chain, and its change number. */
async function loadLastCommon({ database: { queries }, history, upstream }: ReorgNeeds) {
  const { header } = history.head()
  for (let depth = 1n; depth <= BigInt(depthLimit); depth++) {
    const number = header.number - depth
    if (number <= history.origin.number) return { number: history.origin.number, seq: 0 }
    const stored = await loadStoredBlock(queries, { number })
    if (!stored) continue
    const { base } = stored.block
    const live = await upstream.request<{ hash?: unknown } | null>('eth_getBlockByNumber', [
      quantity(base.number),
      false,
    ])
    if (live?.hash === base.hash) return { number, seq: stored.seq }
  }
  return undefined
}

/** What was changed here since, without blocks of the live chain. */
async function loadOwnChanges(
  kept: { number: bigint; seq: number },
  newest: bigint,
  { database: { queries }, state, logger }: ReorgNeeds,
): Promise<{ writes: StateDiff; pending: Transaction[] }> {
  const writes = emptyDiff()
  const sealed = new Set<number>()
  const pending: Transaction[] = []
  for (let number = kept.number + 1n; number <= newest; number++) {
    const stored = await loadStoredBlock(queries, { number })
    if (!stored) continue
    sealed.add(stored.seq)
    const shadowed = await loadShadowedHashes(queries, number)
    pending.push(...stored.block.transactions.filter(({ hash }) => !shadowed.has(hash)))
  }
  const changes = await loadVersionsSince(queries, kept.seq, state.seq(), versionLimit)
  if (!changes) logger.error({ limit: versionLimit }, 'Lost direct writes to a reorg: too much has changed since')
  const follows = state.follows()
  for (const { seq, versions } of changes ?? []) {
    // Funding is the first change of a network, which a rollback makes again.
    if (sealed.has(seq) || seq === 1) continue
    const records = await loadLocalAccounts(queries, [...versions.accounts.keys()], seq - 1)
    const diff = emptyDiff()
    for (const [address, after] of versions.accounts) {
      if (follows.hasAccount(address)) continue
      const before = records.get(address)
      const fields: NonNullable<ReturnType<StateDiff['accounts']['get']>> = {}
      if (after.balance !== undefined && after.balance !== before?.balance) fields.balance = after.balance
      if (after.nonce !== undefined && after.nonce !== before?.nonce) fields.nonce = after.nonce
      if (after.codeHash !== undefined && after.codeHash !== before?.codeHash)
        fields.code = (await loadLocalCode(queries, after.codeHash)) ?? new Uint8Array()
      diff.accounts.set(address, fields)
    }
    for (const [address, values] of versions.slots) {
      const slots = new Map<Word, bigint>()
      for (const [slot, value] of values)
        if (value !== undefined && !follows.hasSlot(address, slot)) slots.set(slot, value)
      if (slots.size > 0) diff.slots.set(address, slots)
    }
    mergeDiff(writes, diff)
  }
  return { writes, pending }
}
