import type { Address, Word } from '@understudy/evm'
import type { Selectable } from 'kysely'
import { type BlockRun, blockInRun, partOfRun, ringFieldsInRun } from '../../../ethereum/emptyBlocks/blockRun.ts'
import { ringLength, ringWrites } from '../../../ethereum/emptyBlocks/systemRings.ts'
import { decodeStoredHeader, encodeStoredHeader } from '../../../ethereum/header.ts'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../insertRows.ts'
import type { Tables } from '../../schema.ts'
import type { BlockRecord } from './blockRecord.ts'
import { RunIndex } from './runIndex.ts'

/** Blocks per row: a read of one block reads its row. */
const blocksOfRow = 1024

/** A run, and what its blocks have in common. The change numbers of the blocks follow each other, as their numbers do. */
export type BlockRunRecord = Pick<BlockRecord, 'baseNumber' | 'baseHash' | 'live'> & { firstSeq: number; run: BlockRun }

type Row = Selectable<Tables['block_runs']>

/** Stores a run in as many rows as it needs. */
export async function addBlockRun(queries: Queries, record: BlockRunRecord): Promise<void> {
  const { firstSeq, run, baseNumber, baseHash, live } = record
  for (let start = 0; start < run.count; start += blocksOfRow) {
    const { first, count, interval, rings, hashes, stateRoots } = partOfRun(
      run,
      start,
      Math.min(blocksOfRow, run.count - start),
    )
    await queries
      .insertInto('block_runs')
      .values({
        first_number: Number(first.number),
        last_number: Number(first.number) + count - 1,
        first_seq: firstSeq + start,
        last_seq: firstSeq + start + count - 1,
        base_number: Number(baseNumber),
        base_hash: column.hex(baseHash),
        live_number: live ? Number(live.number) : null,
        live_hash: live ? column.hex(live.hash) : null,
        header: encodeStoredHeader(first),
        interval_seconds: Number(interval),
        writes_beacon_roots: Number(rings.beaconRoots),
        writes_block_hashes: Number(rings.blockHashes),
        hashes,
        state_roots: stateRoots,
      })
      .execute()
  }
}

/** The blocks of runs with numbers in `[from, to]`, oldest first; those at the ends only if `only` says so. */
export async function loadRunBlocks(
  queries: Queries,
  { from, to }: { from: number; to: number },
  only?: 'first' | 'last',
): Promise<BlockRecord[]> {
  let query = queries
    .selectFrom('block_runs')
    .selectAll()
    .where('first_number', '<=', to)
    .where('last_number', '>=', from)
    .orderBy('first_number', only === 'last' ? 'desc' : 'asc')
  if (only) query = query.limit(1)
  const found: BlockRecord[] = []
  for (const row of await query.execute()) {
    const first = Math.max(from, row.first_number)
    const last = Math.min(to, row.last_number)
    const record = fromRow(row)
    for (let number = only === 'last' ? last : first; number <= (only === 'first' ? first : last); number++)
      found.push(blockOf(record, number - row.first_number))
  }
  return found
}

/** The block with a hash. */
export async function loadRunBlock(queries: Queries, hash: Word): Promise<BlockRecord | undefined> {
  const index = indexes.get(queries) ?? new RunIndex()
  indexes.set(queries, index)
  for (const { firstSeq, at } of await index.find(queries, hash)) {
    const row = await queries.selectFrom('block_runs').selectAll().where('first_seq', '=', firstSeq).executeTakeFirst()
    const block = row && blockOf(fromRow(row), at)
    if (block?.hash === hash) return block
  }
  return undefined
}

/** Each database has its own. */
const indexes = new WeakMap<Queries, RunIndex>()

