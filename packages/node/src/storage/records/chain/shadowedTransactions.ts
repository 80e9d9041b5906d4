import type { Address, Hex, StateDiff, Word } from '@understudy/evm'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'
import { decodeDiff, encodeDiff } from '../state/storedDiff.ts'

/**
 * What became of a transaction of the live chain that ran here too. `same`: as there. `diverged`. `refused`: it cannot be
 * in a block here. `unreproducible`: on the untouched state, it does not come out here as there either; it did not run.
 */
export type ShadowKind = 'same' | 'diverged' | 'refused' | 'unreproducible'

export type ShadowedTransaction = {
  blockNumber: bigint
  /** In the block of the live chain. */
  position: number
  hash: Word
  kind: ShadowKind
  isCascade: boolean
  from: Address
  to: Address | undefined
  selector: Hex | undefined
  /** What differs. */
  fields: readonly string[]
  /** As JSON. */
  detail: unknown
  /** What others of its live block had changed before it, of what it read; `undefined` if nothing. */
  before?: StateDiff | undefined
}

export async function addShadowedTransactions(
  queries: Queries,
  transactions: readonly ShadowedTransaction[],
): Promise<void> {
  const rows = transactions.map((each) => ({
    block_number: Number(each.blockNumber),
    position: each.position,
    hash: column.hex(each.hash),
    kind: each.kind,
    is_cascade: each.isCascade ? 1 : 0,
    sender: column.hex(each.from),
    target: each.to === undefined ? null : column.hex(each.to),
    selector: each.selector === undefined ? null : column.hex(each.selector),
    fields: JSON.stringify(each.fields),
    detail: JSON.stringify(each.detail),
    before: each.before ? encodeDiff(each.before) : null,
  }))
  await insertRows(queries, 'shadowed_transactions', rows)
}

export type ShadowedFilter = {
  kinds?: readonly ShadowKind[] | undefined
  isCascade?: boolean | undefined
  to?: Address | undefined
  hash?: Word | undefined
  fromBlock?: bigint | undefined
  toBlock?: bigint | undefined
  /** Older ones than the transaction at this position. */
  before?: { block: number; position: number } | undefined
}

/** Newest first, at most `limit`. */
export async function loadShadowedTransactions(
  queries: Queries,
  filter: ShadowedFilter,
  limit: number,
): Promise<ShadowedTransaction[]> {
  const { kinds, isCascade, to, hash, fromBlock, toBlock, before } = filter
  let query = queries.selectFrom('shadowed_transactions').selectAll()
  if (kinds) query = query.where('kind', 'in', [...kinds])
  if (isCascade !== undefined) query = query.where('is_cascade', '=', isCascade ? 1 : 0)
  if (to) query = query.where('target', '=', column.hex(to))
  if (hash) query = query.where('hash', '=', column.hex(hash))
  if (fromBlock !== undefined) query = query.where('block_number', '>=', Number(fromBlock))
  if (toBlock !== undefined) query = query.where('block_number', '<=', Number(toBlock))
  if (before)
    query = query.where(({ eb, and, or }) =>
      or([
        eb('block_number', '<', before.block),
        and([eb('block_number', '=', before.block), eb('position', '<', before.position)]),
      ]),
    )
  const rows = await query.orderBy('block_number', 'desc').orderBy('position', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    blockNumber: BigInt(row.block_number),
    position: row.position,
    hash: value.word(row.hash),
    kind: row.kind as ShadowKind,
    isCascade: row.is_cascade === 1,
    from: value.address(row.sender),
    to: row.target === null ? undefined : value.address(row.target),
    selector: row.selector === null ? undefined : value.hex(row.selector),
    fields: JSON.parse(row.fields) as string[],
    detail: JSON.parse(row.detail),
  }))
}

/** How many there are of each kind. */
export async function countShadowedTransactions(queries: Queries): Promise<Record<ShadowKind, number>> {
  const rows = await queries
    .selectFrom('shadowed_transactions')
    .select(['kind', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('kind')
    .execute()
  const counts = { same: 0, diverged: 0, refused: 0, unreproducible: 0 }
  for (const { kind, count } of rows) counts[kind as ShadowKind] = Number(count)
  return counts
}

/** The transactions of a block here that are the live chain's. */
export async function loadShadowedHashes(queries: Queries, blockNumber: bigint): Promise<Set<Word>> {
  const rows = await queries
    .selectFrom('shadowed_transactions')
    .select('hash')
    .where('block_number', '=', Number(blockNumber))
    .execute()
  return new Set(rows.map(({ hash }) => value.word(hash)))
}

/** What changed the state of a block before some of its transactions, by their hashes. */
export async function loadStateBefore(queries: Queries, blockNumber: bigint): Promise<Map<Word, StateDiff>> {
  const rows = await queries
    .selectFrom('shadowed_transactions')
    .select(['hash', 'before'])
    .where('block_number', '=', Number(blockNumber))
    .where('before', 'is not', null)
    .execute()
  return new Map(rows.map(({ hash, before }) => [value.word(hash), decodeDiff(before ?? '')]))
}

/** The key of what is local because a transaction diverged; without a slot, a field of the account. */
export type ShadowKey = { address: Address; slot: Word | undefined }

export async function addShadowKeys(
  queries: Queries,
  keys: readonly (ShadowKey & { blockNumber: bigint; hash: Word })[],
): Promise<void> {
  const rows = keys.map(({ address, slot, blockNumber, hash }) => ({
    address: column.hex(address),
    slot: column.hex(slot ?? '0x'),
    block_number: Number(blockNumber),
    hash: column.hex(hash),
  }))
  await insertRows(queries, 'shadow_keys', rows, 'keep')
}

/** Of an account, the slots that are local because of a transaction, and which; the key of the account is `''`. */
export async function loadShadowKeys(queries: Queries, address: Address): Promise<Map<Word | '', Word>> {
  const rows = await queries
    .selectFrom('shadow_keys')
    .select(['slot', 'hash'])
    .where('address', '=', column.hex(address))
    .execute()
  return new Map(rows.map(({ slot, hash }) => [slot.length === 0 ? '' : value.word(slot), value.word(hash)]))
}

/** The oldest block after another one with a transaction that did not come out as on the live chain. */
export async function loadNextShadowedBlock(queries: Queries, after: bigint): Promise<bigint | undefined> {
  const row = await queries
    .selectFrom('shadowed_transactions')
    .select('block_number')
    .where('block_number', '>', Number(after))
    .where('kind', '!=', 'same')
    .orderBy('block_number')
    .limit(1)
    .executeTakeFirst()
  return row && BigInt(row.block_number)
}
