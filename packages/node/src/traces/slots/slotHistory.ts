import type { Address, Word } from '@understudy/evm'
import { type PageOf, wrongCursor } from '../../activity/page.ts'
import type { History } from '../../chain/history/history.ts'
import { decodeStoredHeader } from '../../ethereum/header.ts'
import { isNetworkError } from '../../shared/errors.ts'
import { createPace } from '../../shared/yieldToEventLoop.ts'
import { type LoadingView, loadStorage } from '../../state/view.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { loadBlock, loadNewestBlockBefore } from '../../storage/records/chain/blocks.ts'
import { loadSlotRevert } from '../../storage/records/state/slotReverts.ts'
import {
  loadSlotFollows,
  loadSlotWrites,
  loadStorageClears,
  loadTransactionsTo,
  newestFirst,
  outsideBlocks,
  type SlotKey,
  type SlotTime,
} from '../../storage/records/state/slotVersions.ts'
import { loadStateCauses, type StateCause } from '../../storage/records/state/stateCauses.ts'
import type { SourceLocation } from '../runs/runLines.ts'
import type { WriteLocations } from './writeLocations.ts'

/** What changed a slot. */
export type SlotCause =
  | StateCause
  | 'revert'
  | 'transaction'
  /** The block itself: what the protocol writes, without a transaction. */
  | 'block'
  /** The creation of the contract, or its end, cleared its storage. */
  | 'creation'
  /** It happened before the oldest block that is kept. */
  | 'pruned'
  | 'unknown'

/** A value of a slot; `isLive`: of the live chain. `word` is `undefined` where it is not known. */
export type SlotValue = { word: bigint | undefined; isLive: boolean }

/** One change of a slot. */
export type SlotWrite = {
  cause: SlotCause
  /** The block that changed it, or the newest one before a change between blocks. */
  block: bigint
  transaction: Word | undefined
  /** Milliseconds since 1970: of the block, or when it was changed between blocks; `undefined` if that is not known. */
  at: number | undefined
  before: SlotValue
  after: SlotValue
  /** The line that wrote it, if it was asked for and is known. */
  location: SourceLocation | undefined
}

export type SlotHistoryQuery = SlotKey & {
  limit: number
  /** `next` of the previous page. */
  cursor: string | undefined
  /** Whether to run the transactions again to find their lines. */
  lines: boolean
}

/** `since`: the block with which the history begins: that of the fork, or the oldest that is kept. */
export type SlotHistoryPage = PageOf<SlotWrite> & { since: bigint }

/** Every change of a slot on this network, newest first. Throws `INVALID_PARAMS` for a wrong cursor. */
export type SlotHistory = {
  of(query: SlotHistoryQuery): Promise<SlotHistoryPage>
  /** The values after the blocks that changed the slot, newest first, at most 1000; of blocks that changed it often, fewer. */
  byBlock(key: SlotKey): Promise<{ block: bigint; value: bigint }[]>
}

type Needs = {
  database: Pick<Database, 'queries'>
  history: Pick<History, 'kept' | 'origin' | 'at'>
  /** The state of the live chain at a block; `undefined` if nothing is forked. */
  liveAt: ((block: History['origin']) => LoadingView) | undefined
  writeLocations: WriteLocations
}

/** Most values of the live chain that are read for a page. */
const liveReads = 8

/** The last time that a date can show; a block may have a later one. */
const latestDate = 8.64e15

const live: SlotValue = { word: undefined, isLive: true }
const unknown: SlotValue = { word: undefined, isLive: false }
const known = (word: bigint | undefined): SlotValue => (word === undefined ? live : { word, isLive: false })

/** Something that happened to a slot. `value`: what it has since then; absent if that is what it had before. */
type Event = SlotTime & {
  cause?: SlotCause
  transaction?: Word | undefined
  at?: number
  before?: SlotValue
  value?: SlotValue
}

