import type { Address, Word } from '@understudy/evm'
import { sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'
import { rowsOf } from '../../tables.ts'
import { chunks, withWanted } from './localState.ts'

/**
 * When a slot changed: the change, and the position of what wrote it in a block. Other changes have the position -2, and
 * come before those of a block.
 */
export type SlotTime = { seq: number; position: number }

/** The position of what no block wrote. */
export const outsideBlocks = -2

/** A value that a slot got; `undefined` if it reads the live chain since then. */
export type SlotWriteRecord = SlotTime & { value: bigint | undefined; transaction: Word | undefined }

export type SlotKey = { address: Address; slot: Word }

/** A value of a slot that something else in the same block replaced. */
export type ReplacedWrite = SlotKey & { position: number; value: bigint }

/** Stores what others replaced in the same block. */
export async function addSlotWrites(
  queries: Queries,
  writes: readonly (ReplacedWrite & { blockNumber: bigint })[],
): Promise<void> {
  const rows = writes.map(({ address, slot, blockNumber, position, value }) => ({
    address: column.hex(address),
    slot: column.hex(slot),
    block_number: Number(blockNumber),
    position,
    value: column.number(value),
  }))
  await insertRows(queries, 'slot_writes', rows)
}

type Row = { seq: number; position: number; value: Uint8Array | null; hash: Uint8Array | null }

/** The values that a slot got before a time, newest first. */
export async function loadSlotWrites(
  queries: Queries,
  { address, slot }: SlotKey,
  { before: { seq, position }, limit }: { before: SlotTime; limit: number },
): Promise<SlotWriteRecord[]> {
  const [account, key] = [column.hex(address), column.hex(slot)]
  // Both are read along their key: a slot may have a value for each block.
  const { rows: versions } = await sql<Row>`
    select version.seq, coalesce(version.position, ${sql.lit(outsideBlocks)}) as position, version.value, written.hash
    from ${rowsOf('slot_versions', 'version')} left join ${rowsOf('blocks', 'block')} on block.seq = version.seq
    left join ${rowsOf('transactions', 'written')} on written.block_number = block.number and written.position = version.position
    where version.address = ${account} and version.slot = ${key} and version.seq <= ${seq}
      and (version.seq < ${seq} or coalesce(version.position, ${sql.lit(outsideBlocks)}) < ${position})
    order by version.seq desc limit ${limit}`.execute(queries)
  const { rows: replaced } = await sql<Row>`
    select block.seq, replaced.position, replaced.value, written.hash
    from ${rowsOf('slot_writes', 'replaced')} join ${rowsOf('blocks', 'block')} on block.number = replaced.block_number
    left join ${rowsOf('transactions', 'written')}
      on written.block_number = replaced.block_number and written.position = replaced.position
    where replaced.address = ${account} and replaced.slot = ${key}
      and replaced.block_number <= (select max(number) from ${rowsOf('blocks')} where seq <= ${seq})
      and (block.seq < ${seq} or replaced.position < ${position})
    order by replaced.block_number desc, replaced.position desc limit ${limit}`.execute(queries)
  return [...versions, ...replaced]
    .map((row) => ({
      seq: Number(row.seq),
      position: Number(row.position),
      value: row.value === null ? undefined : value.bigint(row.value),
      transaction: row.hash === null ? undefined : value.word(row.hash),
    }))
    .sort(newestFirst)
    .slice(0, limit)
}

export const newestFirst = (a: SlotTime, b: SlotTime) => b.seq - a.seq || b.position - a.position

/** Most times that the storage of an account is known to have been cleared. */
const clearLimit = 100

/** When the storage of an account was cleared, by its creation or its end, newest first. */
export async function loadStorageClears(
  queries: Queries,
  address: Address,
): Promise<(SlotTime & { transaction: Word | undefined })[]> {
  const bytes = column.hex(address)
  const seqs: number[] = []
  for (let until = Number.MAX_SAFE_INTEGER; seqs.length < clearLimit; ) {
    const { rows } = await sql<{ storage_seq: number | null }>`
      select storage_seq from ${rowsOf('account_versions')} where address = ${bytes} and seq < ${until}
      order by seq desc limit 1`.execute(queries)
    const seq = rows[0]?.storage_seq
    if (seq === null || seq === undefined) break
    seqs.push(Number(seq))
    until = Number(seq)
  }
  if (seqs.length === 0) return []
  const { rows } = await sql<{ seq: number; position: number; hash: Uint8Array }>`
    select block.seq, written.position, written.hash from ${rowsOf('blocks', 'block')}
    join ${rowsOf('creations', 'made')} on made.address = ${bytes} and made.block_number = block.number
    join ${rowsOf('transactions', 'written')}
      on written.block_number = block.number and written.position = made.transaction_position
    where block.seq in (${sql.join(seqs)}) order by written.position`.execute(queries)
  const made = new Map(rows.map((row) => [Number(row.seq), row]))
  return seqs.map((seq) => {
    const row = made.get(seq)
    return {
      seq,
      position: row ? Number(row.position) : outsideBlocks,
      transaction: row ? value.word(row.hash) : undefined,
    }
  })
}

/** Most changes of the follow set that concern one slot and are listed. */
const followLimit = 1000

/** When a slot, or its account, began and ceased to be followed. */
export async function loadSlotFollows(
  queries: Queries,
  { address, slot }: SlotKey,
): Promise<{ from: number; until: number | undefined }[]> {
  const rows = await queries
    .selectFrom('follows')
    .select(['from_seq', 'until_seq'])
    .where('address', '=', column.hex(address))
    .where('slot', 'in', [column.hex(slot), new Uint8Array()])
    .orderBy('from_seq', 'desc')
    .limit(followLimit)
    .execute()
  return rows.map(({ from_seq, until_seq }) => ({ from: from_seq, until: until_seq ?? undefined }))
}

/** The transactions of a block that called or created a contract, in order. */
export async function loadTransactionsTo(queries: Queries, blockNumber: bigint, address: Address): Promise<Word[]> {
  const { rows } = await sql<{ hash: Uint8Array }>`
    select hash from ${rowsOf('transactions')} where block_number = ${Number(blockNumber)} and position in (
      select transaction_position from ${rowsOf('calls')}
      where recipient = ${column.hex(address)} and block_number = ${Number(blockNumber)})
    order by position`.execute(queries)
  return rows.map(({ hash }) => value.word(hash))
}

/** The transactions that last wrote slots of a contract. None for a slot that was written in another way. */
export async function loadLastWriters(
  queries: Queries,
  address: Address,
  slots: readonly Word[],
): Promise<Map<Word, Word>> {
  const found = new Map<Word, Word>()
  const bytes = column.hex(address)
  const caller = (which: 'min' | 'max') => sql`(select ${sql.raw(which)}(transaction_position) from ${rowsOf('calls')}
    where recipient = ${bytes} and block_number = block.number)`
  // Values from before positions were stored: the writer is known if one transaction of the block called the contract.
  const position = sql`coalesce(version.position, case when ${caller('min')} = ${caller('max')} then ${caller('min')} end)`
  for (const chunk of chunks(slots)) {
    const { rows } = await sql<{ slot: Uint8Array; hash: Uint8Array }>`${withWanted(chunk)}
      select version.slot, written.hash from wanted join ${rowsOf('slot_versions', 'version')}
      on version.address = ${bytes} and version.slot = key and version.seq =
        (select max(seq) from ${rowsOf('slot_versions')} where address = ${bytes} and slot = key)
      join ${rowsOf('blocks', 'block')} on block.seq = version.seq
      join ${rowsOf('transactions', 'written')} on written.block_number = block.number and written.position = ${position}`.execute(
      queries,
    )
    for (const row of rows) found.set(value.word(row.slot), value.word(row.hash))
  }
  return found
}
