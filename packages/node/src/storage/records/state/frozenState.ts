import type { Address, Word } from '@understudy/evm'
import { sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { rowsOf } from '../../tables.ts'
import { newestSlotSeq } from './localState.ts'

/** One local value: a field of an account, or a slot. Code is represented by its hash. */
export type FrozenValue = {
  address: Address
  /** The change number since which it has been local. */
  since: number
} & (
  | { field: 'balance' | 'nonce'; local: bigint }
  | { field: 'code'; local: Word }
  | { field: 'storage'; slot: Word; local: bigint }
)

const fields = [
  ['balance', 'balance'],
  ['nonce', 'nonce'],
  ['code', 'code_hash'],
] as const

/**
 * All current local values of one account or of all, ordered by account; at most `limit` of each kind. Slots that read
 * zero because an account's storage was cleared, and were not written since, cannot be listed.
 */
export async function loadFrozenState(
  queries: Queries,
  address: Address | undefined,
  limit: number,
): Promise<FrozenValue[]> {
  const only = (column_: string) =>
    address === undefined ? sql`true` : sql`${sql.ref(column_)} = ${column.hex(address)}`
  const found: FrozenValue[] = []
  for (const [field, name] of fields) {
    const local = sql.ref(`version.${name}`)
    const { rows } = await sql<{ address: Uint8Array; local: Uint8Array; since: number }>`
      select version.address, ${local} as local, (
        select min(seq) from ${rowsOf('account_versions', 'older')} where older.address = version.address and older.seq > coalesce((
          select max(seq) from ${rowsOf('account_versions', 'gap')}
          where gap.address = version.address and ${sql.ref(`gap.${name}`)} is null), 0)
      ) as since
      from ${rowsOf('account_versions', 'version')}
      where ${local} is not null and ${only('version.address')}
        and seq = (select newest.seq from ${rowsOf('account_versions', 'newest')} where newest.address = version.address
          order by newest.seq desc limit 1)
      order by version.address limit ${limit}`.execute(queries)
    for (const row of rows) {
      const common = { address: value.address(row.address), since: Number(row.since) }
      if (field === 'code') found.push({ ...common, field, local: value.word(row.local) })
      else found.push({ ...common, field, local: value.bigint(row.local) })
    }
  }
  const { rows } = await sql<{ address: Uint8Array; slot: Uint8Array; local: Uint8Array; since: number }>`
    select version.address, version.slot, version.value as local, (
      select min(seq) from ${rowsOf('slot_versions', 'older')}
      where older.address = version.address and older.slot = version.slot and older.seq > coalesce((
        select max(seq) from ${rowsOf('slot_versions', 'gap')}
        where gap.address = version.address and gap.slot = version.slot and gap.value is null), 0)
    ) as since
    from ${rowsOf('slot_versions', 'version')}
    where value is not null and ${only('version.address')}
      and seq = ${newestSlotSeq}
      and seq >= coalesce((select storage_seq from ${rowsOf('account_versions', 'account')}
        where account.address = version.address order by account.seq desc limit 1), 0)
    order by version.address, version.slot limit ${limit}`.execute(queries)
  for (const row of rows)
    found.push({
      address: value.address(row.address),
      since: Number(row.since),
      field: 'storage',
      slot: value.word(row.slot),
      local: value.bigint(row.local),
    })
  return found.sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0))
}
