import type { Address, Hex, Word } from '@understudy/evm'
import { PostgresAdapter, type Selectable, sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'
import type { Tables } from '../../schema.ts'
import { rowsOf } from '../../tables.ts'

export type LogRecord = {
  blockNumber: bigint
  /** Index in the block. */
  position: number
  transactionPosition: number
  address: Address
  topics: Word[]
  data: Hex
}

export async function addLogs(queries: Queries, records: readonly LogRecord[]): Promise<void> {
  const topic = (record: LogRecord, index: number) => {
    const word = record.topics[index]
    return word === undefined ? null : column.hex(word)
  }
  const rows = records.map((record) => ({
    block_number: Number(record.blockNumber),
    position: record.position,
    transaction_position: record.transactionPosition,
    address: column.hex(record.address),
    topic0: topic(record, 0),
    topic1: topic(record, 1),
    topic2: topic(record, 2),
    topic3: topic(record, 3),
    data: column.hex(record.data),
  }))
  await insertRows(queries, 'logs', rows)
}

/** A log with the hash of its transaction. */
export type StoredLog = LogRecord & { transactionHash: Word }

/**
 * Logs of `[from, to]`, oldest first, at most `limit`. `undefined` in a filter matches everything.
 * SQLite's driver takes most of its time for each row and each blob, so the database returns one text for many logs.
 */
export async function loadLogs(
  queries: Queries,
  filter: {
    from: bigint
    to: bigint
    addresses?: readonly Address[] | undefined
    topics?: readonly (readonly Word[] | undefined)[]
    limit: number
  },
): Promise<StoredLog[]> {
  let query = queries
    .selectFrom('logs')
    .selectAll()
    .where('block_number', '>=', Number(filter.from))
    .where('block_number', '<=', Number(filter.to))
  if (filter.addresses) query = query.where('address', 'in', filter.addresses.map(column.hex))
  for (const [index, words] of (filter.topics ?? []).entries()) {
    const name = topicColumns[index]
    if (name === undefined) return []
    query = words ? query.where(name, 'in', words.map(column.hex)) : query.where(name, 'is not', null)
  }
  const rows = await queries
    .selectFrom(query.orderBy('block_number').orderBy('position').limit(filter.limit).as('wanted'))
    .select(sql<string>`string_agg(${packed(queries)}, ';')`.as('packed'))
    // A log with much data has a text of its own.
    .groupBy(sql`block_number, position / 64, case when length(data) > 2048 then position end`)
    .execute()
  const logs = rows.flatMap((row) => row.packed.toLowerCase().split(';').map(unpack))
  return logs.sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.position - b.position)
}

const topicColumns = ['topic0', 'topic1', 'topic2', 'topic3'] as const

/** A row of `wanted` as text: its numbers and the digits of its bytes, in hex of either case. */
function packed(queries: Queries) {
  const isPostgres = queries.getExecutor().adapter instanceof PostgresAdapter
  const hex = (name: string) => (isPostgres ? sql`encode(${sql.ref(name)}, 'hex')` : sql`hex(${sql.ref(name)})`)
  const transactionHash = sql`(select ${hex('hash')} from ${rowsOf('transactions')}
    where transactions.block_number = wanted.block_number and transactions.position = wanted.transaction_position)`
  // SQLite's `hex` returns an empty text for null.
  const topics = topicColumns.map(
    (name) => sql`case when ${sql.ref(name)} is null then '' else ',' || ${hex(name)} end`,
  )
  return sql<string>`block_number || ',' || position || ',' || transaction_position || ',' || ${transactionHash} || ',' ||
    ${hex('address')} || ',' || ${hex('data')} || ${sql.join(topics, sql` || `)}`
}

function unpack(text: string): StoredLog {
  const [blockNumber = '', position, transactionPosition, hash, address, data, ...topics] = text.split(',')
  return {
    blockNumber: BigInt(blockNumber),
    position: Number(position),
    transactionPosition: Number(transactionPosition),
    transactionHash: `0x${hash}`,
    address: `0x${address}`,
    topics: topics.map((topic): Word => `0x${topic}`),
    data: `0x${data}`,
  }
}

export function logFromRow(row: Selectable<Tables['logs']>): LogRecord {
  return {
    blockNumber: BigInt(row.block_number),
    position: row.position,
    transactionPosition: row.transaction_position,
    address: value.address(row.address),
    topics: [row.topic0, row.topic1, row.topic2, row.topic3].flatMap((topic) =>
      topic === null ? [] : [value.word(topic)],
    ),
    data: value.hex(row.data),
  }
}
