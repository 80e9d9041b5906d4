import type { Address, Word } from '@understudy/evm'
import { type Selectable, sql } from 'kysely'
import { zeroWord } from '../../../ethereum/constants.ts'
import { decodeStoredHeader, encodeHeader, encodeStoredHeader, type Header } from '../../../ethereum/header.ts'
import { rawBlockSize } from '../../../ethereum/rawBlock.ts'
import { ringLength, ringWrites, type SystemRings } from '../../../ethereum/systemRings.ts'
import { createMutex } from '../../../shared/async/mutex.ts'
import { bytesFromHex, hexFromBytes } from '../../../shared/hex.ts'
import { keccak } from '../../../shared/keccak.ts'
import { yieldToEventLoop } from '../../../shared/yieldToEventLoop.ts'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'
import { runStatement } from '../../queries/runStatement.ts'
import type { Tables } from '../../schema.ts'
import type { BlockRecord } from './blockRecord.ts'

/**
 * Consecutive empty blocks, whose headers differ only in what follows from their position: number, time, parent and
 * randomness. Their change numbers follow each other, as their numbers do.
 */
export type BlockRun = Pick<BlockRecord, 'baseNumber' | 'baseHash' | 'live'> & {
  first: Header
  /** The change number of the first block. */
  firstSeq: number
  /** Seconds from one block to the next. */
  interval: bigint
  /** 32 bytes of each block. */
  hashes: Uint8Array
  rings: SystemRings
}

/** How many of the latest blocks of a run are announced to subscribers and filters. */
export const announcedOfRun = 256

/** Blocks per row: a read of one block reads its row. */
const blocksOfRow = 1024
/** Blocks that are stored before others have their turn. */
const blocksAtOnce = 64 * blocksOfRow
const slotsOfRing = Number(ringLength)

/** The header of an empty block `steps` blocks after another one, if nothing else changes between them. */
export function laterHeader(header: Header, steps: number, interval: bigint, parentHash: Word): Header {
  return {
    ...header,
    number: header.number + BigInt(steps),
    timestamp: header.timestamp + BigInt(steps) * interval,
    timestampMs: header.timestampMs && header.timestampMs + BigInt(steps) * interval * 1000n,
    settledHeight: header.settledHeight === undefined ? undefined : header.settledHeight + BigInt(steps),
    parentHash,
    // Before the merge it is zero; see `nextHeader`.
    mixHash: header.mixHash === zeroWord ? zeroWord : keccak(bytesFromHex(parentHash)),
  }
}

export const countOf = ({ hashes }: Pick<BlockRun, 'hashes'>): number => hashes.length / 32

const hashIn = ({ hashes }: BlockRun, index: number): Word => hexFromBytes(hashes.subarray(32 * index, 32 * index + 32))

/** A block of a run, with its decoded header. */
export function blockIn(run: BlockRun, index: number): Omit<BlockRecord, 'header'> & { header: Header } {
  const { first, firstSeq, interval, baseNumber, baseHash, live } = run
  const header = index === 0 ? first : laterHeader(first, index, interval, hashIn(run, index - 1))
  const size = BigInt(rawBlockSize(header, encodeHeader(header), []))
  const { number } = header
  return { number, hash: hashIn(run, index), seq: firstSeq + index, baseNumber, baseHash, live, header, size }
}

function recordIn(run: BlockRun, index: number): BlockRecord {
  const block = blockIn(run, index)
  return { ...block, header: encodeStoredHeader(block.header) }
}

/** The blocks of a run from `start` on, without `end`. */
function partOf(run: BlockRun, start: number, end: number): BlockRun {
  const { header: first, seq: firstSeq } = blockIn(run, start)
  return { ...run, first, firstSeq, hashes: run.hashes.subarray(32 * start, 32 * end) }
}

/** Stores a run, and of the slots that its blocks wrote the last version. */
export async function addBlockRun(queries: Queries, run: BlockRun): Promise<void> {
  await addRows(queries, run)
  await addSlots(queries, slotsWritten([run], run.firstSeq + countOf(run) - 1))
}

async function addRows(queries: Queries, run: BlockRun): Promise<void> {
  for (let start = 0; start < countOf(run); start += blocksOfRow) {
    if (start % blocksAtOnce === 0) await yieldToEventLoop()
    const part = partOf(run, start, Math.min(start + blocksOfRow, countOf(run)))
    const { first, firstSeq, interval, rings, hashes, baseNumber, baseHash, live } = part
    await insertRows(queries, 'block_runs', [
      {
        first_number: Number(first.number),
        last_number: Number(first.number) + countOf(part) - 1,
        first_seq: firstSeq,
        last_seq: firstSeq + countOf(part) - 1,
        base_number: Number(baseNumber),
        base_hash: column.hex(baseHash),
        live_number: live ? Number(live.number) : null,
        live_hash: live ? column.hex(live.hash) : null,
        header: encodeStoredHeader(first),
        interval_seconds: Number(interval),
        writes_beacon_roots: Number(rings.beaconRoots),
        writes_block_hashes: Number(rings.blockHashes),
        hashes,
      },
    ])
  }
}