/** The latest block of a run whose change number is at most `seq`, and greater than `after`. */
export async function loadRunBlockBefore(
  queries: Queries,
  seq: number,
  after: number,
): Promise<BlockRecord | undefined> {
  const row = await queries
    .selectFrom('block_runs')
    .selectAll()
    .where('first_seq', '<=', seq)
    .where('last_seq', '>', after)
    .orderBy('first_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && blockOf(fromRow(row), Math.min(seq, row.last_seq) - row.first_seq)
}

/** Copies the blocks after `number` of the run that has both, if there is one, to another network. */
export async function copyEndOfRun(from: Queries, to: Queries, number: number): Promise<void> {
  const row = await findRunAround(from, number)
  if (!row) return
  const { run, firstSeq, ...record } = fromRow(row)
  const start = number - row.first_number + 1
  await to.deleteFrom('block_runs').where('first_number', '=', row.first_number).execute()
  await addBlockRun(to, { ...record, firstSeq: firstSeq + start, run: partOfRun(run, start, run.count - start) })
}

/** The run that has the block `number` and the one after it. */
const findRunAround = (queries: Queries, number: number) =>
  queries
    .selectFrom('block_runs')
    .selectAll()
    .where('first_number', '<=', number)
    .where('last_number', '>', number)
    .executeTakeFirst()

/** Deletes every block of a run after `number`. What the blocks up to it wrote becomes versions, if they have none. */
export async function removeRunBlocksAfter(queries: Queries, number: number): Promise<void> {
  const cut = await findRunAround(queries, number)
  await queries.deleteFrom('block_runs').where('last_number', '>', number).execute()
  if (!cut) return
  const record = fromRow(cut)
  const count = number - cut.first_number + 1
  await addBlockRun(queries, { ...record, run: partOfRun(record.run, 0, count) })
  const rows = [...(await loadRunVersions(queries, cut.first_seq + count - 1))].flatMap(([address, versions]) =>
    [...versions].map(([slot, { seq, value: word }]) => ({
      address: column.hex(address),
      slot: column.hex(slot),
      seq,
      value: column.number(word),
    })),
  )
  await insertRows(queries, 'slot_versions', rows, 'keep')
}

/** Deletes the runs that no block from `number` on needs. Returns their first change number, if there were any. */
export async function pruneRuns(queries: Queries, number: number): Promise<number | undefined> {
  const removed = await queries
    .deleteFrom('block_runs')
    .where('last_number', '<', number - Number(ringLength))
    .returning('first_seq')
    .execute()
  return removed.length === 0 ? undefined : Math.min(...removed.map((row) => row.first_seq))
}

/** A slot of a system contract that a block of a run wrote, as its change number and the value. */
export type RunVersion = { seq: number; value: bigint }

/**
 * The slots that blocks of runs have written until the change `seq`, if that is a block of a run: only the last version
 * of each slot in a run has a row of its own. Only slots that are `wanted`; all, if that is left out.
 */
export async function loadRunVersions(
  queries: Queries,
  seq: number,
  wanted?: ReadonlySet<Word>,
): Promise<Map<Address, Map<Word, RunVersion>>> {
  const versions = new Map<Address, Map<Word, RunVersion>>()
  const inside = await queries
    .selectFrom('block_runs')
    .select('first_seq')
    .where('first_seq', '<=', seq)
    .where('last_seq', '>=', seq)
    .executeTakeFirst()
  if (!inside) return versions
  const from = seq - Number(ringLength) + 1
  const rows = await queries
    .selectFrom('block_runs')
    .selectAll()
    .where('first_seq', '<=', seq)
    .where('last_seq', '>=', from)
    .orderBy('first_seq')
    .execute()
  const places = wanted && new Set([...wanted].map((slot) => Number(BigInt(slot) % ringLength)))
  const length = Number(ringLength)
  for (const row of rows) {
    const { run, firstSeq } = fromRow(row)
    const [number, timestamp, interval] = [run.first.number, run.first.timestamp, run.interval].map(Number) as [
      number,
      number,
      number,
    ]
    const last = Math.min(seq, row.last_seq)
    for (let at = Math.max(from, firstSeq); at <= last; at++) {
      const index = at - firstSeq
      const isWanted =
        !places || places.has((number + index - 1) % length) || places.has((timestamp + index * interval) % length)
      if (!isWanted) continue
      for (const [address, values] of ringWrites(ringFieldsInRun(run, index), run.rings)) {
        const known = versions.get(address) ?? new Map<Word, RunVersion>()
        versions.set(address, known)
        for (const [slot, word] of values) known.set(slot, { seq: at, value: word })
      }
    }
  }
  return versions
}

function blockOf({ run, firstSeq, ...rest }: BlockRunRecord, index: number): BlockRecord {
  const { header, hash, size } = blockInRun(run, index)
  return { ...rest, number: header.number, hash, seq: firstSeq + index, header: encodeStoredHeader(header), size }
}

function fromRow(row: Row): BlockRunRecord {
  const { live_number: liveNumber, live_hash: liveHash } = row
  return {
    firstSeq: row.first_seq,
    baseNumber: BigInt(row.base_number),
    baseHash: value.word(row.base_hash),
    live:
      liveNumber === null || liveHash === null ? undefined : { number: BigInt(liveNumber), hash: value.word(liveHash) },
    run: {
      first: decodeStoredHeader(value.bytes(row.header)),
      count: row.last_number - row.first_number + 1,
      interval: BigInt(row.interval_seconds),
      hashes: value.bytes(row.hashes),
      stateRoots: value.bytes(row.state_roots),
      rings: { beaconRoots: row.writes_beacon_roots === 1, blockHashes: row.writes_block_hashes === 1 },
    },
  }
}
