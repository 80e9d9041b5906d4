import { hexFromBytes } from '../bytes.ts'
import { isCreation } from '../callFrames.ts'
import { opcodes } from '../opcodes.ts'
import type { CallFrame, Hex, Step } from '../port.ts'
import { memoryAt } from './memoryAt.ts'
import { type RunningState, replayWithState } from './runningState.ts'
import { structLogBytes } from './structLogs.ts'
import { delegateIn } from './touchedState.ts'
import { quantity, type TracedRun, TraceTooLargeError } from './tracer.ts'

/** One operation of a `VmTrace`. */
export type VmOperation = {
  /** Its gas, with what it gave to a call. */
  cost: number
  /** What it did; `null` if it failed. */
  ex: {
    /** What it wrote to memory. */
    mem: { off: number; data: Hex } | null
    /** The words that it left on top of the stack, the deepest first. */
    push: Hex[]
    /** What it wrote to storage. */
    store: { key: Hex; val: Hex } | null
    /** The gas that is left after it. */
    used: number
  } | null
  op: string
  pc: number
  /** The code that it ran; `null` if it ran none. */
  sub: VmTrace | null
}

/** OpenEthereum's `vmTrace`: the operations of a frame, with what they did. */
export type VmTrace = { code: Hex; ops: VmOperation[] }

const sstore = 0x55
const byCode = new Map(opcodes.map((opcode) => [opcode.code, opcode]))
const isDup = (code: number) => code >= 0x80 && code <= 0x8f
const isSwap = (code: number) => code >= 0x90 && code <= 0x9f
/** JSON of an operation, about, without what it pushes and writes. */
const bytesOfOperation = 120

/** How many words are shown after an operation: those of DUP and SWAP are all that they move. */
function pushedBy(code: number): number {
  if (isDup(code)) return code - 0x80 + 2
  if (isSwap(code)) return code - 0x90 + 2
  return byCode.get(code)?.puts ?? 0
}

/** Where an operation writes to memory, as the depths of the offset and the length on the stack; a number is the length itself. */
const writes: Record<number, readonly [offset: number, length: number | bigint]> = {
  81: [1, 32n],
  82: [1, 32n],
  83: [1, 1n],
  55: [1, 3],
  57: [1, 3],
  62: [1, 3],
  94: [1, 3],
  60: [2, 4],
  241: [6, 7],
  242: [6, 7],
  244: [5, 6],
  250: [5, 6],
}

export async function vmTracer(run: TracedRun): Promise<VmTrace> {
  return replayWithState(run, (state) => new VmEvents(state))
}

type OpenFrame = { trace: VmTrace; last: { step: Step; operation: VmOperation } | undefined }

class VmEvents {
  readonly #state: RunningState
  readonly #open: OpenFrame[] = []
  #root: VmTrace | undefined
  #budget = structLogBytes

  constructor(state: RunningState) {
    this.#state = state
  }

  enter(frame: CallFrame): void {
    const trace: VmTrace = { code: hexFromBytes(this.#codeOf(frame)), ops: [] }
    this.#root ??= trace
    const parent = this.#open.at(-1)?.last
    // SELFDESTRUCT runs no code.
    if (parent && frame.type !== 'SELFDESTRUCT' && trace.code !== '0x') parent.operation.sub = trace
    this.#count(trace.code.length)
    this.#open.push({ trace, last: undefined })
  }

  #codeOf(frame: CallFrame): Uint8Array {
    if (isCreation(frame)) return frame.input
    const code = this.#state.code(frame.to)
    const delegate = delegateIn(code)
    return delegate ? this.#state.code(delegate) : code
  }

  step(step: Step): void {
    const frame = this.#open.at(-1)
    if (!frame) return
    this.#finish(frame, step)
    const { cost, name, pc } = step
    const operation: VmOperation = { cost: Number(cost), ex: null, op: name, pc, sub: null }
    frame.trace.ops.push(operation)
    this.#count(bytesOfOperation)
    frame.last = { step, operation }
  }

  /** Shows what the last operation did, which the state of the next one tells. */
  #finish(frame: OpenFrame, { stack, memory, gas }: Pick<Step, 'stack' | 'memory' | 'gas'>): void {
    const { last } = frame
    frame.last = undefined
    if (!last || (last.step.error !== undefined && last.step.error !== 'revert')) return
    const before = last.step.stack
    const count = pushedBy(last.step.op)
    const [key, val] = last.step.op === sstore ? [before.at(-1), before.at(-2)] : []
    const mem = written(last.step, memory)
    const push = count === 0 ? [] : stack.slice(-count).map(quantity)
    last.operation.ex = {
      mem,
      push,
      store: key === undefined || val === undefined ? null : { key: quantity(key), val: quantity(val) },
      used: Number(gas),
    }
    this.#count(push.length * 68 + (mem?.data.length ?? 0))
  }

  exit(): void {
    const frame = this.#open.pop()
    if (!frame?.last) return
    const { step } = frame.last
    // Nothing comes after the last operation of a frame.
    this.#finish(frame, { stack: [], memory: step.memory, gas: step.gas - step.cost })
  }

  #count(bytes: number): void {
    this.#budget -= bytes
    if (this.#budget < 0) throw new TraceTooLargeError()
  }

  result(): VmTrace {
    return this.#root ?? { code: '0x', ops: [] }
  }
}

function written({ op, stack }: Step, after: Uint8Array): { off: number; data: Hex } | null {
  const operands = writes[op]
  if (!operands) return null
  const [offset, length] = [
    stack.at(-operands[0]),
    typeof operands[1] === 'bigint' ? operands[1] : stack.at(-operands[1]),
  ]
  if (offset === undefined || !length || offset + length > BigInt(after.length)) return null
  return { off: Number(offset), data: hexFromBytes(memoryAt({ memory: after }, offset, length)) }
}
