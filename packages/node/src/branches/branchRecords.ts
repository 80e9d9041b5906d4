import type { Branching } from '../chain/rewind/branching.ts'
import { removeWipeSchedule } from '../chain/rewind/wipes.ts'
import { NetworkError } from '../shared/errors.ts'
import { yieldToEventLoop } from '../shared/yieldToEventLoop.ts'
import { queriesOf } from '../storage/branchDatabase.ts'
import {
  branchTables,
  type Layer,
  type LayerPoint,
  type NetworkNumber,
  rowsOfNetwork,
} from '../storage/branches/layers.ts'
import { createId } from '../storage/createId.ts'
import type { Database, Queries } from '../storage/database.ts'
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
} from '../storage/records/branches.ts'
import { splitRowsAfter } from '../storage/records/chain/blocks.ts'
import { renewInstanceId } from '../storage/records/settings.ts'
import { chunks } from '../storage/records/state/localState.ts'
import { type BranchPoint, beginInPast } from './branchPoint.ts'

/** A branch that was not removed. */
export type NamedBranch = BranchRecord & { id: string; name: string }

const isNamed = (record: BranchRecord): record is NamedBranch => record.id !== undefined

/** Branches whose rows are deleted by one statement: for many, SQLite would read those of all networks. */
const removedTogether = 32

/** Samples that are copied for branches when a tracked item is removed. */
const keptSampleLimit = 200_000

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

/** Rows of a network up to a change and a block. */
type Point = Pick<LayerPoint, 'seq' | 'block'>

const noLayers: readonly Layer[] = []

/** The stored branches, and whose rows each of them reads. */
export class BranchRecords {
  readonly #database: Database
  readonly #together: NonNullable<Database['together']>
  readonly #records = new BranchMap()

  private constructor(database: Database) {
    const { transaction, together = transaction } = database
    this.#database = database
    this.#together = together
  }

  static async open(database: Database): Promise<BranchRecords> {
    const records = new BranchRecords(database)
    await records.reload()
    return records
  }

  /** Loads what another node stored. */
  async reload(): Promise<void> {
    const stored = await loadBranches(this.#database.queries)
    this.#records.clear()
    for (const record of stored) this.#records.set(record.number, record)
  }

  /** Oldest first. */
  list(): NamedBranch[] {
    return this.#records.named()
  }

  find(idOrName: string): NamedBranch | undefined {
    return this.#records.find(idOrName)
  }

  /** Whose rows a network reads besides its own, nearest first. The same list until it changes. */
  layersOf(network: NetworkNumber): readonly Layer[] {
    return this.#records.get(network)?.layers ?? noLayers
  }

  /** Adds a branch that reads its parent's rows up to a point. */
  async add(
    branch: Omit<NamedBranch, 'number' | 'layers'>,
    point: LayerPoint,
    past: BranchPoint['past'],
  ): Promise<NamedBranch> {
    const layersFrom = (end: LayerPoint) => [
      { network: branch.parent, ...end },
      ...this.layersOf(branch.parent).map((layer) => upTo(layer, end)),
    ]
    const record = { ...branch, layers: layersFrom(point) }
    const number = await this.#together(async (queries) => {
      const added = await addBranch(queries, record)
      await copyRows(queries, branch.parent, added)
      const rows = { number: added, layers: () => (past ? layersFrom(past.newest) : record.layers) }
      const ofBranch = queriesOf(queries, this.#database.engine, rows)
      await renewInstanceId(ofBranch)
      await removeWipeSchedule(ofBranch)
      if (past) await beginInPast(ofBranch, point, past)
      return added
    }, unlessEphemeral(branch))
    const added = { ...record, number }
    this.#records.set(number, added)
    return added
  }

