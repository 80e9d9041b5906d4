import type { Address } from '@understudy/evm'
import { type RawBuilder, sql } from 'kysely'
import { column } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { rowsOf } from '../../tables.ts'
import { loadTransactionAt, type TransactionPage, type TransactionRecord } from '../chain/transactions.ts'

/** The position from which to search; the block itself is excluded. */
export type SearchStart = { before: bigint } | { after: bigint }

/** The transactions in which an address made or received a call, nearest to the start first. */
export async function loadAppearances(
  queries: Queries,
  address: Address,
  start: SearchStart,
  limit: number,
): Promise<TransactionRecord[]> {
  const [order, bound] =
    'before' in start
      ? ([sql`desc`, sql`block_number < ${Number(start.before)}`] as const)
      : ([sql`asc`, sql`block_number > ${Number(start.after)}`] as const)
  return loadParticipations(queries, address, { bound, order, limit })
}

/** The transactions in which an address made or received a call, created a contract or was created, newest first. */
export async function loadTransactionsOf(
  queries: Queries,
  address: Address,
  { limit, before, succeeded }: TransactionPage,
): Promise<TransactionRecord[]> {
  const bound = before
    ? sql`(block_number, transaction_position) < (${Number(before.blockNumber)}, ${before.position})`
    : sql`1 = 1`
  const outcome =
    succeeded === undefined
      ? sql`1 = 1`
      : sql`exists (select 1 from ${rowsOf('transactions')} where transactions.block_number = calls.block_number
          and transactions.position = calls.transaction_position and succeeded = ${Number(succeeded)})`
  return loadParticipations(queries, address, { bound: sql`${bound} and ${outcome}`, order: sql`desc`, limit })
}

async function loadParticipations(
  queries: Queries,
  address: Address,
  { bound, order, limit }: { bound: RawBuilder<unknown>; order: RawBuilder<unknown>; limit: number },
): Promise<TransactionRecord[]> {
  const bytes = column.hex(address)
  const positionsAs = (name: 'sender' | 'recipient') => sql`select * from (
    select block_number, transaction_position from ${rowsOf('calls')} where ${sql.ref(name)} = ${bytes} and ${bound}
    group by block_number, transaction_position
    order by block_number ${order}, transaction_position ${order} limit ${limit}) as positions`
  const { rows } = await sql<{ block_number: number; transaction_position: number }>`
    ${positionsAs('sender')} union ${positionsAs('recipient')}
    order by block_number ${order}, transaction_position ${order} limit ${limit}`.execute(queries)
  const found: TransactionRecord[] = []
  for (const row of rows) {
    const transaction = await loadTransactionAt(queries, BigInt(row.block_number), row.transaction_position)
    if (transaction) found.push(transaction)
  }
  return found
}

/** The transaction of a sender after a number of its other ones. */
export async function loadSentTransaction(
  queries: Queries,
  sender: Address,
  offset: number,
): Promise<TransactionRecord | undefined> {
  const row = await queries
    .selectFrom('calls')
    .select(['block_number', 'transaction_position'])
    .where('sender', '=', column.hex(sender))
    .where('position', '=', 0)
    .orderBy('block_number')
    .orderBy('transaction_position')
    .limit(1)
    .offset(offset)
    .executeTakeFirst()
  return row && loadTransactionAt(queries, BigInt(row.block_number), row.transaction_position)
}
