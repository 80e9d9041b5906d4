import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  read,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import type LibsqlDatabase from 'libsql'
import { NetworkError } from '../../shared/errors.ts'
import { tablesOfCache } from '../tables.ts'
import { pageSize, readWalPages } from './walPages.ts'

const readSome = promisify(read)

type Sqlite = InstanceType<typeof LibsqlDatabase>

/** Pages that are read before others have their turn. */
const pagesAtOnce = 1024
/** 4 GiB: no checksums are kept of a larger file. */
const mostPages = 2 ** 20
/** A checksum of the rest, and the number of pages. */
const headSize = 8

/** How long tables are searched for damage at a start without checksums, in milliseconds. */
const searchMs = 500

/** How the file was found at a start. `unknown`: there are no checksums, as before its first stop or checkpoint. */
export type FileCondition = 'whole' | 'damaged cache' | 'unknown'

/**
 * Checksums of the pages of network.sqlite, in `network.sums`. SQLite finds damage only where it breaks the structure of a
 * page, and no change of a value. Pages that its write-ahead log has are checked there.
 */
export class FileSums {
  readonly #directory: string
  readonly #path: string
  readonly #file: string
  /** Of each page, when the log has none of them; `undefined` if none are kept. */
  #sums: number[] | undefined
  /** Pages of the cache that were not written since. */
  #ofCache = new Set<number>()

  constructor(directory: string) {
    this.#directory = directory
    this.#path = join(directory, 'network.sums')
    this.#file = join(directory, 'network.sqlite')
  }

  /** Compares the file, before it is opened. Throws `DATA_DIRECTORY_DAMAGED`. */
  async check(): Promise<FileCondition> {
    const stored = this.#load()
    if (!existsSync(this.#file)) {
      if (stored) throw this.#damaged('network.sqlite is missing')
      this.#sums = []
      return 'unknown'
    }
    if (statSync(this.#file).size > mostPages * pageSize) return 'unknown'
    const found = await this.#withFile(sumsOf)
    this.#sums = found
    if (!stored) return 'unknown'
    const { sums: inLog } = await this.#walPages()
    const damaged: number[] = []
    for (let page = 1; page <= Math.max(stored.length, found.length); page++)
      if (found[page - 1] !== stored[page - 1] && !inLog.has(page)) damaged.push(page)
    if (!damaged.every((page) => this.#ofCache.has(page)))
      throw this.#damaged(
        `${damaged.length} of ${stored.length} pages of network.sqlite are not as they were written, the first is page ${damaged[0]}. If you changed the file yourself, delete network.sums`,
      )
    return damaged.length === 0 ? 'whole' : 'damaged cache'
  }

  /** Lets SQLite write the pages of its log to the file. Call it while no transaction is open, and none begins. */
  async checkpoint(sqlite: Sqlite): Promise<void> {
    const { sums, size } = await this.#walPages()
    if (this.#sums && size !== undefined) {
      this.#sums.length = size
      for (const [page, sum] of sums) {
        this.#sums[page - 1] = sum
        this.#ofCache.delete(page)
      }
    }
    // Before the file changes: a process that is killed in between leaves the pages in the log.
    this.#store()
    sqlite.pragma('wal_checkpoint(truncate)')
  }

  /** Call when SQLite has written all to the file. */
  save(sqlite: Sqlite): void {
    this.#ofCache = new Set(pagesOfCache(sqlite))
    this.#store()
  }

  /** The stored checksums, if there are some. */
  #load(): number[] | undefined {
    if (!existsSync(this.#path)) return undefined
    const stored = readFileSync(this.#path)
    const count = stored.length < headSize ? 0 : stored.readUInt32LE(4)
    if (stored.length < headSize + 4 * count || crc32(stored.subarray(4)) !== stored.readUInt32LE(0))
      throw this.#damaged('network.sums cannot be read. If that is the only damage, delete it')
    const numbers = Array.from({ length: (stored.length - headSize) / 4 }, (_, index) =>
      stored.readUInt32LE(headSize + 4 * index),
    )
    this.#ofCache = new Set(numbers.slice(count))
    return numbers.slice(0, count)
  }

  /** Without checksums that are right, the next start finds less: they are deleted where they cannot be written. */
  #store(): void {
    const sums = this.#sums
    try {
      if (!sums || sums.length > mostPages) throw new Error('no checksums are kept')
      const bytes = Buffer.from(Uint32Array.from([0, sums.length, ...sums, ...this.#ofCache]).buffer)
      bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0)
      const fresh = openSync(`${this.#path}.new`, 'w', 0o600)
      writeFileSync(fresh, bytes)
      fsyncSync(fresh)
      closeSync(fresh)
      renameSync(`${this.#path}.new`, this.#path)
    } catch {
      rmSync(this.#path, { force: true })
    }
  }

  #walPages(): ReturnType<typeof readWalPages> {
    return readWalPages(`${this.#file}-wal`, sumOfPage)
  }

  /** The end of the task drops SQLite's lock on the file, if this process has it open. */
  async #withFile<T>(task: (file: number) => Promise<T>): Promise<T> {
    const file = openSync(this.#file, 'r')
    try {
      return await task(file)
    } finally {
      closeSync(file)
    }
  }

  #damaged(problem: string): NetworkError {
    return new NetworkError('DATA_DIRECTORY_DAMAGED', { directory: this.#directory, problem })
  }
}

/** The checksum of each page. */
async function sumsOf(file: number): Promise<number[]> {
  const pages = Buffer.alloc(pagesAtOnce * pageSize)
  const sums: number[] = []
  for (;;) {
    const { bytesRead } = await readSome(file, pages, 0, pages.length, sums.length * pageSize)
    for (let at = 0; at < bytesRead; at += pageSize)
      sums.push(sumOfPage(sums.length + 1, pages.subarray(at, at + pageSize)))
    if (bytesRead < pages.length) return sums
  }
}

/** Of the first page, without what SQLite changes when it opens or closes the log: versions and counters. */
function sumOfPage(page: number, content: Buffer): number {
  if (page !== 1) return crc32(content)
  return [content.subarray(0, 18), content.subarray(20, 24), content.subarray(28, 92), content.subarray(100)].reduce(
    (sum, part) => crc32(part, sum),
    0,
  )
}

/** The cache of the live chain's state can be made anew: damage of its pages is no reason to refuse a start. */
function pagesOfCache(sqlite: Sqlite): number[] {
  try {
    const query = 'select pageno from dbstat where name in (select name from sqlite_schema where tbl_name in (?, ?))'
    return (sqlite.prepare(query).all(tablesOfCache) as { pageno: number }[]).map(({ pageno }) => pageno)
  } catch {
    return []
  }
}

/**
 * Searches the tables, except the cache, for pages whose structure is broken, as long as that may take. Throws SQLite's
 * error, or one that says what was found.
 */
export function searchDamage(sqlite: Sqlite, directory: string): void {
  const until = performance.now() + searchMs
  const query =
    "select name from sqlite_schema where type = 'table' and name not in (?, ?) and name not like 'damaged_%'"
  for (const { name } of sqlite.prepare(query).all(tablesOfCache) as { name: string }[]) {
    if (performance.now() > until) return
    const [found] = sqlite.prepare(`pragma quick_check("${name}")`).all() as { quick_check: string }[]
    if (found && found.quick_check !== 'ok')
      throw new NetworkError('DATA_DIRECTORY_DAMAGED', { directory, problem: `${name}: ${found.quick_check}` })
  }
}
