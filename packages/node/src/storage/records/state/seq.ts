import { sql } from 'kysely'
import type { Queries } from '../../database.ts'
import { columnsOfChanges, rowsOf } from '../../tables.ts'

/** The number of the last stored change; 0 if there is none. */
export async function loadNewestSeq(queries: Queries): Promise<number> {
  const newest = columnsOfChanges.map(([table, column]) => {
    const seq = sql.ref(column)
    return sql`select seq from (select ${seq} as seq from ${rowsOf(table)} where ${seq} is not null
      order by ${seq} desc limit 1) as ${sql.ref(`${table}_${column}`)}`
  })
  const { rows } = await sql<{ seq: number | null }>`
    select max(seq) as seq from (${sql.join(newest, sql` union all `)}) as newest`.execute(queries)
  return Number(rows[0]?.seq ?? 0)
}
