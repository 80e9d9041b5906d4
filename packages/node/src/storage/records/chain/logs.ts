import type { Address, Hex, Word } from '@understudy/evm'
import type { Selectable } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../insertRows.ts'
import type { Tables } from '../../schema.ts'

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

/** Logs of `[from, to]`, oldest first, at most `limit`. `undefined` in a filter matches everything. */
export async function loadLogs(
  queries: Queries,
  filter: {
    from: bigint
    to: bigint
    addresses?: readonly Address[] | undefined
    topics?: readonly (readonly Word[] | undefined)[]
    limit: number
  },
): Promise<LogRecord[]> {
  let query = queries
    .selectFrom('logs')
    .selectAll()
    .where('block_number', '>=', Number(filter.from))
    .where('block_number', '<=', Number(filter.to))
  if (filter.addresses) query = query.where('address', 'in', filter.addresses.map(column.hex))
  const topicColumns = ['topic0', 'topic1', 'topic2', 'topic3'] as const
  for (const [index, words] of (filter.topics ?? []).entries()) {
    const name = topicColumns[index]
    if (name === undefined) return []
    query = words ? query.where(name, 'in', words.map(column.hex)) : query.where(name, 'is not', null)
  }
  const rows = await query.orderBy('block_number').orderBy('position').limit(filter.limit).execute()
  return rows.map(logFromRow)
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
