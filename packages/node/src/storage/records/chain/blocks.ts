import type { Word } from '@understudy/evm'
import type { Selectable } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { deleteAbove, insertRows, type NumberColumn, tablesAbove } from '../../queries/insertRows.ts'
import { runStatement } from '../../queries/runStatement.ts'
import type { Tables } from '../../schema.ts'
import { tablesOfBlocks } from '../../tables.ts'
import type { BlockRecord } from './blockRecord.ts'
import {
  announcedOfRun,
  loadRunBlock,
  loadRunBlockBefore,
  loadRunBlocks,
  removeRunBlocksAfter,
  removeRunsBefore,
  splitRunAfter,
} from './blockRuns.ts'

const endOfNumbers = BigInt(Number.MAX_SAFE_INTEGER)

export async function addBlocks(
  queries: Queries,
  blocks: readonly (BlockRecord & { accessList: Uint8Array | undefined })[],
): Promise<void> {
  const rows = blocks.map((block) => ({
    number: Number(block.number),
    hash: column.hex(block.hash),
    seq: block.seq,
    base_number: Number(block.baseNumber),
    base_hash: column.hex(block.baseHash),
    live_number: block.live ? Number(block.live.number) : null,
    live_hash: block.live ? column.hex(block.live.hash) : null,
    header: block.header,
    size: Number(block.size),
    access_list: block.accessList ?? null,
  }))
  await insertRows(queries, 'blocks', rows)
}

export async function loadBlock(queries: Queries, key: { number: bigint } | { hash: Word }) {
  const [name, bound] =
    'number' in key ? ['number' as const, Number(key.number)] : ['hash' as const, column.hex(key.hash)]
  const [row] = await runStatement<Selectable<Tables['blocks']>>(queries, `loadBlock ${name}`, [bound], () =>
    queries.selectFrom('blocks').selectAll().where(name, '=', bound).compile(),
  )
  if (row) return fromRow(row)
  if ('hash' in key) return loadRunBlock(queries, key.hash)
  return (await loadRunBlocks(queries, key.number, key.number))[0]
}

/** The RLP of the access list of a block; `undefined` where it has none. */
export async function loadAccessList(queries: Queries, hash: Word): Promise<Uint8Array | undefined> {
  const row = await queries
    .selectFrom('blocks')
    .select('access_list')
    .where('hash', '=', column.hex(hash))
    .executeTakeFirst()
  return row?.access_list ? value.bytes(row.access_list) : undefined
}

/** The block after a number; numbers can be skipped between two blocks. */
export async function loadBlockAfter(queries: Queries, number: bigint): Promise<BlockRecord | undefined> {
  const row = await queries
    .selectFrom('blocks')
    .selectAll()
    .where('number', '>', Number(number))
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  const to = row ? BigInt(row.number) - 1n : endOfNumbers
  const [inRun] = await loadRunBlocks(queries, number + 1n, to, 'first')
  return inRun ?? (row && fromRow(row))
}

/** The latest block, or the latest up to the number `upTo`. */
export async function loadNewestBlock(queries: Queries, upTo?: bigint): Promise<BlockRecord | undefined> {
  const blocks = queries.selectFrom('blocks').selectAll()
  const row = await (upTo === undefined ? blocks : blocks.where('number', '<=', Number(upTo)))
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [inRun] = await loadRunBlocks(queries, row ? BigInt(row.number) + 1n : 0n, upTo ?? endOfNumbers, 'last')
  return inRun ?? (row && fromRow(row))
}

/** The latest block whose change number is at most `seq`. */
export async function loadNewestBlockBefore(queries: Queries, seq: number): Promise<BlockRecord | undefined> {
  const row = await queries
    .selectFrom('blocks')
    .selectAll()
    .where('seq', '<=', seq)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const inRun = await loadRunBlockBefore(queries, seq, row?.seq ?? 0)
  return inRun ?? (row && fromRow(row))
}