/** The blocks of runs with numbers in `[from, to]`, oldest first; one of the ends only if `only` says so. */
export async function loadRunBlocks(
  queries: Queries,
  from: bigint,
  to: bigint,
  only?: 'first' | 'last',
): Promise<BlockRecord[]> {
  const bounds = [Number(to), Number(from)]
  const rows = await runStatement<Selectable<Tables['block_runs']>>(queries, `loadRunBlocks ${only}`, bounds, () => {
    const query = queries
      .selectFrom('block_runs')
      .selectAll()
      .where('first_number', '<=', Number(to))
      .where('last_number', '>=', Number(from))
      .orderBy('first_number', only === 'last' ? 'desc' : 'asc')
    return (only ? query.limit(sql.lit(1)) : query).compile()
  })
  const found: BlockRecord[] = []
  for (const row of rows) {
    const first = Math.max(Number(from), row.first_number)
    const last = Math.min(Number(to), row.last_number)
    const run = fromRow(row)
    for (let number = only === 'last' ? last : first; number <= (only === 'first' ? first : last); number++)
      found.push(recordIn(run, number - row.first_number))
  }
  return found
}

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
  return row && recordIn(fromRow(row), Math.min(seq, row.last_seq) - row.first_seq)
}

/** The block with a hash. */
export async function loadRunBlock(queries: Queries, hash: Word): Promise<BlockRecord | undefined> {
  const index = indexes.get(queries) ?? new HashIndex()
  indexes.set(queries, index)
  for (const { firstSeq, at } of await index.find(queries, hash)) {
    const row = await queries.selectFrom('block_runs').selectAll().where('first_seq', '=', firstSeq).executeTakeFirst()
    const block = row && recordIn(fromRow(row), at)
    if (block?.hash === hash) return block
  }
  return undefined
}

/**
 * Finds blocks of runs by hash: 4 bytes of each hash are in memory, because a search of whole hashes in the database reads
 * all of them. It is read when it is first needed and follows the table: the numbers of changes are never used twice, so
 * the first and the last of them tell whether anything was added or removed.
 */
class HashIndex {
  /** The start of the hash of each block of a row, by the row's first change number. */
  #starts = new Map<number, Uint32Array>()
  #state = ''
  /** A lookup sees what was committed before it began, also while another one reads. */
  readonly #mutex = createMutex()

