import type { Step, StepOptions, TracedRun } from '@understudy/evm'
import type { Checkpoints } from './checkpoints.ts'

/** What is kept of a session, in bytes: operations with their stack and memory. */
export const keptBytes = 1024 * 1024
/** Operations that are kept before and after the wanted one. */
const kept = { before: 200, after: 800 }
const nothing = new Uint8Array(0)

/** An operation; `isWhole`: with its stack and memory. */
type Kept = { operation: Step; isWhole: boolean }

/**
 * Tells what the machine holds at an operation by running the message again up to it. Keeps the operations around it, so
 * that most steps need no run.
 */
export class MachineReplay {
  readonly #run: TracedRun
  readonly #steps: number
  readonly #checkpoints: Pick<Checkpoints, 'before'>
  #kept: Kept[] = []

  /** `steps`: how many operations run. */
  constructor(run: TracedRun, steps: number, checkpoints: Pick<Checkpoints, 'before'>) {
    this.#run = run
    this.#steps = steps
    this.#checkpoints = checkpoints
  }

  /** At most `count` operations, from a number on, without their stack and memory. */
  async list(from: number, count: number): Promise<Step[]> {
    const found: Step[] = []
    const steps = { count, stack: false, memory: false, isEnough: () => found.length === count }
    await this.#replay(from, steps, (operation) => found.push(operation))
    return found
  }

  /** Tells of operations from a number on, by running the message from the nearest checkpoint. */
  #replay(from: number, steps: Omit<StepOptions, 'from' | 'start'>, onStep: (operation: Step) => void): Promise<void> {
    const start = this.#checkpoints.before(from)
    return this.#run.replay({ steps: { ...steps, from, ...(start && { start }) }, onStep })
  }

  /** An operation, and those around it, some without their stack and memory. */
  async at(step: number, around = { before: 0, after: 0 }): Promise<{ operation: Step; operations: Step[] }> {
    const from = Math.max(0, step - around.before)
    const to = Math.min(this.#steps - 1, step + around.after)
    if (!this.#has(step, from, to)) await this.#load(step, from, to)
    const first = this.#kept[0]?.operation.number ?? 0
    const operations = this.#kept.slice(from - first, to - first + 1).map(({ operation }) => operation)
    const operation = operations[step - from]
    if (!operation) throw new Error('The run has ended before an operation that it had')
    return { operation, operations }
  }

  /** An operation, without those around it: what is kept stays. */
  async alone(step: number): Promise<Step> {
    if (this.#has(step, step, step)) return this.at(step).then(({ operation }) => operation)
    let found: Step | undefined
    await this.#replay(step, { count: 1, isEnough: () => found !== undefined }, (operation) => {
      found = operation
    })
    if (!found) throw new Error('The run has ended before an operation that it had')
    return found
  }

  #has(step: number, from: number, to: number): boolean {
    const first = this.#kept[0]?.operation.number ?? Number.POSITIVE_INFINITY
    return from >= first && to < first + this.#kept.length && this.#kept[step - first]?.isWhole === true
  }

  async #load(step: number, from: number, to: number): Promise<void> {
    // Memory is copied for each operation: where there is much, fewer are worth it. How much there is, those nearby tell.
    const size = this.#kept[0] ? Math.max(...this.#kept.map(({ operation }) => wholeSizeOf(operation))) : keptBytes
    const before = Math.min(kept.before, Math.floor(keptBytes / 4 / size))
    const start = Math.min(from, Math.max(0, step - before))
    const count = Math.max(to, step + kept.after) - start + 1
    let bytes = 0
    let found: Kept[] = []
    let isEnough = false
    await this.#replay(start, { count, returnData: true, isEnough: () => isEnough }, (operation) => {
      if (isEnough) return
      const { number } = operation
      bytes += sizeOf(operation)
      const isWanted = number >= from && number <= to
      if (bytes > keptBytes && number < from) {
        found = []
        bytes = sizeOf(operation)
      }
      const isWhole = number === step || bytes <= keptBytes
      if (isWhole || isWanted)
        found.push({ operation: isWhole ? operation : { ...operation, stack: [], memory: nothing }, isWhole })
      isEnough = number >= to && (!isWhole || number === start + count - 1)
    })
    this.#kept = found
  }
}

const sizeOf = ({ memory, returnData, stack }: Step) => 1000 + memory.length + returnData.length + stack.length * 32

/** What an operation needs with its stack and memory, also if it was kept without them. */
const wholeSizeOf = ({ memorySize, returnData, stackSize }: Step) =>
  1000 + memorySize + returnData.length + stackSize * 32
