import type { Hex, Word } from '@understudy/evm'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'

export type BlobRecord = { hash: Word; blob: Uint8Array }

/** Adds blobs, as the newest ones, and deletes all but the newest `keep`. */
export async function addBlobs(queries: Queries, records: readonly BlobRecord[], keep: number): Promise<void> {
  const rows = records.map(({ hash, blob }) => ({ hash: column.hex(hash), data: blob }))
  const hashes = rows.map(({ hash }) => hash)
  await queries.deleteFrom('blobs').where('hash', 'in', hashes).execute()
  await insertRows(queries, 'blobs', rows)
  const newest = await queries
    .selectFrom('blobs')
    .select(({ fn }) => fn.max('position').as('position'))
    .executeTakeFirstOrThrow()
  await queries
    .deleteFrom('blobs')
    .where('position', '<=', Number(newest.position) - keep)
    .execute()
}

/** `undefined` if it is not, or no longer, stored. */
export async function loadBlob(queries: Queries, hash: Word): Promise<Hex | undefined> {
  const row = await queries.selectFrom('blobs').select('data').where('hash', '=', column.hex(hash)).executeTakeFirst()
  return row && value.hex(row.data)
}
