import type { Queries } from '../../database.ts'

/** Rewinds that are remembered: whoever missed more of them forgets everything that it knows. */
const rewindLimit = 100_000

/** Notes that the network went back to a block, as the change `seq`. */
export async function addRewind(queries: Queries, seq: number, blockNumber: bigint): Promise<void> {
  await queries
    .insertInto('rewinds')
    .values({ seq, block_number: Number(blockNumber) })
    .execute()
  await queries
    .deleteFrom('rewinds')
    .where('seq', '<=', seq - rewindLimit)
    .execute()
}

/** The lowest block to which the network went back after the change `seq`; `undefined` when it did not. */
export async function loadLowestRewind(queries: Queries, seq: number): Promise<bigint | undefined> {
  const row = await queries
    .selectFrom('rewinds')
    .select((rewinds) => rewinds.fn.min('block_number').as('lowest'))
    .where('seq', '>', seq)
    .executeTakeFirst()
  return row?.lowest === null || row?.lowest === undefined ? undefined : BigInt(row.lowest)
}
