import type { Address, Word } from '@understudy/evm'
import { sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { deleteAbove } from '../../queries/insertRows.ts'
import { runStatement } from '../../queries/runStatement.ts'
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
  await runStatement(queries, 'addSlotReverts', [seq, at, to], () =>
    queries
      .insertInto('slot_reverts')
      .columns(['address', 'slot', 'value', 'seq', 'at'])
      .expression(
        queries
          .selectFrom('slot_versions as version')
          .select(['address', 'slot', 'value'])
          .select([sql<number>`cast(${seq} as bigint)`.as('seq'), sql<number>`cast(${at} as bigint)`.as('at')])
          .where('seq', '>', to)
          .where('seq', '=', newestSlotSeq),
      )
      .onConflict((conflict) =>
        conflict.columns(['address', 'slot']).doUpdateSet(({ ref }) => ({
          seq: ref('excluded.seq'),
          value: ref('excluded.value'),
          at: ref('excluded.at'),
        })),
      )
      .compile(),
  )
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
