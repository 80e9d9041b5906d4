import type { Address, Word } from '@understudy/evm'
import { sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { rowsOf } from '../../tables.ts'

// Both skip from key to key, because an account or a slot may have a version for each block. What they visit is bounded
// also where most of it was cleared.

/** The accounts that have or had local values, in order of address, at most `limit` after `after`. */
export async function loadWrittenAddresses(
  queries: Queries,
  { after, limit }: { after: Address | undefined; limit: number },
): Promise<Address[]> {
  const start = after === undefined ? new Uint8Array() : column.hex(after)
  const found = new Set<Address>()
  for (const name of ['account_versions', 'slot_versions'] as const) {
    const next = (than: ReturnType<typeof sql>) =>
      sql`(select address from ${rowsOf(name)} where address > ${than} order by address limit 1)`
    const { rows } = await sql<{ address: Uint8Array }>`
      with recursive written(address, position) as (
        select ${next(sql`${start}`)}, 1
        union all
        select ${next(sql`written.address`)}, position + 1
        from written where written.address is not null and position < ${limit})
      select address from written where address is not null`.execute(queries)
    for (const row of rows) found.add(value.address(row.address))
  }
  return [...found].sort().slice(0, limit)
}

/** The slots of an account that were ever written, in order, at most `limit`. */
export async function loadWrittenSlots(queries: Queries, address: Address, limit: number): Promise<Word[]> {
  const bytes = column.hex(address)
  const { rows } = await sql<{ slot: Uint8Array }>`
    ${withWrittenSlots(bytes, limit)}
    select slot from written where slot is not null`.execute(queries)
  return rows.map(({ slot }) => value.word(slot))
}

const withWrittenSlots = (bytes: Uint8Array, limit: number) => sql`
  with recursive written(slot, position) as (
    select (select slot from ${rowsOf('slot_versions')} where address = ${bytes} order by slot limit 1), 1
    union all
    select (select slot from ${rowsOf('slot_versions')} where address = ${bytes} and slot > written.slot order by slot limit 1),
      position + 1
    from written where written.slot is not null and position < ${limit})`

/**
 * The current local slots of an account among the first `limit` that were ever written, in order, and how many of those
 * were visited. Those older than `storageSeq` are void.
 */
export async function loadFirstLocalSlots(
  queries: Queries,
  address: Address,
  storageSeq: number | undefined,
  limit: number,
): Promise<{ slots: { slot: Word; value: bigint }[]; visited: number }> {
  const bytes = column.hex(address)
  const { rows } = await sql<{ slot: Uint8Array; value: Uint8Array | null; seq: number }>`
    ${withWrittenSlots(bytes, limit)}
    select version.slot, version.value, version.seq from written
    cross join ${rowsOf('slot_versions', 'version')}
    where version.address = ${bytes} and version.slot = written.slot and version.seq =
      (select seq from ${rowsOf('slot_versions')} where address = ${bytes} and slot = written.slot order by seq desc limit 1)
    order by version.slot`.execute(queries)
  const slots = rows.flatMap((row) =>
    row.value === null || Number(row.seq) < (storageSeq ?? 0)
      ? []
      : [{ slot: value.word(row.slot), value: value.bigint(row.value) }],
  )
  return { slots, visited: rows.length }
}
