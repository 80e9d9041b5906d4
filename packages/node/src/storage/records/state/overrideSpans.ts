import type { Address, Hex } from '@understudy/evm'
import { sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { rowsOf } from '../../tables.ts'

/** An override's return data, from one change of the network until another. */
export type OverrideSpan = {
  address: Address
  selector: Hex
  /** The encoded inputs that it matches; `undefined` for any. */
  inputs: Uint8Array | undefined
  output: Uint8Array
}

/** Starts a span with the change `seq`. */
export async function beginOverrideSpan(
  queries: Queries,
  seq: number,
  { address, selector, inputs, output }: OverrideSpan,
): Promise<void> {
  await queries
    .insertInto('override_spans')
    .values({
      address: column.hex(address),
      selector: column.hex(selector),
      inputs: inputs ?? null,
      output,
      from_seq: seq,
      until_seq: null,
    })
    .execute()
}

/** Ends the current span of an override, if it has one. */
export async function endOverrideSpan(
  queries: Queries,
  seq: number,
  { address, selector, inputs }: Omit<OverrideSpan, 'output'>,
): Promise<void> {
  await queries
    .updateTable('override_spans')
    .set({ until_seq: seq })
    .where('address', '=', column.hex(address))
    .where('selector', '=', column.hex(selector))
    .where('inputs', inputs ? '=' : 'is', inputs ?? null)
    .where('until_seq', 'is', null)
    .execute()
}

/** The overrides after the change `seq`. */
export async function loadOverrideSpans(queries: Queries, seq: number): Promise<OverrideSpan[]> {
  const rows = await queries
    .selectFrom('override_spans')
    .selectAll()
    .where('from_seq', '<=', seq)
    .where((row) => row.or([row('until_seq', 'is', null), row('until_seq', '>', seq)]))
    .execute()
  return rows.map((row) => ({
    address: value.address(row.address),
    selector: value.hex(row.selector),
    inputs: row.inputs === null ? undefined : value.bytes(row.inputs),
    output: value.bytes(row.output),
  }))
}

/** The last change up to `seq` at which a span started or ended; 0 if there is none. */
export async function loadOverrideChange(queries: Queries, seq: number): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`
    select max(seq) as seq from (
      select max(from_seq) as seq from ${rowsOf('override_spans')} where from_seq <= ${seq}
      union all select max(until_seq) from ${rowsOf('override_spans')} where until_seq <= ${seq}
    ) as newest`.execute(queries)
  return Number(rows[0]?.seq ?? 0)
}
