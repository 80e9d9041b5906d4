import type { Branching } from '../../chain/rewind/branching.ts'
import { removeWipeSchedule } from '../../chain/rewind/wipes.ts'
import { NetworkError } from '../../shared/errors.ts'
import { giveWay } from '../../shared/giveWay.ts'
import { queriesOfBranch } from '../../storage/branches/branchDatabase.ts'
import { branchColumns, type Layer, type LayerPoint, type NetworkNumber } from '../../storage/branches/layers.ts'
import { createId } from '../../storage/createId.ts'
import type { Database, Queries } from '../../storage/database.ts'
import {
  addBranch,
  type BranchRecord,
  copyRows,
  copyRowsAfter,
  copySamples,
  hasMoreSamples,
  loadBranches,
  removeSomeRows,
  saveBranch,
} from '../../storage/records/branches.ts'
import { copyEndOfRun } from '../../storage/records/chain/blockRuns.ts'
import { renewInstanceId } from '../../storage/records/instanceId.ts'
import { chunks } from '../../storage/records/state/localState.ts'
import { type BranchPoint, beginInPast } from './branchPoint.ts'

/** A branch that was not removed. */
export type NamedBranch = BranchRecord & { id: string; name: string }

const isNamed = (record: BranchRecord): record is NamedBranch => record.id !== undefined

/** Samples that are copied for branches when a tracked item is removed. */
const keptSampleLimit = 200_000

/** The stored branches, and whose rows each of them reads. */
export type BranchRecords = {
  /** Oldest first. */
  list(): NamedBranch[]
  find(idOrName: string): NamedBranch | undefined
  /** Whose rows a network reads besides its own, nearest first. The same list until it changes. */
  layersOf(network: NetworkNumber): readonly Layer[]
  /** Adds a branch that reads its parent's rows up to a point. */
  add(
    branch: Pick<NamedBranch, 'id' | 'name' | 'parent' | 'blockNumber' | 'createdAt' | 'expiresAt'>,
    point: LayerPoint,
    past: BranchPoint['past'],
  ): Promise<NamedBranch>
  /** Adds a branch of the network, and undoes it: the first branch is made in the time of later ones. */
  rehearse(): Promise<void>
  rename(branch: NamedBranch, name: string): Promise<NamedBranch>
  /** Its rows are deleted later, by `removeUnread`. */
  remove(branch: NamedBranch): Promise<void>
  /** Deletes the rows of removed branches that no other branch reads, table by table. */
  removeUnread(): Promise<void>
  /** Loads what another node stored. */
  reload(): Promise<void>
  /** What reverts and pruning of a network do. */
  branchingOf(network: NetworkNumber): Branching
}

/** Every request of a branch looks for it by its name. */
class BranchMap extends Map<NetworkNumber, BranchRecord> {
  #byName: Map<string, NamedBranch> | undefined

  named(): NamedBranch[] {
    return [...this.values()].filter(isNamed)
  }

  /** A branch may have the id of another one as its name. */
  find(idOrName: string): NamedBranch | undefined {
    if (!this.#byName) {
      const named = this.named()
      this.#byName = new Map(named.map((branch) => [branch.id, branch]))
      for (const branch of named) this.#byName.set(branch.name, branch)
    }
    return this.#byName.get(idOrName)
  }

  override set(number: NetworkNumber, record: BranchRecord): this {
    this.#byName = undefined
    return super.set(number, record)
  }

  override delete(number: NetworkNumber): boolean {
    this.#byName = undefined
    return super.delete(number)
  }

  override clear(): void {
    this.#byName = undefined
    super.clear()
  }
}

