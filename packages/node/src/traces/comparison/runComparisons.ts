import { type Address, type CallFrame, replayEvents, type Step, type TracedRun } from '@understudy/evm'
import type { RunPlace } from '../runLines.ts'
import type { StepPlaces } from '../stepPlaces.ts'
import { type DifferentSlot, differentSlots } from './differentSlots.ts'
import { Digests } from './digests.ts'

/** Operations that bring in values from outside of the code, and how many operands say what is read. */
const reads = new Map<number, number>([
  ...[0x31, 0x35, 0x3b, 0x3f, 0x40, 0x49, 0x54, 0x5c].map((op) => [op, 1] as const),
  ...[0x30, 0x32, 0x33, 0x34, 0x36, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a].map(
    (op) => [op, 0] as const,
  ),
])
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
  place: RunPlace
}

/** A value that both runs read at the same place. `key`: the slot, account or offset, if the operation has one. */
export type DifferentRead = {
  step: number
  name: string
  address: Address
  key: bigint | undefined
  values: readonly [a: bigint, b: bigint]
  place: RunPlace
}

export type RunDifference = {
  /** The first operation at which the runs differ; one of them is `undefined` if that run had ended. `index`: counted from 0. */
  parting: { index: number; before: RunStep | undefined; a: RunStep | undefined; b: RunStep | undefined } | undefined
  /** The first value before that which they read and which differs. */
  read: DifferentRead | undefined
  slots: DifferentSlot[]
}

/** Compares runs. Each runs twice more. */
export type RunComparisons = { of(a: TracedRun, b: TracedRun): Promise<RunDifference> }

export function createRunComparisons({ placeOf }: { placeOf: StepPlaces }): RunComparisons {
  return {
    of: async (a, b) => ({
      ...(await compareRuns(a, b, placeOf)),
      slots: differentSlots(a.result.diff, b.result.diff, shownSlots),
    }),
  }
}

type Read = {
  step: number
  op: Pick<Step, 'pc' | 'name' | 'address'>
  frame: number
  key: bigint | undefined
  value: bigint
}
type Window = { from: number; to: number }
type Seen = { step: Omit<RunStep, 'place'>; code: string; frame: number }

/**
 * Compares the operations of two runs. Each runs twice: first for digests, then for the operations among which the first
 * difference is. It needs little memory, however long the runs are.
 */
async function compareRuns(a: TracedRun, b: TracedRun, placeOf: StepPlaces): Promise<Omit<RunDifference, 'slots'>> {
  const [first, second] = [await digest(a), await digest(b)]
  const windows = { steps: first.steps.parting(second.steps), reads: first.reads.parting(second.reads) }
  if (!windows.steps && !windows.reads) return { parting: undefined, read: undefined }
  const [inA, inB] = [await collect(a, windows), await collect(b, windows)]
  const parted = inA.steps.findIndex((seen, index) => seen.code !== inB.steps[index]?.code)
  const at = parted >= 0 ? parted : inB.steps.length > inA.steps.length ? inA.steps.length : undefined
  const index = at === undefined || !windows.steps ? undefined : windows.steps.from + at
  const read = inA.reads.findIndex((one, each) => {
    const other = inB.reads[each]
    return other !== undefined && one.step === other.step && one.value !== other.value
  })
  const [ofA, ofB] = [inA.reads[read], inB.reads[read]]
  const isBefore = ofA !== undefined && (index === undefined || ofA.step < index)
  const shown = async (run: TracedRun, seen: Seen | undefined): Promise<RunStep | undefined> =>
    seen && { ...seen.step, place: await placeOf(run, seen.frame, seen.step.pc) }
  return {
    parting:
      index === undefined || at === undefined
        ? undefined
        : {
            index,
            before: await shown(a, at > 0 ? inA.steps[at - 1] : inA.before),
            a: await shown(a, inA.steps[at]),
            b: await shown(b, inB.steps[at]),
          },
    read:
      isBefore && ofA && ofB
        ? {
            step: ofA.step,
            name: ofA.op.name,
            address: ofA.op.address,
            key: ofA.key,
            values: [ofA.value, ofB.value],
            place: await placeOf(a, ofA.frame, ofA.op.pc),
          }
        : undefined,
  }
}

async function digest(run: TracedRun): Promise<{ steps: Digests; reads: Digests }> {
  const [steps, values] = [new Digests(), new Digests()]
  await follow(run, {
    onStep: ({ pc, op, depth }) => steps.add(pc, op | (depth << 8)),
    onRead: ({ step, value }) => values.add(step, ...partsOf(value)),
  })
  return { steps, reads: values }
}

/** The operations and reads in the windows, and the operation before the first of them. */
async function collect(run: TracedRun, windows: { steps: Window | undefined; reads: Window | undefined }) {
  const found: { steps: Seen[]; reads: Read[]; before: Seen | undefined } = { steps: [], reads: [], before: undefined }
  let reading = 0
  await follow(run, {
    onStep(step, index, frame) {
      const { from, to } = windows.steps ?? { from: 0, to: 0 }
      if (index < from - 1 || index >= to) return
      const { pc, name, depth, address, gas } = step
      const stack = step.stack.slice(-shownWords).reverse()
      const seen = { step: { pc, name, depth, address, gas, stack }, code: `${pc}:${step.op}:${depth}`, frame }
      if (index === from - 1) found.before = seen
      else found.steps.push(seen)
    },
    onRead(read) {
      const index = reading++
      if (windows.reads && index >= windows.reads.from && index < windows.reads.to) found.reads.push(read)
    },
  })
  return found
}

type Listener = { onStep(step: Step, index: number, frame: number): void; onRead(read: Read): void }

/** Runs the message again, and tells of its operations and of the values that it reads. */
async function follow(run: TracedRun, { onStep, onRead }: Listener): Promise<void> {
  const frames: number[] = []
  let index = 0
  let pending: Omit<Read, 'value'> | undefined
  await replayEvents(
    run,
    {
      enter(_: CallFrame, frame) {
        frames.push(frame)
      },
      step(step) {
        const value = step.stack.at(-1)
        if (pending && value !== undefined) onRead({ ...pending, value })
        const frame = frames.at(-1) ?? 0
        const { pc, name, address } = step
        const operands = reads.get(step.op)
        pending =
          operands === undefined || step.error !== undefined
            ? undefined
            : { step: index, op: { pc, name, address }, frame, key: operands > 0 ? value : undefined }
        onStep(step, index++, frame)
      },
      exit() {
        frames.pop()
      },
    },
    { memory: false },
  )
}

/** A word as integers of 32 bits. */
function partsOf(word: bigint): number[] {
  const parts: number[] = []
  for (let rest = word; rest > 0n; rest >>= 32n) parts.push(Number(rest & 0xffffffffn))
  return parts
}
