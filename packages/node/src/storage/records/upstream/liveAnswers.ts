import type { Word } from '@understudy/evm'
import { sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'

/** What a contract of the live chain answered at a block. */
export type LiveAnswerRecord = {
  blockHash: Word
  blockNumber: number
  /** The hash of the contract's address and the input. */
  key: Word
  output: Uint8Array
  isReverted: boolean
}

export async function loadLiveAnswers(
  queries: Queries,
  blockHash: Word,
  keys: readonly Word[],
): Promise<Omit<LiveAnswerRecord, 'blockHash' | 'blockNumber'>[]> {
  const rows = await queries
    .selectFrom('live_answers')
    .select(['key', 'output', 'is_reverted'])
    .where('block_hash', '=', column.hex(blockHash))
    .where('key', 'in', keys.map(column.hex))
    .execute()
  return rows.map((row) => ({
    key: value.word(row.key),
    output: value.bytes(row.output),
    isReverted: row.is_reverted === 1,
  }))
}

export async function addLiveAnswers(queries: Queries, records: readonly LiveAnswerRecord[]): Promise<void> {
  const rows = records.map(({ blockHash, blockNumber, key, output, isReverted }) => ({
    block_hash: column.hex(blockHash),
    block_number: blockNumber,
    key: column.hex(key),
    output,
    is_reverted: Number(isReverted),
  }))
  await insertRows(queries, 'live_answers', rows, 'keep')
}

/** Deletes the answers of the oldest blocks until the others have no more than so many bytes. */
export async function trimLiveAnswers(queries: Queries, limit: number): Promise<void> {
  const blocks = await queries
    .selectFrom('live_answers')
    .select(['block_number', sql<number>`sum(length(output))`.as('bytes')])
    .groupBy('block_number')
    .orderBy('block_number', 'desc')
    .execute()
  let bytes = 0
  for (const block of blocks) {
    bytes += Number(block.bytes)
    if (bytes <= limit) continue
    await queries.deleteFrom('live_answers').where('block_number', '<=', block.block_number).execute()
    return
  }
}

export async function removeLiveAnswers(queries: Queries): Promise<void> {
  await queries.deleteFrom('live_answers').execute()
}