  async find(queries: Queries, hash: Word): Promise<{ firstSeq: number; at: number }[]> {
    await this.#mutex.run(() => this.#follow(queries))
    const start = Number.parseInt(hash.slice(2, 10), 16)
    const positions = []
    for (const [firstSeq, starts] of this.#starts)
      for (let at = starts.indexOf(start); at >= 0; at = starts.indexOf(start, at + 1)) positions.push({ firstSeq, at })
    return positions
  }

  async #follow(queries: Queries): Promise<void> {
    const [ends] = await runStatement<{ count: unknown; first: unknown; last: unknown }>(
      queries,
      'endsOfRuns',
      [],
      () =>
        queries
          .selectFrom('block_runs')
          .select(({ fn }) => [
            fn.countAll().as('count'),
            fn.min('first_seq').as('first'),
            fn.max('last_seq').as('last'),
          ])
          .compile(),
    )
    const state = `${ends?.count} ${ends?.first} ${ends?.last}`
    if (state === this.#state) return
    const starts = new Map<number, Uint32Array>()
    for (const { first_seq: seq } of await queries.selectFrom('block_runs').select('first_seq').execute()) {
      // A row is only ever cut: what it no longer has is not found in it.
      starts.set(seq, this.#starts.get(seq) ?? (await loadStarts(queries, seq)))
      if (starts.size % 50 === 0) await yieldToEventLoop()
    }
    this.#starts = starts
    this.#state = state
  }
}

/** Each database has its own. */
const indexes = new WeakMap<Queries, HashIndex>()

async function loadStarts(queries: Queries, firstSeq: number): Promise<Uint32Array> {
  const row = await queries
    .selectFrom('block_runs')
    .select('hashes')
    .where('first_seq', '=', firstSeq)
    .executeTakeFirst()
  const hashes = row ? value.bytes(row.hashes) : new Uint8Array()
  const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.byteLength)
  return Uint32Array.from({ length: hashes.length / 32 }, (_, at) => view.getUint32(32 * at))
}

/** Makes two runs of the one that has the block `number` and the one after it, if there is one. */
export async function splitRunAfter(queries: Queries, number: bigint): Promise<void> {
  const row = await queries
    .selectFrom('block_runs')
    .selectAll()
    .where('first_number', '<=', Number(number))
    .where('last_number', '>', Number(number))
    .executeTakeFirst()
  if (!row) return
  const run = fromRow(row)
  const rest = partOf(run, Number(number) + 1 - row.first_number, countOf(run))
  await queries.deleteFrom('block_runs').where('first_number', '=', row.first_number).execute()
  await addRows(queries, partOf(run, 0, countOf(run) - countOf(rest)))
  await addRows(queries, rest)
  await addSlots(queries, await loadProtocolSlots(queries, rest.firstSeq - 1))
}

/** Deletes every block of a run after `number`. */
export async function removeRunBlocksAfter(queries: Queries, number: bigint): Promise<void> {
  await splitRunAfter(queries, number)
  await queries.deleteFrom('block_runs').where('last_number', '>', Number(number)).execute()
}

/** Deletes the runs that no block from `number` on needs. Returns their first change numbers. */
export async function removeRunsBefore(queries: Queries, number: bigint): Promise<number[]> {
  const removed = await queries
    .deleteFrom('block_runs')
    .where('last_number', '<', Number(number - ringLength))
    .returning('first_seq')
    .execute()
  return removed.map((row) => row.first_seq)
}

/** Slots of the system contracts that blocks of runs wrote, each with the change number of its newest version. */
type RunSlots = Map<Address, Map<Word, { seq: number; value: bigint }>>

/**
 * The slots of the system contracts that blocks without versions of their own have written until the change `seq`, which
 * is such a block, and none otherwise: of each slot, only the last version in a run has a row. Only slots that are
 * `wanted`; all, if that is left out.
 */
export async function loadProtocolSlots(queries: Queries, seq: number, wanted?: ReadonlySet<Word>): Promise<RunSlots> {
  const rows = await queries
    .selectFrom('block_runs')
    .selectAll()
    .where('first_seq', '<=', seq)
    .where('last_seq', '>', seq - slotsOfRing)
    .orderBy('first_seq')
    .execute()
  const isInside = seq <= (rows.at(-1)?.last_seq ?? -1)
  return isInside ? slotsWritten(rows.map(fromRow), seq, wanted) : new Map()
}

/** What the blocks of runs, oldest first, left in the slots of the system contracts until the change `seq`. */
function slotsWritten(runs: readonly BlockRun[], seq: number, wanted?: ReadonlySet<Word>): RunSlots {
  const slots: RunSlots = new Map()
  const positions = wanted && new Set([...wanted].map((slot) => Number(BigInt(slot) % ringLength)))
  for (const run of runs) {
    const { first, firstSeq, interval, rings } = run
    // Each slot is written again after as many blocks as a ring has slots, at the latest.
    const start = Math.max(firstSeq, seq - slotsOfRing + 1) - firstSeq
    for (let index = start; index < countOf(run) && firstSeq + index <= seq; index++) {
      const number = first.number + BigInt(index)
      const timestamp = first.timestamp + BigInt(index) * interval
      const isWanted = (position: bigint) => !positions || positions.has(Number(position % ringLength))
      if (!isWanted(number - 1n) && !isWanted(timestamp)) continue
      const parentHash = index === 0 ? first.parentHash : hashIn(run, index - 1)
      const { parentBeaconBlockRoot } = first
      for (const [address, values] of ringWrites({ number, timestamp, parentHash, parentBeaconBlockRoot }, rings)) {
        const known = slots.get(address) ?? new Map()
        slots.set(address, known)
        for (const [slot, word] of values) known.set(slot, { seq: firstSeq + index, value: word })
      }
    }
  }
  return slots
}

async function addSlots(queries: Queries, slots: RunSlots): Promise<void> {
  const rows = [...slots].flatMap(([address, versions]) => {
    const bytes = column.hex(address)
    return [...versions].map(([slot, { seq, value: word }]) => ({
      address: bytes,
      slot: column.hex(slot),
      seq,
      value: column.number(word),
    }))
  })
  await insertRows(queries, 'slot_versions', rows, 'keep')
}

function fromRow(row: Selectable<Tables['block_runs']>): BlockRun {
  const { live_number: liveNumber, live_hash: liveHash } = row
  return {
    first: decodeStoredHeader(value.bytes(row.header)),
    firstSeq: row.first_seq,
    interval: BigInt(row.interval_seconds),
    hashes: value.bytes(row.hashes),
    rings: { beaconRoots: row.writes_beacon_roots === 1, blockHashes: row.writes_block_hashes === 1 },
    baseNumber: BigInt(row.base_number),
    baseHash: value.word(row.base_hash),
    live:
      liveNumber === null || liveHash === null ? undefined : { number: BigInt(liveNumber), hash: value.word(liveHash) },
  }
}