/** The existing blocks in `[from, to]`, oldest first. */
export async function loadBlocks(queries: Queries, from: bigint, to: bigint): Promise<BlockRecord[]> {
  return sorted(await loadSingleBlocks(queries, from, to), await loadRunBlocks(queries, from, to))
}

/** Those of which subscribers and filters are told: of many empty blocks, the newest. */
export async function loadAnnouncedBlocks(queries: Queries, from: bigint, to: bigint): Promise<BlockRecord[]> {
  const recent = to - BigInt(announcedOfRun) + 1n
  const inRuns = await loadRunBlocks(queries, recent > from ? recent : from, to)
  return sorted(await loadSingleBlocks(queries, from, to), inRuns)
}

function sorted(blocks: BlockRecord[], inRuns: BlockRecord[]): BlockRecord[] {
  if (inRuns.length === 0 || blocks.length === 0) return [...blocks, ...inRuns]
  return [...blocks, ...inRuns].sort((a, b) => Number(a.number - b.number))
}

async function loadSingleBlocks(queries: Queries, from: bigint, to: bigint): Promise<BlockRecord[]> {
  const rows = await queries
    .selectFrom('blocks')
    .selectAll()
    .where('number', '>=', Number(from))
    .where('number', '<=', Number(to))
    .orderBy('number')
    .execute()
  return rows.map(fromRow)
}

/** The existing blocks with these numbers, in no particular order. */
export async function loadBlocksNumbered(queries: Queries, numbers: readonly bigint[]): Promise<BlockRecord[]> {
  const rows = await queries.selectFrom('blocks').selectAll().where('number', 'in', numbers.map(Number)).execute()
  const found = rows.map(fromRow)
  const known = new Set(found.map(({ number }) => number))
  for (const number of numbers) if (!known.has(number)) found.push(...(await loadRunBlocks(queries, number, number)))
  return found
}

/** Makes every row have blocks up to `number` or after it, so that those after it can be copied. */
export const splitRowsAfter = splitRunAfter

const columnsOfBlocks: readonly NumberColumn[] = [
  ...tablesOfBlocks.map((table) => [table, 'block_number'] as const),
  ['blocks', 'number'],
  ['block_runs', 'last_number'],
]

/** Deletes every block after `number`, with all of its rows. */
export async function removeBlocksAfter(queries: Queries, number: bigint): Promise<void> {
  const used = await tablesAbove(queries, 'removeBlocksAfter', columnsOfBlocks, Number(number))
  for (const table of tablesOfBlocks)
    if (used.has(table)) await deleteAbove(queries, table, 'block_number', Number(number))
  if (used.has('blocks')) await deleteAbove(queries, 'blocks', 'number', Number(number))
  if (used.has('block_runs')) await removeRunBlocksAfter(queries, number)
}

/** Deletes every block before `number`, and nothing else of them. Returns their first change number, if there were any. */
export async function removeBlocksBefore(queries: Queries, number: bigint): Promise<number | undefined> {
  const single = await queries.deleteFrom('blocks').where('number', '<', Number(number)).returning('seq').execute()
  const seqs = [...single.map(({ seq }) => seq), ...(await removeRunsBefore(queries, number))]
  return seqs.length === 0 ? undefined : seqs.reduce((first, seq) => Math.min(first, seq))
}

function fromRow(row: Selectable<Tables['blocks']>): BlockRecord {
  const { live_number: liveNumber, live_hash: liveHash } = row
  return {
    number: BigInt(row.number),
    hash: value.word(row.hash),
    seq: row.seq,
    baseNumber: BigInt(row.base_number),
    baseHash: value.word(row.base_hash),
    live:
      liveNumber === null || liveHash === null ? undefined : { number: BigInt(liveNumber), hash: value.word(liveHash) },
    header: value.bytes(row.header),
    size: BigInt(row.size),
  }
}
