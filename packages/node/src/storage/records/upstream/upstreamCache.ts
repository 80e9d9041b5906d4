import type { Address, Word } from '@understudy/evm'
import { sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { cacheTables } from '../../migrations/migrations.ts'
import { insertRows } from '../../queries/insertRows.ts'
import type { Tables } from '../../schema.ts'
import { tablesOfCache } from '../../tables.ts'

/** A value of upstream's state, and the blocks for which it holds. */
export type UpstreamValueRecord = {
  address: Address
  field: 'balance' | 'nonce' | 'codeHash' | Word
  value: bigint | Word
  from: number
  /** Infinite if it held at the end of its generation. */
  to: number
  generation: number
}

/** A key of upstream's state. */
export type UpstreamKey = Pick<UpstreamValueRecord, 'address' | 'field'>

/** Rows per statement, below SQLite's limit of bound values. */
const chunkSize = 1000

const fieldNames = ['balance', 'nonce', 'codeHash'] as const

/** Values that are still useful: open values of a generation, and those of a kept block. */
export type Serving = { generation: number; keep: number }

const isServing = ({ generation, keep }: Serving) => sql<boolean>`(
  (last_block is null and generation = ${generation})
  or (first_block <= ${keep} and (last_block is null or last_block >= ${keep})))`

export async function loadUpstreamValues(queries: Queries, serving: Serving): Promise<UpstreamValueRecord[]> {
  const rows = await queries.selectFrom('upstream_values').selectAll().where(isServing(serving)).execute()
  return rows.map((row) => {
    const field = fieldFrom(value.bytes(row.field))
    return {
      address: value.address(row.address),
      field,
      value: field === 'codeHash' ? value.word(row.value) : value.bigint(row.value),
      from: row.first_block,
      to: row.last_block ?? Number.POSITIVE_INFINITY,
      generation: row.generation,
    }
  })
}

export async function loadUpstreamCodes(queries: Queries): Promise<Map<Word, Uint8Array>> {
  const rows = await queries.selectFrom('upstream_codes').selectAll().execute()
  return new Map(rows.map(({ hash, code }) => [value.word(hash), value.bytes(code)]))
}

export async function loadUpstreamCode(queries: Queries, hash: Word): Promise<Uint8Array | undefined> {
  const rows = queries.selectFrom('upstream_codes').select('code').where('hash', '=', column.hex(hash))
  const row = await rows.executeTakeFirst()
  return row && value.bytes(row.code)
}

export async function addUpstreamValues(queries: Queries, values: readonly UpstreamValueRecord[]): Promise<void> {
  await insertRows(queries, 'upstream_values', values.map(rowFrom))
}

/** Deletes every value of these keys. */
export async function removeUpstreamValuesOf(queries: Queries, keys: readonly UpstreamKey[]): Promise<void> {
  for (const chunk of chunks(keys)) {
    const pairs = chunk.map(({ address, field }) => sql`(${column.hex(address)}, ${fieldColumn(field)})`)
    await sql`delete from upstream_values where (address, field) in (values ${sql.join(pairs)})`.execute(queries)
  }
}

/** Deletes values that are no longer useful. */
export async function removeEndedUpstreamValues(queries: Queries, serving: Serving): Promise<void> {
  await sql`delete from upstream_values where not ${isServing(serving)}`.execute(queries)
}

export async function removeUpstreamValues(queries: Queries): Promise<void> {
  await queries.deleteFrom('upstream_values').execute()
}

export async function addUpstreamCodes(queries: Queries, codes: ReadonlyMap<Word, Uint8Array>): Promise<void> {
  const rows = [...codes].map(([hash, code]) => ({ hash: column.hex(hash), code }))
  await insertRows(queries, 'upstream_codes', rows, 'keep')
}

export async function removeUpstreamCodes(queries: Queries, hashes: readonly Word[]): Promise<void> {
  for (const hash of hashes) await queries.deleteFrom('upstream_codes').where('hash', '=', column.hex(hash)).execute()
}

function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, index) =>
    items.slice(index * chunkSize, (index + 1) * chunkSize),
  )
}

function rowFrom(record: UpstreamValueRecord): Tables['upstream_values'] {
  return {
    address: column.hex(record.address),
    field: fieldColumn(record.field),
    first_block: record.from,
    last_block: record.to === Number.POSITIVE_INFINITY ? null : record.to,
    generation: record.generation,
    value: typeof record.value === 'bigint' ? column.number(record.value) : column.hex(record.value),
  }
}

function fieldColumn(field: UpstreamValueRecord['field']): Uint8Array {
  const number = fieldNames.indexOf(field as (typeof fieldNames)[number])
  return number === -1 ? column.hex(field as Word) : Uint8Array.of(number)
}

function fieldFrom(bytes: Uint8Array): UpstreamValueRecord['field'] {
  return bytes.length === 1 ? (fieldNames[bytes[0] ?? 0] ?? 'balance') : value.word(bytes)
}

/**
 * Replaces damaged tables of the upstream cache with empty ones. The damaged tables are renamed, because dropping them
 * would need their pages.
 */
export async function replaceDamagedCache(queries: Queries): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(queries)
  const names = new Set(rows.map(({ name }) => name))
  for (const table of tablesOfCache) {
    let count = 1
    while (names.has(`damaged_${table}_${count}`)) count++
    await sql`alter table ${sql.table(table)} rename to ${sql.table(`damaged_${table}_${count}`)}`.execute(queries)
  }
  for (const statement of cacheTables) await sql.raw(statement).execute(queries)
}
