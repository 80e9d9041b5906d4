import type { Address, Word } from '@understudy/evm'
import { sql } from 'kysely'
import { isRing } from '../../ethereum/systemRings.ts'
import { yieldToEventLoop } from '../../shared/yieldToEventLoop.ts'
import type { NetworkNumber } from '../branches/layers.ts'
import { value } from '../bytes.ts'
import type { Queries } from '../database.ts'
import { allRowsOf } from '../tables.ts'

/** Changes of a network: those with a number greater than `after`, up to `upTo`. */
export type ChangeRange = { network: NetworkNumber; after: number; upTo: number }

/** The slots that were written of accounts, or none if only fields were. */
export type ChangedKeys = Map<Address, Set<Word>>

/** `slot`: `undefined` for fields of the account. */
type Row = { address: Uint8Array; slot?: Uint8Array; seq: number }

/** Rows that are read before others have their turn. */
const readAtOnce = 2000

/**
 * The keys that these changes wrote; `undefined` if they have more than `rowLimit` rows or `keyLimit` keys. Contracts
 * that blocks themselves write to are left out: what they hold differs between any two blocks.
 */
export async function loadChangedKeys(
  queries: Queries,
  ranges: readonly ChangeRange[],
  { rowLimit, keyLimit }: { rowLimit: number; keyLimit: number },
): Promise<ChangedKeys | undefined> {
  const found: ChangedKeys = new Map()
  let rowsLeft = rowLimit
  let keysLeft = keyLimit
  function add({ address: bytes, slot }: Row): void {
    const address = value.address(bytes)
    if (isRing(address)) return
    const known = found.get(address)
    const slots = known ?? new Set()
    if (!known) keysLeft--
    found.set(address, slots)
    const before = slots.size
    if (slot) slots.add(value.word(slot))
    keysLeft -= slots.size - before
  }
  for (const range of ranges) {
    for (const table of ['account_versions', 'slot_versions'] as const) {
      for await (const rows of rowsOfChanges(queries, table, range, () => rowsLeft + 1)) {
        rowsLeft -= rows.length
        if (rowsLeft < 0) return undefined
        for (const row of rows) add(row)
        if (keysLeft < 0) return undefined
        await yieldToEventLoop()
      }
    }
  }
  return found
}

/** The rows of changes, some changes at a time, and at most `limit` of one that has many. */
async function* rowsOfChanges(
  queries: Queries,
  table: 'account_versions' | 'slot_versions',
  { network, after, upTo }: ChangeRange,
  limit: () => number,
): AsyncGenerator<Row[]> {
  const columns = table === 'slot_versions' ? 'address, slot, seq' : 'address, seq'
  const rowsOfNetwork = sql`select ${sql.raw(columns)} from ${allRowsOf(table)} where branch = ${network} and`
  const load = async (condition: ReturnType<typeof sql>, count: number) =>
    (await sql<Row>`${rowsOfNetwork} ${condition} order by seq limit ${count}`.execute(queries)).rows
  for (let last = after; ; ) {
    const rows = await load(sql`seq > ${last} and seq <= ${upTo}`, readAtOnce)
    const [first, end] = [rows[0], rows.at(-1)]
    if (!first || !end) return
    if (rows.length < readAtOnce) return yield rows
    // The last change may have more rows: it is read with later ones, or alone if it fills the page.
    const isAlone = first.seq === end.seq
    yield isAlone ? await load(sql`seq = ${end.seq}`, limit()) : rows.filter(({ seq }) => seq !== end.seq)
    last = isAlone ? end.seq : end.seq - 1
  }
}
