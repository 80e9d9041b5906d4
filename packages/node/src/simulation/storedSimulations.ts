import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { type PageOf, wrongCursor } from '../activity/page.ts'
import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import { mayDo, type Role } from '../shared/role.ts'
import type { Database, Queries } from '../storage/database.ts'
import {
  addSimulations,
  listSimulations,
  loadSimulation,
  markShared,
  measureSimulations,
  removeOldest,
  type SimulationRecord,
  type StoredSimulationRecord,
  sizeOf,
} from '../storage/records/simulations.ts'

export type StoredSimulationOptions = {
  /** The most simulations that are stored. */
  simulationLimit: number
  /** What they may take together, in megabytes. */
  simulationStorageLimit: number
}

/** Who asks for a simulation. */
export type SimulationReader = { key: string | undefined; role: Role }

/** A stored simulation, without its content. */
export type SimulationEntry = Pick<StoredSimulationRecord, 'id' | 'owner' | 'createdAt' | 'isShared' | 'summary'>

/**
 * Simulations that were saved, with everything that was known about them: they need no live chain. One that is not shared is
 * there only for the key that saved it, and for those with the role admin. Each change is durable when it resolves.
 */
export type StoredSimulations = {
  /**
   * Stores simulations, as JSON each: what lists show, and all of it. The oldest that are not shared make room. Resolves with
   * their ids. Throws `LIMIT_EXCEEDED`.
   */
  add(simulations: readonly { summary: string; content: string }[], owner: string | undefined): Promise<string[]>
  /** Newest first, without the first `skip` of them. Throws `INVALID_PARAMS`. */
  list(
    reader: SimulationReader,
    page: { limit: number; cursor: string | undefined; skip: number },
  ): Promise<PageOf<SimulationEntry>>
  /** With its content, as JSON. Throws `NOT_FOUND`. */
  load(id: string, reader: SimulationReader): Promise<SimulationEntry & { content: string }>
  /** Makes it visible to all keys, or no longer. Throws `NOT_FOUND`. */
  share(id: string, isShared: boolean, reader: SimulationReader): Promise<SimulationEntry>
}

type Needs = { database: Database; clock: Clock; createId: () => string }

const compress = promisify(gzip)
const decompress = promisify(gunzip)
/** Longest content, in characters: as much as the longest answer. */
const longestContent = 500_000_000

export function createStoredSimulations(
  { simulationLimit, simulationStorageLimit }: StoredSimulationOptions,
  { database, clock, createId }: Needs,
): StoredSimulations {
  const sizeLimit = simulationStorageLimit * 1_000_000

  async function makeRoom(queries: Queries, added: readonly SimulationRecord[]): Promise<void> {
    const { count, size } = await measureSimulations(queries)
    const addedSize = added.reduce((sum, record) => sum + sizeOf(record), 0)
    const wanted = { count: count + added.length - simulationLimit, size: size + addedSize - sizeLimit }
    if (added.length <= simulationLimit && addedSize <= sizeLimit && (await removeOldest(queries, wanted))) return
    throw wanted.size > 0
      ? new NetworkError('LIMIT_EXCEEDED', {
          what: 'megabytes of stored simulations. Stop sharing some, or raise --simulation-storage-limit',
          limit: simulationStorageLimit,
        })
      : new NetworkError('LIMIT_EXCEEDED', {
          what: 'stored simulations. Stop sharing some, or raise --simulation-limit',
          limit: simulationLimit,
        })
  }

  /** One that the reader may not see is not there. */
  async function require(queries: Queries, id: string, reader: SimulationReader): Promise<StoredSimulationRecord> {
    const found = await loadSimulation(queries, id)
    if (found && (found.isShared || maySee(reader, found))) return found
    throw new NetworkError('NOT_FOUND', { resource: 'simulation', id: id.slice(0, 100) })
  }

  return {
    async add(simulations, owner) {
      if (simulations.length === 0) return []
      const records: SimulationRecord[] = []
      for (const { summary, content } of simulations)
        records.push({
          ...{ id: createId(), owner, createdAt: clock.now(), isShared: false },
          ...{ summary, content: await compress(content) },
        })
      await database.transaction(async (queries) => {
        await makeRoom(queries, records)
        await addSimulations(queries, records)
      })
      return records.map(({ id }) => id)
    },
    async list(reader, { limit, cursor, skip }) {
      const wanted = { limit: limit + 1, before: cursor === undefined ? undefined : numberFrom(cursor), skip }
      const whose = mayDo(reader.role, 'admin') ? undefined : { key: reader.key }
      const found = await listSimulations(database.queries, whose, wanted)
      const items = found.slice(0, limit)
      return { items, next: found.length > limit ? items.at(-1)?.number.toString() : undefined }
    },
    async load(id, reader) {
      const { content, ...entry } = await require(database.queries, id, reader)
      const text = await decompress(content, { maxOutputLength: longestContent })
      return { ...entry, content: text.toString() }
    },
    share: (id, isShared, reader) =>
      database.transaction(async (queries) => {
        const { content: _, ...entry } = await require(queries, id, reader)
        if (!maySee(reader, entry))
          throw new NetworkError('UNAUTHORIZED', {
            problem: 'only the key that saved a simulation, and those with the role admin, share it',
          })
        await markShared(queries, id, isShared)
        return { ...entry, isShared }
      }),
  }
}

/** Whether it is the reader's own, or the reader may see all. */
const maySee = ({ key, role }: SimulationReader, { owner }: Pick<SimulationEntry, 'owner'>): boolean =>
  mayDo(role, 'admin') || (key !== undefined && key === owner)

function numberFrom(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw wrongCursor()
}
