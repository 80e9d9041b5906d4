import type { Word } from '@understudy/evm'
import { giveWay } from '../../../shared/giveWay.ts'
import { createMutex } from '../../../shared/mutex.ts'
import { value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'

/** A row of runs, and the start of the hash of each of its blocks. */
type Entry = { firstSeq: number; starts: Uint32Array }

/** Where a block with a hash can be. */
type Place = { firstSeq: number; at: number }

/** Rows that are read before others have their turn. */
const rowsAtOnce = 50

/**
 * Finds blocks of runs by hash: 4 bytes of each hash are in memory, because a search of whole hashes in the database reads
 * all of them. It is read when it is first needed and follows the table: the numbers of changes are never used twice, so
 * the first and the last of them tell whether anything was added or removed.
 */
export class RunIndex {
  #entries = new Map<string, Entry>()
  #state = ''
  /** A lookup sees what was committed before it began, also while another one reads. */
  readonly #mutex = createMutex()

  async find(queries: Queries, hash: Word): Promise<Place[]> {
    await this.#mutex.run(() => this.#follow(queries))
    const start = Number.parseInt(hash.slice(2, 10), 16)
    const places: Place[] = []
    for (const { firstSeq, starts } of this.#entries.values())
      for (let at = starts.indexOf(start); at >= 0; at = starts.indexOf(start, at + 1)) places.push({ firstSeq, at })
    return places
  }

  async #follow(queries: Queries): Promise<void> {
    const ends = await queries
      .selectFrom('block_runs')
      .select(({ fn }) => [fn.countAll().as('count'), fn.min('first_seq').as('first'), fn.max('last_seq').as('last')])
      .executeTakeFirstOrThrow()
    const state = `${ends.count} ${ends.first} ${ends.last}`
    if (state === this.#state) return
    const rows = await queries.selectFrom('block_runs').select(['first_seq', 'last_seq']).execute()
    const entries = new Map<string, Entry>()
    let read = 0
    for (const { first_seq: firstSeq, last_seq: lastSeq } of rows) {
      const key = `${firstSeq} ${lastSeq}`
      const known = this.#entries.get(key)
      if (!known && ++read % rowsAtOnce === 0) await giveWay()
      entries.set(key, known ?? { firstSeq, starts: await loadStarts(queries, firstSeq) })
    }
    this.#entries = entries
    this.#state = state
  }
}

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
