import { NetworkError } from '../shared/errors.ts'
import type { Queries } from './database.ts'
import { loadSetting, saveSetting } from './records/settings.ts'

const key = 'branchWrites'
/** The number is stored again after so many more bytes: a kill forgets fewer. */
const storedBytes = 64 * 1024

/** A branch begins with the settings of its parent. */
type Stored = { branch: number; bytes: number }

const sizeOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : value instanceof Uint8Array ? value.byteLength : 8

/** Counts the values that a branch writes, in bytes, with those that it deletes later. */
export class BranchWrites {
  readonly #branch: number
  readonly #limit: number
  #bytes: number
  #stored: number
  #isLimited = false
  #isClosed = false

  private constructor({ branch, bytes }: Stored, limit: number) {
    this.#branch = branch
    this.#limit = limit
    this.#bytes = this.#stored = bytes
  }

  /** `queries` read the rows of the branch; `limit` is in bytes. */
  static async load(queries: Queries, branch: number, limit: number): Promise<BranchWrites> {
    const stored = await loadSetting<Stored>(queries, key)
    return new BranchWrites(stored?.branch === branch ? stored : { branch, bytes: 0 }, limit)
  }

  /** A branch that is full opens all the same, to be read. */
  enforceLimit(): void {
    this.#isLimited = true
  }

  /** What still runs on a branch that is closed writes nothing: it may be removed, and its rows with it. */
  close(): void {
    this.#isClosed = true
  }

  /** Throws `BRANCH_DISK_LIMIT_EXCEEDED`, and `BRANCH_CLOSED`. */
  requireRoom(name: string): void {
    if (this.#isClosed) throw new NetworkError('BRANCH_CLOSED', { branch: name })
    if (this.#isLimited && this.#bytes >= this.#limit)
      throw new NetworkError('BRANCH_DISK_LIMIT_EXCEEDED', { limit: Math.round(this.#limit / 1e6) })
  }

  count(sql: string, parameters: readonly unknown[]): void {
    if (!/^(?:insert|update)/i.test(sql)) return
    for (const value of parameters) this.#bytes += sizeOf(value)
  }

  /** In the transaction that wrote. */
  async store(queries: Queries): Promise<void> {
    const isFull = this.#bytes >= this.#limit && this.#stored < this.#limit
    if (!isFull && this.#bytes - this.#stored < storedBytes) return
    this.#stored = this.#bytes
    await saveSetting(queries, key, { branch: this.#branch, bytes: this.#bytes } satisfies Stored)
  }
}
