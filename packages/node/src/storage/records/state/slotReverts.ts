import type { Address, Word } from '@understudy/evm'
import { sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { deleteAbove, statementFor } from '../../insertRows.ts'
import { runStatement } from '../../runStatement.ts'
import { newestSlotSeq } from './localState.ts'

/** Reverts older than so many changes are forgotten, as in `rewinds`. */
const keptChanges = 100_000

/** The last revert that changed a slot. `value`: until then; `undefined` if that was not local. `at`: in milliseconds since 1970. */
export type SlotRevert = { seq: number; value: bigint | undefined; at: number }

/** Notes that the change `seq` reverts those after `to`, which are still stored. */
export async function addSlotReverts(queries: Queries, seq: number, to: number, at: number): Promise<void> {
  await deleteAbove(queries, 'slot_reverts', 'seq', to)
  // A reset goes back to the beginning: history begins again, too.
  if (to === 0) return
  const text = statementFor(
    queries,
    'addSlotReverts',
    () =>
      sql`insert into slot_reverts (address, slot, seq, value, at)
        select address, slot, cast(${seq} as bigint), value, cast(${at} as bigint) from slot_versions as version
        where seq > ${to} and seq = ${newestSlotSeq}
        on conflict (address, slot) do update set seq = excluded.seq, value = excluded.value, at = excluded.at`.compile(
        queries,
      ).sql,
  )
  await runStatement(queries, text, [seq, at, to])
  if (seq <= keptChanges) return
  await queries
    .deleteFrom('slot_reverts')
    .where('seq', '<=', seq - keptChanges)
    .execute()
}

export async function loadSlotRevert(queries: Queries, address: Address, slot: Word): Promise<SlotRevert | undefined> {
  const row = await queries
    .selectFrom('slot_reverts')
    .select(['seq', 'value', 'at'])
    .where('address', '=', column.hex(address))
    .where('slot', '=', column.hex(slot))
    .executeTakeFirst()
  return row && { seq: row.seq, value: row.value === null ? undefined : value.bigint(row.value), at: row.at }
}
