import {
  type Address,
  type CallFrame,
  replayEvents,
  type StateDiff,
  type Step,
  type TracedRun,
  type Word,
} from '@understudy/evm'
import type { SourceLocation, StepLocations } from '../runs/runLines.ts'
import { Digests, digestInterval } from './digests.ts'

/** Operations that bring in values from outside of the code, and how many operands say what is read. */
const reads = new Map<number, number>([
  ...[0x31, 0x35, 0x3b, 0x3f, 0x40, 0x49, 0x54, 0x5c].map((op) => [op, 1] as const),
  ...[0x30, 0x32, 0x33, 0x34, 0x36, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a].map(
    (op) => [op, 0] as const,
  ),
])
const readOperations = new Set(reads.keys())
/** Calls, creations and SELFDESTRUCT. */
const beginnings = new Set([0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa, 0xff])
/** So many words of the stack are shown. */
const shownWords = 4
const shownSlots = 100

/** An operation of a run. `stack`: its top words, the top first. */
export type RunStep = {
  pc: number
  name: string
  depth: number
  address: Address
  gas: bigint
  stack: bigint[]
  location: SourceLocation
}

/** A value that both runs read at the same position. `key`: the slot, account or offset, if the operation has one. */
export type DifferentRead = {
  step: number
  name: string
  address: Address
  key: bigint | undefined
  values: readonly [a: bigint, b: bigint]
  location: SourceLocation
}

export type RunDifference = {
  /** The first operation at which the runs differ; one of them is `undefined` if that run had ended. `index`: counted from 0. */
  firstDifference:
    | { index: number; before: RunStep | undefined; a: RunStep | undefined; b: RunStep | undefined }
    | undefined
  /** The first value before that which they read and which differs. */
  read: DifferentRead | undefined
  slots: DifferentSlot[]
}

/**
 * Compares runs, in little memory, however long they are: each runs once more for digests, and then up to the operations among
 * which the first difference is.
 */
export type RunComparisons = { of(a: TracedRun, b: TracedRun): Promise<RunDifference> }

export function createRunComparisons({ locationOf }: { locationOf: StepLocations }): RunComparisons {
  async function compare(a: Followed, b: Followed): Promise<Pick<RunDifference, 'firstDifference' | 'read'>> {
    const from = a.digests.firstDifference(b.digests)
    const [ofA, ofB] = [await stepsFrom(a, from.steps), await stepsFrom(b, from.steps)]
    const different = firstDifferenceOf(ofA, ofB)
    // What is read after that is of no interest.
    const read =
      from.reads === from.steps
        ? findRead(ofA, ofB)
        : from.reads < from.steps
          ? findRead(await stepsFrom(a, from.reads), await stepsFrom(b, from.reads))
          : undefined
    const shown = async (run: Followed, seen: Seen | undefined): Promise<RunStep | undefined> => {
      if (!seen) return undefined
      const { pc, name, depth, address, gas, stack } = seen
      const top = stack.slice(-shownWords).reverse()
      return { pc, name, depth, address, gas, stack: top, location: await locationOf(run.run, frameAt(run, seen), pc) }
    }
    return {
      firstDifference: different && {
        index: different.index,
        before: await shown(a, different.before),
        a: await shown(a, different.a),
        b: await shown(b, different.b),
      },
      read:
        read && (!different || read.seen.number < different.index)
          ? {
              step: read.seen.number,
              name: read.seen.name,
              address: read.seen.address,
              key: reads.get(read.seen.op) ? read.seen.stack.at(-1) : undefined,
              values: read.values,
              location: await locationOf(a.run, frameAt(a, read.seen), read.seen.pc),
            }
          : undefined,
    }
  }

  return {
    async of(a, b) {
      const [first, second] = [await follow(a), await follow(b)]
      return {
        ...(await compare(first, second)),
        slots: differentSlots(a.result.diff, b.result.diff, shownSlots),
      }
    },
  }
}

type Seen = Pick<Step, 'number' | 'pc' | 'op' | 'name' | 'depth' | 'address' | 'gas' | 'stack' | 'error'>

/** A run and what is known of all its operations. */
type Followed = {
  run: TracedRun
  digests: Digests
  /** The number of the first operation of each call, by its index. */
  begun: number[]
}

async function follow(run: TracedRun): Promise<Followed> {
  const digests = new Digests()
  const begun: number[] = []
  let last = -1
  await replayEvents(
    run,
    {
      enter: (_, index) => {
        begun[index] = last + 1
      },
      step({ number }) {
        last = number
      },
    },
    {
      operations: beginnings,
      stack: false,
      memory: false,
      digest: { every: digestInterval, reads: readOperations, at: (_, steps, reads) => digests.add(steps, reads) },
    },
  )
  return { run, digests, begun }
}

/** The operations of an interval, and one after it. */
async function stepsFrom({ run }: Followed, from: number): Promise<Seen[]> {
  const found: Seen[] = []
  const count = digestInterval + 2
  await run.replay({
    steps: { from, count, words: shownWords, memory: false, isEnough: () => found.length === count },
    onStep: (step) => found.push(step),
  })
  return found
}

/** The first operations that differ, of two sequences that begin with the same one. */
function firstDifferenceOf(ofA: readonly Seen[], ofB: readonly Seen[]) {
  const [first] = ofA
  for (let at = 0; at < Math.max(ofA.length, ofB.length); at++) {
    const [a, b] = [ofA[at], ofB[at]]
    if (a && b && isSame(a, b)) continue
    return { index: (first?.number ?? 0) + at, before: ofA[at - 1], a, b }
  }
  return undefined
}

/** The first operation of both sequences that reads different values. */
function findRead(ofA: readonly Seen[], ofB: readonly Seen[]) {
  for (const [at, seen] of ofA.entries()) {
    const other = ofB[at]
    if (!other || !isSame(seen, other)) return undefined
    const [a, b] = [ofA[at + 1]?.stack.at(-1), ofB[at + 1]?.stack.at(-1)]
    if (!reads.has(seen.op) || (seen.error ?? other.error) !== undefined) continue
    if (a !== undefined && b !== undefined && a !== b) return { seen, values: [a, b] as const }
  }
  return undefined
}

const isSame = (a: Seen, b: Seen) => a.pc === b.pc && a.op === b.op && a.depth === b.depth

/** The call that an operation belongs to: the last one at its depth that had begun. */
function frameAt({ run, begun }: Followed, { number, depth }: Seen): number {
  const { frames } = run.result
  let [low, high] = [0, begun.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((begun[middle] as number) <= number) low = middle
    else high = middle
  }
  while (low > 0 && (frames[low] as CallFrame).depth !== depth) low--
  return low
}

/** A slot that two runs left with different values; `undefined` where a run did not write it. */
type DifferentSlot = { address: Address; slot: Word; values: readonly [bigint | undefined, bigint | undefined] }

/** The slots that two runs left with different values, at most `limit`. */
function differentSlots(a: StateDiff, b: StateDiff, limit: number): DifferentSlot[] {
  const found: DifferentSlot[] = []
  for (const address of new Set([...a.slots.keys(), ...b.slots.keys()])) {
    const [first, second] = [a.slots.get(address), b.slots.get(address)]
    for (const slot of new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])])) {
      const values = [first?.get(slot), second?.get(slot)] as const
      if (values[0] !== values[1]) found.push({ address, slot, values })
      if (found.length === limit) return found
    }
  }
  return found
}
