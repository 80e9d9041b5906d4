import type { Address, Word } from '@understudy/evm'
import { column, value } from '../bytes.ts'
import type { Queries } from '../database.ts'

/** A key of the mapping at slot `base` that a transaction used. */
export type MappingKeyRecord = { address: Address; base: Word; key: Word }

export async function addMappingKeys(queries: Queries, records: readonly MappingKeyRecord[]): Promise<void> {
  for (let start = 0; start < records.length; start += 500)
    await queries
      .insertInto('mapping_keys')
      .values(
        records.slice(start, start + 500).map(({ address, base, key }) => ({
          address: column.hex(address),
          base: column.hex(base),
          key: column.hex(key),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** The known keys of one mapping, in their own order, at most `limit` after `after`. */
export async function loadMappingKeys(
  queries: Queries,
  address: Address,
  base: Word,
  { limit, after }: { limit: number; after?: Word | undefined },
): Promise<Word[]> {
  let query = queries
    .selectFrom('mapping_keys')
    .select('key')
    .where('address', '=', column.hex(address))
    .where('base', '=', column.hex(base))
  if (after) query = query.where('key', '>', column.hex(after))
  const rows = await query.orderBy('key').limit(limit).execute()
  return rows.map(({ key }) => value.word(key))
}