  /** Adds a branch of the network, and undoes it: so that creating the first branch takes no longer than creating later ones. */
  async warmUp(): Promise<void> {
    const undone = new Error('only a warm-up')
    await this.#together(async (queries) => {
      const nobody = { id: createId(), name: createId(), label: undefined, parent: -1, blockNumber: 0n, layers: [] }
      const added = await addBranch(queries, { ...nobody, createdAt: 0, expiresAt: undefined, isEphemeral: false })
      await copyRows(queries, 0, added)
      throw undone
    }).catch((error) => {
      if (error !== undone) throw error
    })
  }

  async rename(branch: NamedBranch, names: Pick<NamedBranch, 'name' | 'label'>): Promise<NamedBranch> {
    const record = { ...branch, ...this.#records.get(branch.number), id: branch.id, ...names }
    await this.#together((queries) => saveBranch(queries, record), unlessEphemeral(record))
    this.#records.set(record.number, record)
    return record
  }

  /** Its rows are deleted later, by `removeUnread`. */
  async remove({ number }: NamedBranch): Promise<void> {
    const record = this.#records.get(number)
    if (!record) return
    const removed = { ...record, id: undefined, name: undefined, layers: [] }
    await this.#together((queries) => saveBranch(queries, removed), unlessEphemeral(record))
    this.#records.set(number, removed)
  }

  /** Deletes the rows of removed branches that no other branch reads, table by table. */
  async removeUnread(): Promise<void> {
    const records = [...this.#records.values()]
    const read = new Set(records.flatMap(({ layers }) => layers.map(({ network }) => network)))
    const unread = records.flatMap((record) => (isNamed(record) || read.has(record.number) ? [] : [record.number]))
    const { transaction, engine } = this.#database
    for (const numbers of chunks(unread, removedTogether)) {
      const names = [...branchTables]
      while (names.length > 0) {
        await transaction((queries) => removeSomeRows(queries, engine, names, numbers))
        await yieldToEventLoop()
      }
      for (const number of numbers) this.#records.delete(number)
    }
  }

  /** What reverts and pruning of a network do. */
  branchingOf(network: NetworkNumber): Branching {
    return {
      oldestNeeded: () => {
        // What a branch reads of others stays; its own rows alone cannot be pruned.
        if (network !== 0) return 0n
        const blocks = [...this.#records.values()].flatMap(({ layers }) =>
          layers.flatMap((layer) => (layer.network === network ? [layer.block] : [])),
        )
        return blocks.length === 0 ? undefined : BigInt(Math.min(...blocks))
      },
      keepSamples: (queries, item) => this.#keepSamples(queries, network, item),
      revertTo: (point) => ({
        keep: (queries) => this.#keep(queries, network, point),
        cut: (queries) => this.#cut(queries, network, point),
        undo: () => this.reload(),
      }),
    }
  }

  /** Copies what branches read of a network after a point, before it is deleted there. */
  async #keep(queries: Queries, network: NetworkNumber, point: Point): Promise<void> {
    const readers = [...this.#records.values()].filter(({ layers }) =>
      layers.some((layer) => layer.network === network && isAfter(layer, point)),
    )
    const [first] = readers
    if (!first) return
    const kept = { ...first, id: undefined, name: undefined, parent: network, layers: [], expiresAt: undefined }
    const number = await addBranch(queries, kept)
    this.#records.set(number, { ...kept, number })
    await splitRowsAfter(queriesOf(queries, this.#database.engine, rowsOfNetwork(network)), BigInt(point.block))
    await copyRowsAfter(queries, network, number, point)
    for (const reader of readers) {
      const layers = reader.layers.flatMap((layer) =>
        layer.network === network ? [{ ...layer, network: number }, upTo(layer, point)] : [layer],
      )
      await this.#saveLayers(queries, reader, layers)
    }
  }

  /** Ends what a network itself reads of others at a point. */
  async #cut(queries: Queries, network: NetworkNumber, point: Point): Promise<void> {
    const record = this.#records.get(network)
    if (!record?.layers.some((layer) => isAfter(layer, point))) return
    const layers = record.layers.map((layer) => upTo(layer, point))
    await this.#saveLayers(queries, record, layers)
  }

  async #saveLayers(queries: Queries, record: BranchRecord, layers: Layer[]): Promise<void> {
    await saveBranch(queries, { ...record, layers })
    this.#records.set(record.number, { ...record, layers })
  }

  /** Copies the samples of an item for the branches that read them, before it is removed. */
  async #keepSamples(queries: Queries, network: NetworkNumber, item: number): Promise<void> {
    const reads = (reader: NetworkNumber) => this.layersOf(reader).some((layer) => layer.network === network)
    const readers = [...this.#records.values()].flatMap(({ number, layers }) =>
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
}

const unlessEphemeral = ({ isEphemeral }: Pick<NamedBranch, 'isEphemeral'>) => ({ isFlushed: !isEphemeral })

const isAfter = (layer: Layer, { seq, block }: Point) => layer.seq > seq || layer.block > block

const upTo = (layer: Layer, { seq, block }: Point): Layer => ({
  ...layer,
  seq: Math.min(layer.seq, seq),
  block: Math.min(layer.block, block),
})
