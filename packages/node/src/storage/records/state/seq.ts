import { sql } from 'kysely'
import type { Queries } from '../../database.ts'

/** The number of the last stored change; 0 if there is none. */
export async function loadNewestSeq(queries: Queries): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`
    select max(seq) as seq from (
      select max(seq) as seq from account_versions
      union all select max(seq) from slot_versions
      union all select max(seq) from blocks
      union all select max(last_seq) from block_runs
      union all select max(seq) from state_causes
      union all select max(seq) from snapshots
      union all select max(seq) from rewinds
      union all select max(from_seq) from follows
      union all select max(until_seq) from follows
      union all select max(from_seq) from override_spans
      union all select max(until_seq) from override_spans
    ) as newest`.execute(queries)
  return Number(rows[0]?.seq ?? 0)
}