export async function openBranchRecords(database: Database): Promise<BranchRecords> {
  const records = new BranchMap()
  const { transaction, together = transaction } = database
  async function reload(): Promise<void> {
    const stored = await loadBranches(database.queries)
    records.clear()
    for (const record of stored) records.set(record.number, record)
  }

  await reload()
  const none: readonly Layer[] = []
  const layersOf = (network: NetworkNumber) => records.get(network)?.layers ?? none
  const list = () => records.named()

  async function save(record: NamedBranch): Promise<NamedBranch> {
    await together((queries) => saveBranch(queries, record))
    records.set(record.number, record)
    return record
  }

  /** The branches that read rows of a network after a point. */
  const readersAfter = (network: NetworkNumber, { seq, block }: { seq: number; block: number }) =>
    [...records.values()].filter(({ layers }) =>
      layers.some((layer) => layer.network === network && (layer.seq > seq || layer.block > block)),
    )

  async function keep(queries: Queries, network: NetworkNumber, point: { seq: number; block: number }): Promise<void> {
    const readers = readersAfter(network, point)
    const [first] = readers
    if (!first) return
    const kept = { ...first, id: undefined, name: undefined, parent: network, layers: [], expiresAt: undefined }
    const number = await addBranch(queries, kept)
    records.set(number, { ...kept, number })
    await copyRowsAfter(queries, network, number, point)
    const reading = (branch: NetworkNumber) =>
      branch === 0
        ? queries
        : queriesOfBranch(queries, database.engine, { number: branch, name: '', layers: () => none })
    await copyEndOfRun(reading(network), reading(number), point.block)
    for (const reader of readers) {
      const layers = reader.layers.flatMap((layer) =>
        layer.network === network ? [{ ...layer, network: number }, upTo(layer, point)] : [layer],
      )
      await saveBranch(queries, { ...reader, layers })
      records.set(reader.number, { ...reader, layers })
    }
  }

  async function keepSamples(queries: Queries, network: NetworkNumber, item: number): Promise<void> {
    const reads = (reader: NetworkNumber) => layersOf(reader).some((layer) => layer.network === network)
    const readers = [...records.values()].flatMap(({ number, layers }) =>
      layers.flatMap((layer, index) => {
        if (layer.network !== network) return []
        // It reads the copies that those get.
        const nearer = layers.slice(0, index).flatMap((other) => (reads(other.network) ? [other.network] : []))
        return [{ number, layer, nearer }]
      }),
    )
    if (readers.length === 0) return
    const most = Math.floor(keptSampleLimit / readers.length)
    if (await hasMoreSamples(queries, network, item, most))
      throw new NetworkError('LIMIT_EXCEEDED', {
        what: `the samples of the item, of which each of ${readers.length} branches needs a copy; remove branches first`,
        limit: most,
      })
    for (const { number, layer, nearer } of readers) await copySamples(queries, layer, { number, nearer }, item)
  }

  async function cut(queries: Queries, network: NetworkNumber, point: { seq: number; block: number }): Promise<void> {
    const record = records.get(network)
    if (!record?.layers.some((layer) => layer.seq > point.seq || layer.block > point.block)) return
    const layers = record.layers.map((layer) => upTo(layer, point))
    await saveBranch(queries, { ...record, layers })
    records.set(network, { ...record, layers })
  }

  return {
    list,
    reload,
    find: (idOrName) => records.find(idOrName),
    layersOf,
    async add(branch, point, past) {
      const layersFrom = (end: LayerPoint) => [
        { network: branch.parent, ...end },
        ...layersOf(branch.parent).map((layer) => upTo(layer, end)),
      ]
      const record = { ...branch, layers: layersFrom(point) }
      const number = await together(async (queries) => {
        const added = await addBranch(queries, record)
        await copyRows(queries, branch.parent, added)
        const place = { number: added, name: '', layers: () => (past ? layersFrom(past.newest) : record.layers) }
        const ofBranch = queriesOfBranch(queries, database.engine, place)
        await renewInstanceId(ofBranch)
        await removeWipeSchedule(ofBranch)
        if (past) await beginInPast(ofBranch, point, past)
        return added
      })
      const added = { ...record, number }
      records.set(number, added)
      return added
    },
    async rehearse() {
      const undone = new Error('only a rehearsal')
      await together(async (queries) => {
        const nobody = { id: createId(), name: createId(), parent: -1, blockNumber: 0n, layers: [] }
        const added = await addBranch(queries, { ...nobody, createdAt: 0, expiresAt: undefined })
        await copyRows(queries, 0, added)
        throw undone
      }).catch((error) => {
        if (error !== undone) throw error
      })
    },
    rename: (branch, name) => save({ ...branch, ...records.get(branch.number), id: branch.id, name }),
    async remove({ number }) {
      const record = records.get(number)
      if (!record) return
      const removed = { ...record, id: undefined, name: undefined, layers: [] }
      await together((queries) => saveBranch(queries, removed))
      records.set(number, removed)
    },
    async removeUnread() {
      const read = new Set([...records.values()].flatMap(({ layers }) => layers.map(({ network }) => network)))
      const unread = [...records.values()].flatMap((record) =>
        isNamed(record) || read.has(record.number) ? [] : [record.number],
      )
      for (const numbers of chunks(unread)) {
        const names = [...branchColumns.keys()]
        while (names.length > 0) {
          await database.transaction((queries) => removeSomeRows(queries, database.engine, names, numbers))
          await giveWay()
        }
        for (const number of numbers) records.delete(number)
      }
    },
    branchingOf: (network) => ({
      oldestNeeded() {
        // What a branch reads of others stays; its own rows alone cannot be pruned.
        if (network !== 0) return 0n
        const blocks = [...records.values()].flatMap(({ layers }) =>
          layers.flatMap((layer) => (layer.network === network ? [layer.block] : [])),
        )
        return blocks.length === 0 ? undefined : BigInt(Math.min(...blocks))
      },
      keepSamples: (queries, item) => keepSamples(queries, network, item),
      revertTo(point) {
        return {
          keep: (queries) => keep(queries, network, point),
          cut: (queries) => cut(queries, network, point),
          undo: reload,
        }
      },
    }),
  }
}

const upTo = (layer: Layer, { seq, block }: { seq: number; block: number }): Layer => ({
  ...layer,
  seq: Math.min(layer.seq, seq),
  block: Math.min(layer.block, block),
})
