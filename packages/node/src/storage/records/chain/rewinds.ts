import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'

/** Number of stored rewinds; a node that missed more of them reloads everything. */
const rewindLimit = 100_000

/** Records that the network was reverted to a block, as the change `seq`. */
export async function addRewind(queries: Queries, seq: number, blockNumber: bigint): Promise<void> {
  await insertRows(queries, 'rewinds', [{ seq, block_number: Number(blockNumber) }])
  if (seq <= rewindLimit) return
  await queries
    .deleteFrom('rewinds')
    .where('seq', '<=', seq - rewindLimit)
    .execute()
}

/** The lowest block that the network was reverted to after the change `seq`; `undefined` if it was not. */
export async function loadLowestRewind(queries: Queries, seq: number): Promise<bigint | undefined> {
  const row = await queries
    .selectFrom('rewinds')
    .select((rewinds) => rewinds.fn.min('block_number').as('lowest'))
    .where('seq', '>', seq)
    .executeTakeFirst()
  return row?.lowest === null || row?.lowest === undefined ? undefined : BigInt(row.lowest)
}
