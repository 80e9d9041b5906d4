import type { Address, Hex, Word } from '@understudy/evm'
import { type RawBuilder, sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { rowsOf } from '../../tables.ts'
import { type LogRecord, logFromRow } from '../chain/logs.ts'
import { type CallPosition, type CallRecord, callFromRow, callOutcomes, firstCreateType } from './calls.ts'
import { type TransferRecord, transferFromRow, transferKinds } from './transfers.ts'

/** A page of a list, newest first: at most `limit` rows older than `before`, or the newest. */
export type Page<Position> = { limit: number; before: Position | undefined }

/** The position of a log. */
export type LogPosition = { blockNumber: bigint; position: number }

/** Calls to or by an address. `undefined` in the filter matches everything. */
export async function loadCallsOf(
  queries: Queries,
  filter: {
    address: Address
    as: 'recipient' | 'sender'
    selector?: Hex | undefined
    outcome?: CallRecord['outcome'] | undefined
  },
  { limit, before }: Page<CallPosition>,
): Promise<CallRecord[]> {
  let query = queries.selectFrom('calls').selectAll().where(filter.as, '=', column.hex(filter.address))
  if (filter.selector !== undefined) query = query.where('selector', '=', column.hex(filter.selector))
  if (filter.outcome !== undefined) query = query.where('outcome', '=', callOutcomes.indexOf(filter.outcome))
  if (before) query = query.where(isBefore(before))
  const rows = await query
    .orderBy('block_number', 'desc')
    .orderBy('transaction_position', 'desc')
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
  return rows.map(callFromRow)
}

/** Logs of an address; only those of one event if `topic` is given. */
export async function loadLogsOf(
  queries: Queries,
  filter: { address: Address; topic?: Word | undefined },
  { limit, before }: Page<LogPosition>,
): Promise<LogRecord[]> {
  let query = queries.selectFrom('logs').selectAll().where('address', '=', column.hex(filter.address))
  if (filter.topic !== undefined) query = query.where('topic0', '=', column.hex(filter.topic))
  if (before)
    query = query.where(sql<boolean>`(block_number, position) < (${Number(before.blockNumber)}, ${before.position})`)
  const rows = await query.orderBy('block_number', 'desc').orderBy('position', 'desc').limit(limit).execute()
  return rows.map(logFromRow)
}

/** Transfers from or to an address, or of a token. `undefined` in the filter matches everything. */
export async function loadTransfersOf(
  queries: Queries,
  filter: {
    address: Address
    as: 'party' | 'token'
    kind?: TransferRecord['kind'] | undefined
    /** With `party`: only of this token. */
    token?: Address | undefined
  },
  { limit, before }: Page<CallPosition>,
): Promise<TransferRecord[]> {
  const selectAs = (name: 'token' | 'sender' | 'recipient') => {
    let query = queries.selectFrom('transfers').selectAll().where(name, '=', column.hex(filter.address))
    if (filter.kind !== undefined) query = query.where('kind', '=', transferKinds.indexOf(filter.kind))
    if (filter.token !== undefined) query = query.where('token', '=', column.hex(filter.token))
    if (before) query = query.where(isBefore(before))
    return query
      .orderBy('block_number', 'desc')
      .orderBy('transaction_position', 'desc')
      .orderBy('position', 'desc')
      .limit(limit)
      .execute()
  }
  if (filter.as === 'token') return (await selectAs('token')).map(transferFromRow)
  const sent = (await selectAs('sender')).map(transferFromRow)
  const received = (await selectAs('recipient')).map(transferFromRow)
  const toOthers = sent.filter(({ recipient }) => recipient !== filter.address)
  return [...toOthers, ...received].sort(newestFirst).slice(0, limit)
}

/** Usage of a function: calls, failed or reverted calls, and gas. */
export type MethodStatistics = {
  /** `undefined` for calls without one. */
  selector: Hex | undefined
  calls: number
  reverts: number
  gasP50: bigint
  gasP95: bigint
  gasMax: bigint
  lastBlock: bigint
}

/**
 * Usage of each function of an address, by number of calls, from its newest `limit` calls. Percentiles use the nearest
 * rank.
 */
export async function loadMethodStatistics(
  queries: Queries,
  address: Address,
  limit: number,
): Promise<MethodStatistics[]> {
  const { rows } = await sql<{
    selector: Uint8Array | null
    calls: number
    reverts: number
    p50: number
    p95: number
    most: number
    last: number
  }>`
    select selector, max(total) as calls, sum(case when outcome = 0 then 0 else 1 end) as reverts,
      max(case when nth = (total * 50 + 99) / 100 then gas_used end) as p50,
      max(case when nth = (total * 95 + 99) / 100 then gas_used end) as p95,
      max(gas_used) as most, max(block_number) as last
    from (
      select selector, outcome, gas_used, block_number,
        row_number() over (partition by selector order by gas_used) as nth,
        count(*) over (partition by selector) as total
      from (
        select selector, outcome, gas_used, block_number from ${rowsOf('calls')}
        where recipient = ${column.hex(address)} and type < ${firstCreateType}
        order by block_number desc, transaction_position desc, position desc limit ${limit}
      ) as newest
    ) as ranked
    group by selector order by calls desc, selector`.execute(queries)
  return rows.map((row) => ({
    selector: row.selector === null ? undefined : value.hex(row.selector),
    calls: Number(row.calls),
    reverts: Number(row.reverts),
    gasP50: BigInt(row.p50),
    gasP95: BigInt(row.p95),
    gasMax: BigInt(row.most),
    lastBlock: BigInt(row.last),
  }))
}

/** Gas of the calls of a function that succeeded. */
export type MethodGas = {
  selector: Hex | undefined
  calls: number
  /** `undefined` if none succeeded. */
  gas: { min: bigint; p50: bigint; max: bigint } | undefined
}

/** Gas of each function of some addresses, from the newest `limit` calls of each. */
export async function loadMethodGas(
  queries: Queries,
  addresses: readonly Address[],
  limit: number,
): Promise<MethodGas[]> {
  if (addresses.length === 0) return []
  const newest = addresses.map(
    (address) => sql`select * from (
      select selector, outcome, gas_used from ${rowsOf('calls')} where recipient = ${column.hex(address)} and type < ${firstCreateType}
      order by block_number desc, transaction_position desc, position desc limit ${limit}) as newest`,
  )
  const { rows } = await sql<{
    selector: Uint8Array | null
    calls: number
    least: number | null
    p50: number | null
    most: number | null
  }>`
    select selector, count(*) as calls, min(gas) as least, max(gas) as most,
      max(case when nth = (total + 1) / 2 then gas end) as p50
    from (
      select selector, gas, row_number() over (partition by selector, outcome order by gas) as nth,
        count(gas) over (partition by selector) as total
      from (
        select selector, outcome, case when outcome = 0 then gas_used end as gas
        from (${sql.join(newest, sql` union all `)}) as measured
      ) as succeeded
    ) as ranked
    group by selector order by calls desc, selector`.execute(queries)
  return rows.map(({ selector, calls, least, p50, most }) => ({
    selector: selector === null ? undefined : value.hex(selector),
    calls: Number(calls),
    gas:
      least === null || p50 === null || most === null
        ? undefined
        : { min: BigInt(least), p50: BigInt(p50), max: BigInt(most) },
  }))
}

/** Each count is at most `limit`. */
export type ActivityCounts = {
  /** Transactions in which it made or received a call. */
  transactions: number
  callsTo: number
  callsBy: number
  /** Calls to it that failed or were reverted. */
  failedCallsTo: number
  events: number
  /** From or to it. */
  transfers: number
}

/** Counts the newest `limit` entries of each kind for an address, so that the time is bounded. */
export async function countActivity(queries: Queries, address: Address, limit: number): Promise<ActivityCounts> {
  const bytes = column.hex(address)
  const newest = sql`order by block_number desc, transaction_position desc, position desc limit ${limit}`
  const callsAs = (party: RawBuilder<unknown>) => sql`(
    select block_number, transaction_position, outcome from ${rowsOf('calls')} where ${party} = ${bytes} ${newest})`
  const transfersAs = (party: RawBuilder<unknown>) =>
    sql`select * from (select block_number, transaction_position, position from ${rowsOf('transfers')} where ${party} = ${bytes} ${newest})`
  const count = (rows: RawBuilder<unknown>) => sql`(select count(*) from ${rows} as counted)`
  const positionsAs = (party: RawBuilder<unknown>) =>
    sql`select block_number, transaction_position from ${callsAs(party)}`
  const { rows } = await sql<ActivityCounts>`select
    ${count(sql`(${positionsAs(sql`recipient`)} as called union ${positionsAs(sql`sender`)} as calling)`)} as "transactions",
    ${count(callsAs(sql`recipient`))} as "callsTo",
    ${count(callsAs(sql`sender`))} as "callsBy",
    (select count(*) from ${callsAs(sql`recipient`)} as called where outcome > 0) as "failedCallsTo",
    ${count(sql`(select 1 from ${rowsOf('logs')} where address = ${bytes} limit ${limit})`)} as "events",
    ${count(sql`(${transfersAs(sql`sender`)} as sent union ${transfersAs(sql`recipient`)} as received)`)} as "transfers"`.execute(
    queries,
  )
  const [counts] = rows
  if (!counts) throw new Error('a query without a condition answered no row')
  const most = (value: number) => Math.min(Number(value), limit)
  return {
    transactions: most(counts.transactions),
    callsTo: most(counts.callsTo),
    callsBy: most(counts.callsBy),
    failedCallsTo: most(counts.failedCallsTo),
    events: most(counts.events),
    transfers: most(counts.transfers),
  }
}

const isBefore = ({ blockNumber, transactionPosition, position }: CallPosition) =>
  sql<boolean>`(block_number, transaction_position, position) < (${Number(blockNumber)}, ${transactionPosition}, ${position})`

function newestFirst(a: CallPosition, b: CallPosition): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber > b.blockNumber ? -1 : 1
  return b.transactionPosition - a.transactionPosition || b.position - a.position
}
