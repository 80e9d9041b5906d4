import type { Address, Word } from '@understudy/evm'
import type { Database, Queries } from '../../storage/database.ts'
import { loadSetting, saveSetting } from '../../storage/records/settings.ts'
import {
  addUpstreamCodes,
  addUpstreamValues,
  loadUpstreamCodes,
  loadUpstreamValues,
  removeEndedUpstreamValues,
  removeUpstreamCodes,
  removeUpstreamValues,
  removeUpstreamValuesOf,
  type UpstreamKey,
  type UpstreamValueRecord,
} from '../../storage/records/upstream/upstreamCache.ts'
import type { CanonicalChain } from './canonicalChain.ts'
import type { Field, StateStore } from './store.ts'
import { Timeline, type TimelineRecord } from './timeline.ts'

/** Metadata of the stored values, without which they have no meaning. */
type CacheRecord = {
  timeline: TimelineRecord
  hashes: [number: number, hash: Word][]
  /** Set if upstream was a node whose state changes outside of blocks: the values may be outdated. */
  mayBeOutdated?: boolean
}

const recordKey = 'upstreamCache'
/** Keys stored at a time, so that other users of the database do not wait long. */
const addedLimit = 1_000

/** Loads stored values that still hold into a cache; ended values are rarely needed. Returns what was stored. */
export async function restoreCache(
  queries: Queries,
  store: StateStore,
  chain: CanonicalChain,
): Promise<{ mayBeOutdated: boolean } | undefined> {
  const record = await loadSetting<CacheRecord>(queries, recordKey)
  if (!record) return undefined
  store.timeline = Timeline.from(record.timeline, store.timeline.keep)
  for (const [number, hash] of record.hashes) chain.add(number, hash)
  for (const { address, field, value, from, to, generation } of await loadUpstreamValues(queries, servingOf(store)))
    store.restore(address, field, { value, from, to, generation })
  for (const [hash, code] of await loadUpstreamCodes(queries)) store.restoreCode(hash, code)
  return { mayBeOutdated: record.mayBeOutdated === true }
}

/** Deletes what `restoreCache` skips. */
export function trimStoredCache(database: Database, store: StateStore): Promise<void> {
  return database.transaction((transaction) => removeEndedUpstreamValues(transaction, servingOf(store)))
}

const servingOf = ({ timeline }: StateStore) => ({ generation: timeline.record.generation, keep: timeline.keep })

/**
 * Stores changes. An ended value is never left in the database as one that holds: wrong rows are corrected together
 * with the timeline; missing rows may be added later.
 */
export async function saveCache(
  database: Database,
  store: StateStore,
  chain: CanonicalChain,
  mayBeOutdated: boolean,
): Promise<void> {
  const { all, changed, added, addedCodes, removedCodes } = store.takeDirty()
  const missing = all
    ? [...store.accounts].flatMap(([address, { values }]) => keysOf(address, values.keys()))
    : keysOfAll(added)
  const now = missing.splice(0, addedLimit)
  const keys = [
    ...(all ? [] : keysOfAll(changed)),
    ...now.filter(({ address, field }) => all || !changed.get(address)?.has(field)),
  ]
  for (const { address, field } of missing) store.storeLater(address, field)
  const values = valuesOf(store, keys)
  const codes = new Map<Word, Uint8Array>()
  for (const hash of all ? store.codes.keys() : addedCodes) {
    const code = store.codes.get(hash)
    if (code) codes.set(hash, code)
  }
  const record: CacheRecord = { timeline: store.timeline.record, hashes: chain.record, mayBeOutdated }
  try {
    const { withoutFlush = database.transaction } = database
    await withoutFlush(async (transaction) => {
      if (all) await removeUpstreamValues(transaction)
      else await removeUpstreamValuesOf(transaction, keys)
      await addUpstreamValues(transaction, values)
      await addUpstreamCodes(transaction, codes)
      await removeUpstreamCodes(transaction, [...removedCodes])
      await saveSetting(transaction, recordKey, record)
    })
  } catch (error) {
    store.storeAnew()
    throw error
  }
}

function keysOf(address: Address, fields: Iterable<Field>): UpstreamKey[] {
  return [...fields].map((field) => ({ address, field }))
}

function keysOfAll(fields: ReadonlyMap<Address, ReadonlySet<Field>>): UpstreamKey[] {
  return [...fields].flatMap(([address, of]) => keysOf(address, of))
}

function valuesOf(store: StateStore, keys: readonly UpstreamKey[]): UpstreamValueRecord[] {
  return keys.flatMap(({ address, field }) =>
    (store.accounts.get(address)?.values.get(field) ?? []).map(({ value, from, to, generation }) => ({
      address,
      field,
      value,
      from,
      to,
      generation,
    })),
  )
}
