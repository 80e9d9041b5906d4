import type { RecordTrigger, TrackedType } from '@understudy/client/methods'
import type { Address } from '@understudy/evm'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'

/** What is recorded. */
export type TrackedValue = {
  address: Address
  type: TrackedType
  functionAbi: string | undefined
  /** A JSON array. */
  functionArgs: string | undefined
  functionOutputPath: string | undefined
}

/** When a value is recorded, and since when: `undefined` before the first entry. */
export type Schedule =
  /** The frequency is only stored. */
  | { trigger: 'every-tx'; frequency: number | undefined; firstBlock: number | undefined }
  /** The frequency is a number of blocks, counted from the first. */
  | { trigger: 'every-n-blocks'; frequency: number; firstBlock: number | undefined }
  /** The frequency is a number of seconds, counted from the last turn: milliseconds since 1970. */
  | { trigger: 'cron'; frequency: number; lastTurnMs: number | undefined }

export type TrackedItemRecord = TrackedValue & {
  /** The id that its samples refer to. */
  number: number
  id: string
  name: string
  tags: string[]
  schedule: Schedule
  /** Milliseconds since 1970. */
  createdAt: number
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
    tags: JSON.parse(row.tags),
    schedule: scheduleFrom(row.record_trigger as RecordTrigger, row.tracking_frequency ?? undefined, row.anchor),
    createdAt: row.created_at,
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
  { number, schedule, lastError }: Pick<TrackedItemRecord, 'number' | 'schedule' | 'lastError'>,
): Promise<void> {
  await queries
    .updateTable('tracked_items')
    .set({ anchor: anchorOf(schedule), last_error: lastError ?? null })
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

/** The column `anchor` is a block number, or a time for `cron`. */
function anchorOf(schedule: Schedule): number | null {
  return (schedule.trigger === 'cron' ? schedule.lastTurnMs : schedule.firstBlock) ?? null
}

function scheduleFrom(trigger: RecordTrigger, frequency: number | undefined, anchor: number | null): Schedule {
  if (trigger === 'every-tx') return { trigger, frequency, firstBlock: anchor ?? undefined }
  if (trigger === 'every-n-blocks') return { trigger, frequency: frequency ?? 1, firstBlock: anchor ?? undefined }
  return { trigger, frequency: frequency ?? 1, lastTurnMs: anchor ?? undefined }
}

function columns(record: Omit<TrackedItemRecord, 'number'>) {
  return {
    address: column.hex(record.address),
    name: record.name,
    type: record.type,
    function_abi: record.functionAbi ?? null,
    function_args: record.functionArgs ?? null,
    function_output_path: record.functionOutputPath ?? null,
    record_trigger: record.schedule.trigger,
    tracking_frequency: record.schedule.frequency ?? null,
    tags: JSON.stringify(record.tags),
    anchor: anchorOf(record.schedule),
    last_error: record.lastError ?? null,
  }
}
