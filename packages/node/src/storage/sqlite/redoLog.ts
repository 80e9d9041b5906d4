import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { NetworkError } from '../../shared/errors.ts'
import { readStatements, writeStatement } from './redoRecord.ts'
import type { Statement } from './sqliteFile.ts'

const flushOffLoop = promisify(fdatasync)
/** A flush that takes no longer, in milliseconds, stays on the loop: it is done before a thread has begun. */
const fastFlushMs = 2
/** How many flushes go off the loop, for each millisecond that the last one on it took: none of them holds up others for long. */
const flushesOffLoop = 2

/** The size of the file, in bytes. All of it is written at the start, because a file that grows takes longer to flush. */
const capacity = 2 ** 20
/** A checksum of the rest, and the number of the last record that was durable; 0 if the network was closed. */
const titleSize = 12
/** A checksum of the rest, the record's number, and the length of its statements. */
const headSize = 16

/**
 * The statements of transactions that are durable but that SQLite has not committed yet: one record for each. SQLite
 * writes every page that a transaction changed, some thirty for a transfer; a record is one small write. When SQLite has
 * committed, records start again at the beginning of the file. Their numbers tell them from older ones behind them.
 *
 * The file begins with the number of the last record that was flushed. It is written after the flush and flushed with the
 * next one, so it may be too low, but a record up to it that cannot be read is damage. One after it was not answered: it
 * was being written when the process or the machine ended.
 */
export class RedoLog {
  readonly #directory: string
  readonly #path: string
  readonly #file: number
  readonly #title = Buffer.alloc(titleSize)
  readonly #buffer = Buffer.alloc(capacity)
  #number = 0
  /** The end of the last record in the file. */
  #end = titleSize
  /** How many flushes go off the loop, because the last one on it took long. */
  #slowFlushes = 0
  /** The end of the record that is being built, in the buffer; `undefined` if it does not fit. */
  #length: number | undefined = headSize

  /** Where the part of the record begins that may be undone. */
  #part: number | undefined

