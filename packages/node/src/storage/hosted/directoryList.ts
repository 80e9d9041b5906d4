import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { openingProblem } from '../sqlite/problems.ts'
import type { NetworkList, NetworkRecord } from './networkList.ts'

const recordFile = 'network.json'

/**
 * The networks of a data directory: a folder each in `networks`. One appears and disappears by a rename, so a kill leaves
 * no half of it. Throws `DATA_DIRECTORY_IN_USE`, `DATA_DIRECTORY_UNUSABLE`.
 */
export function openDirectoryList(directory: string): NetworkList {
  const unlock = lockDirectory(directory)
  const networks = join(directory, 'networks')
  const incomplete = join(directory, 'incomplete')
  const folderOf = (name: string) => join(networks, name)
  mkdirSync(networks, { recursive: true, mode: 0o700 })
  // What a kill has left of networks that were being made or removed.
  rmSync(incomplete, { recursive: true, force: true })
  mkdirSync(incomplete, { mode: 0o700 })
  const records = new Map<string, NetworkRecord>()
  for (const name of readdirSync(networks)) {
    const file = join(folderOf(name), recordFile)
    if (existsSync(file)) records.set(name, JSON.parse(readFileSync(file, 'utf8')))
  }
  const all = () => [...records.values()]

  return {
    all: async () => all(),
    find: async (name) => records.get(name),
    async add(record, limits) {
      const { name, id, owner } = record
      if (existsSync(folderOf(name))) return 'exists'
      if (records.size >= limits.ofAll) return 'ofAll'
      const { ofOwner = Number.POSITIVE_INFINITY } = limits
      if (all().filter((each) => each.owner === owner).length >= ofOwner) return 'ofOwner'
      const folder = join(incomplete, id)
      mkdirSync(folder, { mode: 0o700 })
      writeFileSync(join(folder, recordFile), JSON.stringify(record), { mode: 0o600 })
      sync(join(folder, recordFile))
      sync(folder)
      renameSync(folder, folderOf(name))
      sync(networks)
      records.set(name, record)
      return undefined
    },
    async remove({ name, id }) {
      if (records.get(name)?.id !== id) return
      const removed = join(incomplete, id)
      renameSync(folderOf(name), removed)
      records.delete(name)
      sync(networks)
      await rm(removed, { recursive: true, force: true })
    },
    locationOf: ({ name }) => ({ dataDirectory: folderOf(name) }),
    async size({ name }) {
      const folder = folderOf(name)
      const files = await readdir(folder).catch(() => [])
      const sizes = await Promise.all(files.map((file) => stat(join(folder, file)).catch(() => undefined)))
      return sizes.reduce((total, file) => total + (file?.size ?? 0), 0)
    },
    async close() {
      unlock()
    },
  }
}

/** Makes a file, or the names in a folder, durable. */
function sync(path: string): void {
  const opened = openSync(path, 'r')
  fsyncSync(opened)
  closeSync(opened)
}

/** Locks a data directory until the process ends, or until the function that it returns is called. Throws `DATA_DIRECTORY_IN_USE`. */
function lockDirectory(directory: string): () => void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const lock = new Sqlite(join(directory, 'server.lock'))
    lock.pragma('locking_mode = exclusive')
    lock.exec('begin exclusive; create table if not exists lock (number integer); commit')
    return () => {
      lock.pragma('locking_mode = normal')
      lock.exec('begin immediate; commit')
      lock.close()
    }
  } catch (error) {
    throw openingProblem(error, directory)
  }
}
