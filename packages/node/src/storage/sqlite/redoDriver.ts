import type { Clock, Timer } from '../../shared/clock.ts'
import { FileDriver } from './dialect.ts'
import type { NetworkFile } from './networkFile.ts'

/** How long SQLite may be behind the redo log, in milliseconds. */
const settleMs = 1000

/** Runs the network's transactions on its file. */
export class RedoDriver extends FileDriver {
  readonly #file: NetworkFile
  readonly #clock: Clock
  #timer: Timer | undefined

  constructor(file: NetworkFile, clock: Clock) {
    super(file)
    this.#file = file
    this.#clock = clock
  }

  override async commitTransaction(): Promise<void> {
    await super.commitTransaction()
    if (!this.#file.isSettled) this.#timer ??= this.#clock.after(settleMs, () => this.#settle())
  }

  /** Waits for the transaction that is open. The next one reports an error. */
  async #settle(): Promise<void> {
    await this.acquireConnection()
    this.#timer = undefined
    try {
      this.#file.settle()
      await this.#file.checkpoint()
    } catch {}
    await this.releaseConnection()
  }

  override async destroy(): Promise<void> {
    this.#timer?.cancel()
    await super.destroy()
  }
}
