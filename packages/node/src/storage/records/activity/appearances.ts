import type { Address } from '@understudy/evm'
import { sql } from 'kysely'
import { column } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { loadTransactionAt, type TransactionRecord } from '../chain/transactions.ts'

/** The position from which to search; the block itself is excluded. */
export type SearchStart = { before: bigint } | { after: bigint }

/** The transactions in which an address made or received a call, nearest to the start first. */
export async function loadAppearances(
  queries: Queries,
  address: Address,
  start: SearchStart,
  limit: number,
): Promise<TransactionRecord[]> {
  const bytes = column.hex(address)
  const order = 'before' in start ? sql`desc` : sql`asc`
  const bound =
    'before' in start ? sql`block_number < ${Number(start.before)}` : sql`block_number > ${Number(start.after)}`
  const placesAs = (name: 'sender' | 'recipient') => sql`select * from (
    select block_number, transaction_position from calls where ${sql.ref(name)} = ${bytes} and ${bound}
    group by block_number, transaction_position
    order by block_number ${order}, transaction_position ${order} limit ${limit}) as places`
  const { rows } = await sql<{ block_number: number; transaction_position: number }>`
    ${placesAs('sender')} union ${placesAs('recipient')}
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