/** What happened to slots, as it is stored. */
class SlotEvents {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** What happened besides writes: none of it happens often. */
  async loadOthers(key: SlotKey): Promise<Event[]> {
    const revert = await loadSlotRevert(this.#queries, key.address, key.slot)
    const follows = await loadSlotFollows(this.#queries, key)
    const clears = await loadStorageClears(this.#queries, key.address)
    const outside = { position: outsideBlocks, value: live }
    return [
      ...clears.map((clear): Event => ({ ...clear, cause: 'creation', value: known(0n) })),
      ...follows.flatMap(({ from, until }): Event[] => [
        { ...outside, seq: from, cause: 'follow' },
        ...(until === undefined ? [] : [{ ...outside, seq: until, cause: 'unfollow' as const, before: live }]),
      ]),
      ...(revert
        ? [
            {
              seq: revert.seq,
              position: outsideBlocks,
              cause: 'revert' as const,
              before: known(revert.value),
              at: revert.at,
            },
          ]
        : []),
    ]
  }

  async loadWrites(key: SlotKey, before: SlotTime, limit: number): Promise<Event[]> {
    const writes = await loadSlotWrites(this.#queries, key, { before, limit })
    return writes.map(({ value, ...write }) => ({ ...write, value: known(value) }))
  }

  /** The value before the oldest event of a page. */
  async valueBefore(key: SlotKey, time: SlotTime, others: readonly Event[]): Promise<SlotValue> {
    const older = [...(await this.loadWrites(key, time, 1)), ...others].filter(
      (event) => event.value && newestFirst(time, event) < 0,
    )
    return older.sort(newestFirst)[0]?.value ?? live
  }
}

export function createSlotHistory({ database: { queries }, history, liveAt, writeLocations }: Needs): SlotHistory {
  const events = new SlotEvents(queries)

  /** The change number of the oldest block that is kept; 0 if nothing was removed. */
  async function firstKept(): Promise<number> {
    const { oldest } = history.kept()
    return oldest > 0n ? ((await loadBlock(queries, { number: oldest }))?.seq ?? 0) : 0
  }

  /** The value of the live chain that a change replaced: of the base of the block before, or of the head if it was followed. */
  async function loadLive({ address, slot }: SlotKey, { seq, cause }: Event): Promise<SlotValue> {
    if (!liveAt) return known(0n)
    const block = await loadNewestBlockBefore(queries, seq - 1)
    const base = block ? { number: block.baseNumber, hash: block.baseHash } : history.origin
    try {
      const view = liveAt((cause === 'unfollow' && block?.live) || base)
      return { word: await loadStorage(view, address, slot), isLive: true }
    } catch (error) {
      if (!isNetworkError(error)) throw error
      return live
    }
  }

  async function describe(event: Event, address: Address, stored: Awaited<ReturnType<typeof loadStateCauses>>) {
    const { seq, cause, transaction, value, position } = event
    const record = await loadNewestBlockBefore(queries, seq)
    const block = record?.number ?? history.origin.number
    if (record?.seq !== seq) {
      const noted = stored.get(seq)
      return { cause: cause ?? noted?.cause ?? 'unknown', block, transaction: undefined, at: event.at ?? noted?.at }
    }
    const ms = Number(decodeStoredHeader(record.header).timestamp) * 1000
    const at = ms <= latestDate ? ms : undefined
    const described = (what: SlotCause, by?: Word) => ({ cause: what, block, transaction: by, at })
    if (cause !== undefined) return described(cause, transaction)
    if (transaction !== undefined) return described('transaction', transaction)
    if (value?.isLive) return described('wipe')
    if (position !== outsideBlocks) return described('block')
    // The block stores no positions, or none for what the protocol wrote.
    const [only, ...others] = await loadTransactionsTo(queries, block, address)
    if (only !== undefined && others.length === 0) return described('transaction', only)
    return described(only === undefined ? 'block' : 'unknown')
  }

  const slotHistory: SlotHistory = {
    async of({ address, slot, limit, cursor, lines }) {
      const key = { address, slot }
      const others = await events.loadOthers(key)
      const kept = await firstKept()
      const isPruned = ({ seq }: SlotTime) => seq < kept
      const time = timeFrom(cursor)
      const writes = await events.loadWrites(key, time, limit + 1)
      const found = [...writes, ...others.filter((other) => isNew(other, writes) && newestFirst(time, other) < 0)]
      found.sort(newestFirst)
      // Of what was removed, only its result is known.
      const firstPruned = found.findIndex(isPruned)
      if (firstPruned >= 0) found.splice(firstPruned + 1)
      const shown = found.slice(0, limit)
      const [newest, oldest] = [shown[0], shown.at(-1)]
      const since = kept > 0 ? history.kept().oldest : history.origin.number
      if (!newest || !oldest) return { items: [], next: undefined, since }

      const isFirstKept = kept > 0 && oldest.seq <= kept
      let value = isFirstKept ? unknown : await events.valueBefore(key, oldest, others)
      let reads = 0
      const causes = await loadStateCauses(
        queries,
        shown.map(({ seq }) => seq),
      )
      const items: SlotWrite[] = []
      for (const event of [...shown].reverse()) {
        let before = event.before ?? value
        const isNewContract = others.some((other) => other.cause === 'creation' && newestFirst(other, event) === 0)
        if (isNewContract && before.isLive && event.cause === undefined) before = known(0n)
        value = event.value ?? value
        // A contract that is new has nothing to clear.
        if (event.cause === 'creation' && before.isLive) continue
        if (before.isLive && before.word === undefined && reads++ < liveReads) before = await loadLive(key, event)
        const after = value.isLive && !liveAt ? known(0n) : value
        const item = { ...(await describe(event, address, causes)), before, after, location: undefined }
        items.push(
          isPruned(event) ? { ...item, cause: 'pruned', block: since, transaction: undefined, at: undefined } : item,
        )
      }
      items.reverse()
      if (lines) await writeLocations.add(items, key)
      return { items, next: found.length > limit ? `${oldest.seq}.${oldest.position}` : undefined, since }
    },
    byBlock: (key) => loadByBlock(key, slotHistory, history),
  }
  return slotHistory
}

/** Most blocks whose values are listed, most pages of changes that are read for them, and how many each has. */
const listedBlocks = 1000
const pageLimit = 10
const pageSize = 200
/** How long they may block other requests, in milliseconds. */
const sliceMs = 10

async function loadByBlock(
  key: SlotKey,
  { of }: Pick<SlotHistory, 'of'>,
  history: Pick<History, 'at'>,
): Promise<{ block: bigint; value: bigint }[]> {
  const values = new Map<bigint, bigint>()
  const pace = createPace(sliceMs)
  let cursor: string | undefined
  for (let pages = 0; pages < pageLimit && values.size < listedBlocks; pages++) {
    const page = await of({ ...key, limit: pageSize, cursor, lines: false })
    for (const { block, after } of page.items) {
      if (values.has(block) || values.size === listedBlocks) continue
      // What the live chain had is not part of the change.
      const value = after.word ?? (await loadStorage((await history.at({ number: block })).view, key.address, key.slot))
      values.set(block, value)
    }
    cursor = page.next
    if (cursor === undefined) break
    await pace()
  }
  return [...values].map(([block, value]) => ({ block, value }))
}

/** Whether no write has the same time: that of a creation or of a follow is written, too. */
const isNew = (event: Event, writes: readonly Event[]) => !writes.some((write) => newestFirst(write, event) === 0)

function timeFrom(cursor: string | undefined): SlotTime {
  if (cursor === undefined) return { seq: Number.MAX_SAFE_INTEGER, position: 0 }
  const [, seq, position] = /^(\d{1,15})\.(-?\d{1,9})$/.exec(cursor) ?? []
  if (seq === undefined) throw wrongCursor()
  return { seq: Number(seq), position: Number(position) }
}
