import type { Address } from '@understudy/evm'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'

export const trackedTypes = ['native-token-balance', 'erc20-balance', 'function-result', 'storage-variable'] as const
export type TrackedType = (typeof trackedTypes)[number]

export const recordTriggers = ['every-tx', 'every-n-blocks', 'cron'] as const
export type RecordTrigger = (typeof recordTriggers)[number]

/** A tracked item as defined by a client. */
export type TrackedDefinition = {
  address: Address
  name: string
  type: TrackedType
  functionAbi: string | undefined
  /** A JSON array. */
  functionArgs: string | undefined
  functionOutputPath: string | undefined
  recordTrigger: RecordTrigger
  /** Blocks, or seconds. */
  trackingFrequency: number | undefined
  tags: string[]
}

export type TrackedItemRecord = TrackedDefinition & {
  /** The id that its samples refer to. */
  number: number
  id: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** The start of its schedule: a block number, or milliseconds for cron. `undefined` before its first entry. */
  anchor: number | undefined
  lastError: string | undefined
}

/** Oldest first. */
export async function loadTrackedItems(queries: Queries): Promise<TrackedItemRecord[]> {
  const rows = await queries.selectFrom('tracked_items').selectAll().orderBy('number').execute()
  return rows.map((row) => ({
    number: row.number,
    id: row.id,
    address: value.address(row.address),
    name: row.name,
    type: row.type as TrackedType,
    functionAbi: row.function_abi ?? undefined,
    functionArgs: row.function_args ?? undefined,
    functionOutputPath: row.function_output_path ?? undefined,
    recordTrigger: row.record_trigger as RecordTrigger,
    trackingFrequency: row.tracking_frequency ?? undefined,
    tags: JSON.parse(row.tags),
    createdAt: row.created_at,
    anchor: row.anchor ?? undefined,
    lastError: row.last_error ?? undefined,
  }))
}

/** Returns the number that it was given. */
export async function addTrackedItem(queries: Queries, record: Omit<TrackedItemRecord, 'number'>): Promise<number> {
  const row = await queries
    .insertInto('tracked_items')
    .values({ id: record.id, created_at: record.createdAt, ...columns(record) })
    .returning('number')
    .executeTakeFirstOrThrow()
  return row.number
}

export async function saveTrackedItem(queries: Queries, record: TrackedItemRecord): Promise<void> {
  await queries.updateTable('tracked_items').set(columns(record)).where('number', '=', record.number).execute()
}

/** Stores the fields that recording changes. */
export async function saveTrackedProgress(
  queries: Queries,
  { number, anchor, lastError }: Pick<TrackedItemRecord, 'number' | 'anchor' | 'lastError'>,
): Promise<void> {
  await queries
    .updateTable('tracked_items')
    .set({ anchor: anchor ?? null, last_error: lastError ?? null })
    .where('number', '=', number)
    .execute()
}

export async function removeTrackedItem(queries: Queries, number: number): Promise<void> {
  await queries.deleteFrom('tracked_items').where('number', '=', number).execute()
}

/** Resets schedules that started at a block after `number`. */
export async function revertTrackedItems(queries: Queries, number: bigint): Promise<void> {
  await queries
    .updateTable('tracked_items')
    .set({ anchor: null })
    .where('record_trigger', '!=', 'cron')
    .where('anchor', '>', Number(number))
    .execute()
}

function columns(record: Omit<TrackedItemRecord, 'number'>) {
  return {
    address: column.hex(record.address),
    name: record.name,
    type: record.type,
    function_abi: record.functionAbi ?? null,
    function_args: record.functionArgs ?? null,
    function_output_path: record.functionOutputPath ?? null,
    record_trigger: record.recordTrigger,
    tracking_frequency: record.trackingFrequency ?? null,
    tags: JSON.stringify(record.tags),
    anchor: record.anchor ?? null,
    last_error: record.lastError ?? null,
  }
}
