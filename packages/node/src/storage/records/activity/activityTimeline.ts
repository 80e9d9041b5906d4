import type { Address } from '@understudy/evm'
import { type RawBuilder, sql } from 'kysely'
import { column } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { rowsOf } from '../../tables.ts'

/** Activity of an address in an interval of blocks. */
export type ActivityPart = {
  /** Transactions in which it made or received a call. */
  transactions: number
  callsTo: number
  /** Calls to it that failed or were reverted. */
  failedCallsTo: number
  callsBy: number
  events: number
}

/** The block of the first activity of an address; `undefined` if there was none. */
export async function loadFirstActivity(queries: Queries, address: Address): Promise<bigint | undefined> {
  const bytes = column.hex(address)
  const { rows } = await sql<{ first: number | null }>`select min(block_number) as first from (
    select min(block_number) as block_number from ${rowsOf('calls')} where recipient = ${bytes}
    union all select min(block_number) from ${rowsOf('calls')} where sender = ${bytes}
    union all select min(block_number) from ${rowsOf('logs')} where address = ${bytes}) as firsts`.execute(queries)
  const first = rows[0]?.first ?? null
  return first === null ? undefined : BigInt(first)
}

/**
 * Counts activity of an address from each of `starts`, which are blocks in ascending order, to the next. Counts the
 * newest `limit` entries of each kind; `truncated` if there were more.
 */
export async function loadActivityTimeline(
  queries: Queries,
  address: Address,
  { starts, limit }: { starts: readonly bigint[]; limit: number },
): Promise<{ parts: ActivityPart[]; truncated: boolean }> {
  const bytes = column.hex(address)
  const since = sql`block_number >= ${Number(starts[0] ?? 0n)}`
  const newest = sql`order by block_number desc, transaction_position desc, position desc limit ${limit}`
  const callsAs = (party: RawBuilder<unknown>) =>
    sql`(select block_number, transaction_position, outcome from ${rowsOf('calls')} where ${party} = ${bytes} and ${since} ${newest}) as newest`
  const positionsAs = (party: RawBuilder<unknown>) =>
    sql`select block_number, transaction_position from ${callsAs(party)}`
  const logs = sql`(select block_number from ${rowsOf('logs')} where address = ${bytes} and ${since}
    order by block_number desc, position desc limit ${limit}) as newest`
  const positions = sql`(${positionsAs(sql`recipient`)} union ${positionsAs(sql`sender`)}) as positions`
  const part = partOf(starts)
  const count = (kind: keyof ActivityPart, rows: RawBuilder<unknown>) =>
    sql`select ${sql.lit(kind)} as kind, ${part} as part, count(*) as count from ${rows} group by ${part}`
  const failed = sql`(select * from ${callsAs(sql`recipient`)}) as called where outcome > 0`
  const { rows } = await sql<{ kind: keyof ActivityPart; part: number; count: number }>`
    ${count('transactions', positions)}
    union all ${count('callsTo', callsAs(sql`recipient`))}
    union all ${count('failedCallsTo', failed)}
    union all ${count('callsBy', callsAs(sql`sender`))}
    union all ${count('events', logs)}`.execute(queries)
  const parts = starts.map(
    (): ActivityPart => ({ transactions: 0, callsTo: 0, failedCallsTo: 0, callsBy: 0, events: 0 }),
  )
  const totals = new Map<string, number>()
  for (const { kind, part: index, count: found } of rows) {
    const of = parts[Number(index)]
    if (of) of[kind] = Number(found)
    totals.set(kind, (totals.get(kind) ?? 0) + Number(found))
  }
  const truncated = (['callsTo', 'callsBy', 'events'] as const).some((kind) => (totals.get(kind) ?? 0) >= limit)
  return { parts, truncated }
}

/**
 * The index of the last start at or before a row's block. Written with literals, because parameters would not compare
 * as equal expressions.
 */
function partOf(starts: readonly bigint[]): RawBuilder<unknown> {
  if (starts.length === 1) return sql.lit(0)
  const cases = starts
    .slice(1)
    .map((start, index) => sql`when block_number < ${sql.lit(Number(start))} then ${sql.lit(index)}`)
  return sql`case ${sql.join(cases, sql` `)} else ${sql.lit(starts.length - 1)} end`
}
