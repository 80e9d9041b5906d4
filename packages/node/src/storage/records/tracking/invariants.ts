import type { Word } from '@understudy/evm'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../insertRows.ts'
import type { TrackedValue } from './trackedItems.ts'

export const comparators = ['==', '!=', '<', '<=', '>', '>='] as const
export type Comparator = (typeof comparators)[number]

/** What must hold. `right` is a value, or a constant as text. */
export type InvariantCheck = { left: TrackedValue; is: Comparator; right: TrackedValue | string }

export type InvariantRecord = { number: number; id: string; name: string; check: InvariantCheck }

/** A time in which an invariant did not hold. */
export type InvariantFailure = {
  invariant: number
  /** The first block after which it did not hold. */
  blockNumber: bigint
  /** The transaction after which it did not; `undefined` if it was none of this network's. */
  hash: Word | undefined
  left: string | undefined
  right: string | undefined
  error: string | undefined
  /** The block after which it held again. */
  recoveredAt: bigint | undefined
}

/** Oldest first. */
export async function loadInvariants(queries: Queries): Promise<InvariantRecord[]> {
  const rows = await queries.selectFrom('invariants').selectAll().orderBy('number').execute()
  return rows.map(({ number, id, name, definition }) => ({
    number,
    id,
    name,
    check: JSON.parse(definition) as InvariantCheck,
  }))
}

/** Returns the number that it was given. */
export async function addInvariant(
  queries: Queries,
  { id, name, check }: Omit<InvariantRecord, 'number'>,
): Promise<number> {
  const row = await queries
    .insertInto('invariants')
    .values({ id, name, definition: JSON.stringify(check) })
    .returning('number')
    .executeTakeFirstOrThrow()
  return row.number
}

export async function removeInvariant(queries: Queries, number: number): Promise<void> {
  await queries.deleteFrom('invariants').where('number', '=', number).execute()
  await queries.deleteFrom('invariant_failures').where('invariant', '=', number).execute()
}

export async function addInvariantFailures(queries: Queries, failures: readonly InvariantFailure[]): Promise<void> {
  const rows = failures.map((each) => ({
    invariant: each.invariant,
    block_number: Number(each.blockNumber),
    hash: each.hash === undefined ? null : column.hex(each.hash),
    left_value: each.left ?? null,
    right_value: each.right ?? null,
    error: each.error ?? null,
    recovered_at: null,
  }))
  await insertRows(queries, 'invariant_failures', rows)
}

/** Notes that an invariant holds again. */
export async function endInvariantFailure(queries: Queries, invariant: number, block: bigint): Promise<void> {
  await queries
    .updateTable('invariant_failures')
    .set({ recovered_at: Number(block) })
    .where('invariant', '=', invariant)
    .where('recovered_at', 'is', null)
    .execute()
}

/** Called when the network reverts to a block. */
export async function reopenInvariantFailures(queries: Queries, block: bigint): Promise<void> {
  await queries
    .updateTable('invariant_failures')
    .set({ recovered_at: null })
    .where('recovered_at', '>', Number(block))
    .execute()
}

/** The numbers of the invariants that do not hold. */
export async function loadBroken(queries: Queries): Promise<Set<number>> {
  const rows = await queries
    .selectFrom('invariant_failures')
    .select('invariant')
    .where('recovered_at', 'is', null)
    .execute()
  return new Set(rows.map(({ invariant }) => invariant))
}

/** Newest first. */
export async function loadInvariantFailures(
  queries: Queries,
  invariant: number,
  limit: number,
): Promise<InvariantFailure[]> {
  const rows = await queries
    .selectFrom('invariant_failures')
    .selectAll()
    .where('invariant', '=', invariant)
    .orderBy('block_number', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    invariant,
    blockNumber: BigInt(row.block_number),
    hash: row.hash === null ? undefined : value.word(row.hash),
    left: row.left_value ?? undefined,
    right: row.right_value ?? undefined,
    error: row.error ?? undefined,
    recoveredAt: row.recovered_at === null ? undefined : BigInt(row.recovered_at),
  }))
}
