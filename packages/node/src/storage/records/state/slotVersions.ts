import type { Address, Word } from '@understudy/evm'
import { sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { chunks, withWanted } from './localState.ts'

/** The value of a slot since a change; `undefined` if it reads the live chain since then. */
export type SlotVersion = {
  seq: number
  value: bigint | undefined
  /** The block that the change sealed; `undefined` for a change between blocks. */
  blockNumber: bigint | undefined
}

/** The versions of a slot, newest first, at most `limit` older than the change `before`. */
export async function loadSlotVersions(
  queries: Queries,
  { address, slot }: { address: Address; slot: Word },
  { before, limit }: { before: number | undefined; limit: number },
): Promise<SlotVersion[]> {
  const bound = before === undefined ? sql`1 = 1` : sql`version.seq < ${before}`
  const { rows } = await sql<{ seq: number; value: Uint8Array | null; number: number | null }>`
    select version.seq, version.value, block.number from slot_versions as version
    left join blocks as block on block.seq = version.seq
    where version.address = ${column.hex(address)} and version.slot = ${column.hex(slot)} and ${bound}
    order by version.seq desc limit ${limit}`.execute(queries)
  return rows.map((row) => ({
    seq: Number(row.seq),
    value: row.value === null ? undefined : value.bigint(row.value),
    blockNumber: row.number === null ? undefined : BigInt(row.number),
  }))
}

/** The transactions of a block that called or created a contract, in order. */
export async function loadTransactionsTo(queries: Queries, blockNumber: bigint, address: Address): Promise<Word[]> {
  const { rows } = await sql<{ hash: Uint8Array }>`
    select hash from transactions where block_number = ${Number(blockNumber)} and position in (
      select transaction_position from calls
      where recipient = ${column.hex(address)} and block_number = ${Number(blockNumber)})
    order by position`.execute(queries)
  return rows.map(({ hash }) => value.word(hash))
}

/**
 * The transactions that last wrote slots of a contract. None for a slot that was written in another way, or in a block where
 * several transactions called the contract.
 */
export async function loadLastWriters(
  queries: Queries,
  address: Address,
  slots: readonly Word[],
): Promise<Map<Word, Word>> {
  const found = new Map<Word, Word>()
  const bytes = column.hex(address)
  const position = (which: 'min' | 'max') => sql`(select ${sql.raw(which)}(transaction_position) from calls
    where recipient = ${bytes} and block_number = block.number)`
  for (const chunk of chunks(slots)) {
    const { rows } = await sql<{ slot: Uint8Array; hash: Uint8Array }>`${withWanted(chunk)}
      select version.slot, written.hash from wanted join slot_versions as version
      on version.address = ${bytes} and version.slot = key and version.seq =
        (select max(seq) from slot_versions where address = ${bytes} and slot = key)
      join blocks as block on block.seq = version.seq
      join transactions as written on written.block_number = block.number and written.position = ${position('min')}
      where ${position('min')} = ${position('max')}`.execute(queries)
    for (const row of rows) found.set(value.word(row.slot), value.word(row.hash))
  }
  return found
}
