import { sql } from 'kysely'
import type { Queries } from '../../database.ts'

/** The columns with numbers of changes. */
const numbered = [
  ['account_versions', 'seq'],
  ['slot_versions', 'seq'],
  ['blocks', 'seq'],
  ['block_runs', 'last_seq'],
  ['state_causes', 'seq'],
  ['snapshots', 'seq'],
  ['rewinds', 'seq'],
  ['follows', 'from_seq'],
  ['follows', 'until_seq'],
  ['followed_balances', 'from_seq'],
  ['followed_balances', 'until_seq'],
  ['override_spans', 'from_seq'],
  ['override_spans', 'until_seq'],
] as const

/** The number of the last stored change; 0 if there is none. */
export async function loadNewestSeq(queries: Queries): Promise<number> {
  const newest = numbered.map(([table, column]) => {
    const seq = sql.ref(column)
    return sql`select seq from (select ${seq} as seq from ${sql.table(table)} where ${seq} is not null
      order by ${seq} desc limit 1) as ${sql.ref(`${table}_${column}`)}`
  })
  const { rows } = await sql<{ seq: number | null }>`
    select max(seq) as seq from (${sql.join(newest, sql` union all `)}) as newest`.execute(queries)
  return Number(rows[0]?.seq ?? 0)
}
