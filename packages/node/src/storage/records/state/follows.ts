import type { Address, Word } from '@understudy/evm'
import { sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { deleteAbove, statementFor } from '../../insertRows.ts'
import { runStatement } from '../../runStatement.ts'

/** A followed slot, or a followed account if there is no slot. */
export type FollowRecord = { address: Address; slot: Word | undefined }

const slotColumn = (slot: Word | undefined) => (slot === undefined ? new Uint8Array() : column.hex(slot))

/** What was followed after the change `seq`. */
export async function loadFollows(queries: Queries, seq: number): Promise<FollowRecord[]> {
  const rows = await queries
    .selectFrom('follows')
    .select(['address', 'slot'])
    .where('from_seq', '<=', seq)
    .where((row) => row.or([row('until_seq', 'is', null), row('until_seq', '>', seq)]))
    .execute()
  return rows.map(({ address, slot }) => {
    const bytes = value.bytes(slot)
    return { address: value.address(address), slot: bytes.length === 0 ? undefined : value.word(bytes) }
  })
}

export async function addFollows(queries: Queries, seq: number, follows: readonly FollowRecord[]): Promise<void> {
  if (follows.length === 0) return
  const rows = follows.map(({ address, slot }) => ({
    address: column.hex(address),
    slot: slotColumn(slot),
    from_seq: seq,
    until_seq: null,
  }))
  await queries.insertInto('follows').values(rows).execute()
}

export async function endFollows(queries: Queries, seq: number, follows: readonly FollowRecord[]): Promise<void> {
  for (const { address, slot } of follows)
    await queries
      .updateTable('follows')
      .set({ until_seq: seq })
      .where('address', '=', column.hex(address))
      .where('slot', '=', slotColumn(slot))
      .where('until_seq', 'is', null)
      .execute()
}

/** Undoes follows and unfollows after the change `seq`. */
export async function revertFollows(queries: Queries, seq: number): Promise<void> {
  await deleteAbove(queries, 'follows', 'from_seq', seq)
  const text = statementFor(
    queries,
    'revertFollows',
    () => sql`update follows set until_seq = null where until_seq > ${seq}`.compile(queries).sql,
  )
  await runStatement(queries, text, [seq])
}
