import type { Step, StepOptions, TracedRun } from '@understudy/evm'
import type { Checkpoints } from './checkpoints.ts'

/** What is kept of a session, in bytes: operations with their stack and memory. */
export const keptBytes = 1024 * 1024
/** Operations that are kept before and after the wanted one. */
const kept = { before: 200, after: 800 }
/** What an operation needs without its stack, memory and return data, in bytes, about. */
const ownBytes = 1000

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
    const start = Math.max(0, Math.min(from, step - kept.before))
    const count = Math.max(to, step + kept.after) - start + 1
    let bytes = 0
    let found: Kept[] = []
    let isWhole = false
    let isEnough = false
    /** Called before an operation is copied: memory may be large, and copying it takes most of the time. */
    const fits = (number: number, copied: number): boolean => {
      const size = copied + ownBytes
      if (number < from) isWhole = (from - number) * size <= keptBytes / 4 && bytes + size <= keptBytes / 2
      else isWhole = !isEnough && (number === step || bytes + size <= keptBytes)
      bytes += isWhole ? size : ownBytes
      return isWhole
    }
    const options = { count, returnData: true, isEnough: () => isEnough, isWhole: fits }
    await this.#replay(start, options, (operation) => {
      if (isEnough) return
      const { number } = operation
      if (number < from && !isWhole) {
        found = []
        bytes = 0
      } else if (isWhole || number <= to) found.push({ operation, isWhole })
      isEnough = number >= to && (!isWhole || number === start + count - 1)
    })
    this.#kept = found
  }
}
