import type { Address, Word } from '@understudy/evm'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'

/** A key of the mapping at slot `base` that a transaction used, and the first block with one. */
export type MappingKeyRecord = { address: Address; base: Word; key: Word; blockNumber: bigint }

export async function addMappingKeys(queries: Queries, records: readonly MappingKeyRecord[]): Promise<void> {
  const rows = records.map(({ address, base, key, blockNumber }) => ({
    address: column.hex(address),
    base: column.hex(base),
    key: column.hex(key),
    block_number: Number(blockNumber),
  }))
  await insertRows(queries, 'mapping_keys', rows, 'keep')
}

/** The known keys of one mapping, in key order, at most `limit` after `after`. */
export async function loadMappingKeys(
  queries: Queries,
  address: Address,
  base: Word,
  { limit, after }: { limit: number; after?: Word | undefined },
): Promise<Word[]> {
  let query = queries
    .selectFrom('mapping_keys')
    .select('key')
    // A branch may have a key that its parent has, too.
    .distinct()
    .where('address', '=', column.hex(address))
    .where('base', '=', column.hex(base))
  if (after) query = query.where('key', '>', column.hex(after))
  const rows = await query.orderBy('key').limit(limit).execute()
  return rows.map(({ key }) => value.word(key))
}

/** The known mappings of an account and their keys; only of the given keys, if any. */
export async function loadMappingsOf(
  queries: Queries,
  address: Address,
  keys?: readonly Word[],
): Promise<{ base: Word; key: Word }[]> {
  let query = queries
    .selectFrom('mapping_keys')
    .select(['base', 'key'])
    .distinct()
    .where('address', '=', column.hex(address))
  if (keys) query = query.where('key', 'in', keys.map(column.hex))
  const rows = await query.execute()
  return rows.map(({ base, key }) => ({ base: value.word(base), key: value.word(key) }))
}
