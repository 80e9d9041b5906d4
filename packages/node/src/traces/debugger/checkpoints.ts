import type { SavableRun, SavedRun } from '@understudy/evm'

/** The memory of all checkpoints of a run, and of one, in bytes; and how many there are at most. */
const limits = { all: 32 * 1024 * 1024, each: 8 * 1024 * 1024, count: 32 }

/**
 * Copies of a run in its middle, from which its operations are found without running all before them. A run pauses each time
 * that it has computed for some milliseconds: the copies lie about as far apart in time, and further the longer it takes.
 */
export class Checkpoints {
  #saved: SavedRun[] = []
  #pauses = 0
  /** One pause in so many is saved. */
  #every = 1

  /** The memory that they need, in bytes. */
  get bytes(): number {
    return this.#saved.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Called when the run pauses. */
  readonly add = (run: SavableRun): void => {
    if (++this.#pauses % this.#every !== 0) return
    const saved = run.save(limits.each)
    if (!saved) return
    this.#saved.push(saved)
    while (this.#saved.length > limits.count || this.bytes > limits.all) {
      this.#every *= 2
      this.#saved = this.#saved.filter((_, index) => index % 2 === 1)
    }
  }

  /** The last one that is not after an operation. */
  before(step: number): SavedRun | undefined {
    return this.#saved.findLast(({ operation }) => operation <= step)
  }
}
