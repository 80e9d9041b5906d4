import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { readStatements, type Statement, writeStatement } from './redoRecord.ts'

const flushOffLoop = promisify(fdatasync)
/** A flush that takes no longer, in milliseconds, stays on the loop: it is done before a thread has begun. */
const fastFlushMs = 2
/** How many flushes go off the loop, for each millisecond that the last one on it took: none of them holds up others for long. */
const flushesOffLoop = 2

/** The size of the file, in bytes. All of it is written at the start, because a file that grows takes longer to flush. */
const capacity = 2 ** 20
/** A checksum of the rest, the record's number, and the length of its statements. */
const headSize = 16

/**
 * The statements of transactions that are durable but that SQLite has not committed yet: one record for each. SQLite
 * writes every page that a transaction changed, some thirty for a transfer; a record is one small write. When SQLite has
 * committed, records start again at the beginning of the file. Their numbers tell them from older ones behind them.
 */
export class RedoLog {
  readonly #path: string
  readonly #file: number
  readonly #buffer = Buffer.alloc(capacity)
  #number = 0
  /** The end of the last record in the file. */
  #end = 0
  /** How many flushes go off the loop, because the last one on it took long. */
  #slowFlushes = 0
  /** The end of the record that is being built, in the buffer; `undefined` if it does not fit. */
  #length: number | undefined = headSize

  /** Where the part of the record begins that may be undone. */
  #part: number | undefined

  /** Opens the log, or creates it. Its records continue after those that `after` reads. */
  constructor(path: string) {
    this.#path = path
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    const { size } = fstatSync(this.#file)
    if (size >= capacity) return
    writeSync(this.#file, this.#buffer, 0, capacity - size, size)
    fsyncSync(this.#file)
  }

  /** Whether SQLite has committed every record. */
  get isSettled(): boolean {
    return this.#end === 0
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

  /** The statements of each record after `number`, in order. Later records continue there. */
  *after(number: number): Generator<Iterable<Statement>> {
    const file = Buffer.alloc(capacity)
    readSync(this.#file, file, 0, capacity, 0)
    this.#number = number
    this.#end = 0
    for (let start = 0; start + headSize <= capacity; ) {
      const length = file.readUInt32LE(start + 12)
      const end = start + headSize + length
      if (length === 0 || end > capacity) return
      if (crc32(file.subarray(start + 4, end)) !== file.readUInt32LE(start)) return
      const found = file.readDoubleLE(start + 4)
      if (found > this.#number + 1) return
      if (found === this.#number + 1) {
        yield readStatements(file.subarray(start + headSize, end))
        this.#number = found
        this.#end = end
      }
      start = end
    }
  }

  /** Starts again from the beginning, with records after `number`. */
  restart(number: number): void {
    this.#number = number
    this.#end = 0
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
    writeSync(this.#file, this.#buffer, 0, length, this.#end)
    if (isFlushed) await this.#flush()
    this.#number++
    this.#end += length
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
    this.#end = 0
  }

  close(): void {
    closeSync(this.#file)
    // What SQLite has not committed is redone at the next start.
    if (this.isSettled) rmSync(this.#path)
  }
}
