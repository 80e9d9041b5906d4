import type { Queries } from '../../database.ts'

/** What changed state without a transaction: a method, or what it does. */
export type StateCause =
  | 'setStorageAt'
  | 'setStorageVariable'
  | 'setTokenBalance'
  | 'loadState'
  | 'resync'
  | 'follow'
  | 'unfollow'
  | 'promoteBranch'
  | 'wipe'

/** Notes why the change `seq` was made. `at`: milliseconds since 1970. */
export async function addStateCause(queries: Queries, seq: number, cause: StateCause, at: number): Promise<void> {
  await queries.insertInto('state_causes').values({ seq, cause, at }).execute()
}

/** The causes of these changes, at most a page of them. */
export async function loadStateCauses(
  queries: Queries,
  seqs: readonly number[],
): Promise<Map<number, { cause: StateCause; at: number }>> {
  if (seqs.length === 0) return new Map()
  const rows = await queries.selectFrom('state_causes').selectAll().where('seq', 'in', seqs).execute()
  return new Map(rows.map(({ seq, cause, at }) => [seq, { cause: cause as StateCause, at }]))
}
