import type { Word } from '@understudy/evm'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'

/** What users wrote about a transaction. */
export type TransactionNote = {
  hash: Word
  /** The block with which it is deleted; `undefined` for a transaction of the live chain. */
  blockNumber: bigint | undefined
  text: string
  /** Milliseconds since 1970. */
  updatedAt: number
}

/** Adds a note, or replaces the one of this transaction. */
export async function saveTransactionNote(queries: Queries, note: TransactionNote): Promise<void> {
  const changed = {
    block_number: note.blockNumber === undefined ? null : Number(note.blockNumber),
    note: note.text,
    updated_at: note.updatedAt,
  }
  await queries
    .insertInto('transaction_notes')
    .values({ hash: column.hex(note.hash), ...changed })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet(changed))
    .execute()
}

export async function removeTransactionNote(queries: Queries, hash: Word): Promise<void> {
  await queries.deleteFrom('transaction_notes').where('hash', '=', column.hex(hash)).execute()
}

/** Last changed first. */
export async function loadTransactionNotes(queries: Queries): Promise<TransactionNote[]> {
  const rows = await queries
    .selectFrom('transaction_notes')
    .selectAll()
    .orderBy('updated_at', 'desc')
    .orderBy('hash')
    .execute()
  return rows.map((row) => ({
    hash: value.word(row.hash),
    blockNumber: row.block_number === null ? undefined : BigInt(row.block_number),
    text: row.note,
    updatedAt: row.updated_at,
  }))
}

/** How many other transactions have a note. */
export async function countOtherNotes(queries: Queries, hash: Word): Promise<number> {
  const { count } = await queries
    .selectFrom('transaction_notes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('hash', '!=', column.hex(hash))
    .executeTakeFirstOrThrow()
  return Number(count)
}