  /**
   * Opens the log. Its records continue after those that `after` reads. With `isNew`, it is created: the database was
   * closed, or is new. Throws `DATA_DIRECTORY_DAMAGED` if it is missing or incomplete, or belongs to another database.
   */
  constructor(directory: string, { isNew }: { isNew: boolean }) {
    this.#directory = directory
    this.#path = join(directory, 'network.redo')
    const exists = existsSync(this.#path)
    if (!isNew && !exists) throw this.#damaged('network.redo is missing, which has the newest changes')
    this.#file = openSync(this.#path, exists ? 'r+' : 'w+', 0o600)
    try {
      if (isNew) this.#create()
      else if (fstatSync(this.#file).size !== capacity) throw this.#damaged('network.redo is cut off')
    } catch (error) {
      closeSync(this.#file)
      throw error
    }
  }

  /** Throws if there is one that the database does not know. One that was not created whole is created again. */
  #create(): void {
    const { size } = fstatSync(this.#file)
    if (size >= titleSize) {
      readAll(this.#file, this.#title)
      if ((durableIn(this.#title) ?? 0) > 0)
        throw this.#damaged('network.redo has changes of a database that is not in network.sqlite')
    }
    writeAll(this.#file, this.#buffer, 0)
    this.#note(0)
    fsyncSync(this.#file)
  }

  #damaged(problem: string): NetworkError {
    return new NetworkError('DATA_DIRECTORY_DAMAGED', { directory: this.#directory, problem })
  }

  /** Notes the last record that is durable. */
  #note(number: number): void {
    this.#title.writeDoubleLE(number, 4)
    this.#title.writeUInt32LE(crc32(this.#title.subarray(4)), 0)
    writeAll(this.#file, this.#title, 0)
  }

  /** Whether SQLite has committed every record. */
  get isSettled(): boolean {
    return this.#end === titleSize
  }

  /** The number of the last record. */
  get number(): number {
    return this.#number
  }

  /** Whether the record that is being built has statements. */
  get isEmpty(): boolean {
    return this.#length === headSize
  }

  /** Whether there is room for the record that is being built. */
  get hasRoom(): boolean {
    return this.#length !== undefined && this.#end + this.#length <= capacity
  }

  /**
   * The statements of each record after `number`, in order. Later records continue there. Throws `DATA_DIRECTORY_DAMAGED`
   * after the last one if more were durable.
   */
  *after(number: number): Generator<Iterable<Statement>> {
    const file = Buffer.alloc(capacity)
    readAll(this.#file, file)
    this.#number = number
    this.#end = titleSize
    for (let start = titleSize; start + headSize <= capacity; ) {
      const length = file.readUInt32LE(start + 12)
      const end = start + headSize + length
      if (length === 0 || end > capacity) break
      if (crc32(file.subarray(start + 4, end)) !== file.readUInt32LE(start)) break
      const found = file.readDoubleLE(start + 4)
      if (found > this.#number + 1) break
      if (found === this.#number + 1) {
        yield readStatements(file.subarray(start + headSize, end))
        this.#number = found
        this.#end = end
      }
      start = end
    }
    if ((durableIn(file) ?? Number.POSITIVE_INFINITY) > this.#number)
      throw this.#damaged('changes that were answered can be read neither from network.sqlite nor from network.redo')
  }

  /** Starts again from the beginning, with records after `number`. */
  restart(number: number): void {
    this.#number = number
    this.#end = titleSize
  }

  /** Starts a record. */
  begin(): void {
    this.#length = headSize
  }

  add(statement: Statement): void {
    if (this.#length !== undefined) this.#length = writeStatement(this.#buffer, this.#length, statement)
  }

  beginPart(): void {
    this.#part = this.#length
  }

  /** Takes back the statements since `beginPart`. */
  undoPart(): void {
    this.#length = this.#part
  }

  /** Appends the record. If it is flushed, it and all before it are durable when this resolves. */
  async append({ isFlushed }: { isFlushed: boolean }): Promise<void> {
    const length = this.#length ?? 0
    this.#buffer.writeDoubleLE(this.#number + 1, 4)
    this.#buffer.writeUInt32LE(length - headSize, 12)
    this.#buffer.writeUInt32LE(crc32(this.#buffer.subarray(4, length)), 0)
    writeAll(this.#file, this.#buffer.subarray(0, length), this.#end)
    if (isFlushed) {
      await this.#flush()
      this.#note(this.#number + 1)
    }
    this.#number++
    this.#end += length
  }

  /** Gives a number to a transaction that does not fit, and that SQLite commits at once. */
  skip(): void {
    this.#number++
  }

  async #flush(): Promise<void> {
    if (this.#slowFlushes > 0) {
      this.#slowFlushes--
      return flushOffLoop(this.#file)
    }
    const start = performance.now()
    fdatasyncSync(this.#file)
    const ms = performance.now() - start
    if (ms > fastFlushMs) this.#slowFlushes = Math.ceil(ms * flushesOffLoop)
  }

  /** Called when SQLite has committed all records. */
  clear(): void {
    this.#end = titleSize
    this.#note(this.#number)
  }

  /** Notes that the database has everything, before it forgets the log. */
  retire(): void {
    this.#note(0)
    fdatasyncSync(this.#file)
  }

  /** What SQLite has not committed is redone at the next start. */
  close({ isRemoved }: { isRemoved: boolean }): void {
    closeSync(this.#file)
    if (isRemoved) rmSync(this.#path)
  }
}

/** The number of the last record that was durable; `undefined` if the beginning of the file is damaged. */
function durableIn(file: Buffer): number | undefined {
  if (crc32(file.subarray(4, titleSize)) !== file.readUInt32LE(0)) return undefined
  return file.readDoubleLE(4)
}

function writeAll(file: number, bytes: Buffer, at: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(file, bytes, written, bytes.length - written, at + written)
}

/** Fills the buffer from the beginning of the file; with zeros beyond its end. */
function readAll(file: number, buffer: Buffer): void {
  for (let read = 0; read < buffer.length; ) {
    const count = readSync(file, buffer, read, buffer.length - read, read)
    if (count === 0) return
    read += count
  }
}
