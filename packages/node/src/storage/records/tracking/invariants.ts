import type { Address, Word } from '@understudy/evm'
import type { Selectable } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'
import { runStatement } from '../../queries/runStatement.ts'
import type { Tables } from '../../schema.ts'
import type { SourceLocation } from '../contracts/sourceLocation.ts'
import type { TrackedValue } from './trackedItems.ts'

export const comparators = ['==', '!=', '<', '<=', '>', '>='] as const
export type Comparator = (typeof comparators)[number]

/** What must hold: a comparison, whose `right` is a value or a constant as text, or an expression over named values. */
export type InvariantCheck =
  | { left: TrackedValue; is: Comparator; right: TrackedValue | string }
  | { values: Record<string, TrackedValue>; holds: string }

/** What to do when it fails: seal no more blocks by itself, make a branch at the block. */
export type InvariantActions = { pause: boolean; branch: boolean }

export type InvariantRecord = InvariantActions & { number: number; id: string; name: string; check: InvariantCheck }

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
  /** What that transaction wrote of what the check reads. */
  written: { address: Address; slot: Word } | undefined
  /** The line that wrote it. */
  location: SourceLocation | undefined
  /** The name of the branch that was made at the block. */
  branch: string | undefined
}

/** Oldest first. */
export async function loadInvariants(queries: Queries): Promise<InvariantRecord[]> {
  const rows = await queries.selectFrom('invariants').selectAll().orderBy('number').execute()
  return rows.map(({ number, id, name, definition }) => {
    const { pause = false, branch = false, ...check } = JSON.parse(definition) as InvariantCheck & InvariantActions
    return { number, id, name, pause, branch, check }
  })
}

/** Returns the number that it was given. */
export async function addInvariant(
  queries: Queries,
  { id, name, check, pause, branch }: Omit<InvariantRecord, 'number'>,
): Promise<number> {
  const row = await queries
    .insertInto('invariants')
    .values({ id, name, definition: JSON.stringify({ ...check, pause, branch }) })
    .returning('number')
    .executeTakeFirstOrThrow()
  return row.number
}

export async function removeInvariant(queries: Queries, number: number): Promise<void> {
  await queries.deleteFrom('invariants').where('number', '=', number).execute()
  await queries.deleteFrom('invariant_failures').where('invariant', '=', number).execute()
}

/** `isOpen`: whether its line is to be found, or a branch to be made. */
export type NewFailure = InvariantFailure & { isOpen: boolean }

export async function addInvariantFailures(queries: Queries, failures: readonly NewFailure[]): Promise<void> {
  const rows = failures.map((each) => ({
    invariant: each.invariant,
    block_number: Number(each.blockNumber),
    hash: each.hash === undefined ? null : column.hex(each.hash),
    left_value: each.left ?? null,
    right_value: each.right ?? null,
    error: each.error ?? null,
    recovered_at: null,
    address: each.written ? column.hex(each.written.address) : null,
    slot: each.written ? column.hex(each.written.slot) : null,
    location: null,
    made_branch: null,
    is_open: each.isOpen ? 1 : 0,
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
  await runStatement(queries, 'reopenInvariantFailures', [null, Number(block)], () =>
    queries
      .updateTable('invariant_failures')
      .set({ recovered_at: null })
      .where('recovered_at', '>', Number(block))
      .compile(),
  )
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
  return rows.map(failureFrom)
}

/** Those whose line was not looked for and whose branch was not made, oldest first. */
export async function loadOpenFailures(queries: Queries, limit: number): Promise<InvariantFailure[]> {
  const rows = await queries
    .selectFrom('invariant_failures')
    .selectAll()
    .where('is_open', '=', 1)
    .orderBy('block_number')
    .limit(limit)
    .execute()
  return rows.map(failureFrom)
}

/** Keeps what was found and made for a failure. */
export async function closeFailure(
  queries: Queries,
  { invariant, blockNumber, location, branch }: InvariantFailure,
): Promise<void> {
  await queries
    .updateTable('invariant_failures')
    .set({ is_open: 0, location: location ? JSON.stringify(location) : null, made_branch: branch ?? null })
    .where('invariant', '=', invariant)
    .where('block_number', '=', Number(blockNumber))
    .execute()
}

/** How many branches its failures made. */
export async function countMadeBranches(queries: Queries, invariant: number): Promise<number> {
  const row = await queries
    .selectFrom('invariant_failures')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('invariant', '=', invariant)
    .where('made_branch', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

type Row = Selectable<Tables['invariant_failures']>

const failureFrom = (row: Row): InvariantFailure => ({
  invariant: row.invariant,
  blockNumber: BigInt(row.block_number),
  hash: row.hash === null ? undefined : value.word(row.hash),
  left: row.left_value ?? undefined,
  right: row.right_value ?? undefined,
  error: row.error ?? undefined,
  recoveredAt: row.recovered_at === null ? undefined : BigInt(row.recovered_at),
  written: row.address && row.slot ? { address: value.address(row.address), slot: value.word(row.slot) } : undefined,
  location: row.location === null ? undefined : (JSON.parse(row.location) as SourceLocation),
  branch: row.made_branch ?? undefined,
})

/** The oldest block after another one that broke an invariant. */
export async function loadNextBrokenBlock(queries: Queries, after: bigint): Promise<bigint | undefined> {
  const row = await queries
    .selectFrom('invariant_failures')
    .select('block_number')
    .where('block_number', '>', Number(after))
    .orderBy('block_number')
    .limit(1)
    .executeTakeFirst()
  return row && BigInt(row.block_number)
}
