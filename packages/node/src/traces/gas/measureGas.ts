import {
  type Address,
  type CallFrame,
  isCreation,
  opcodes,
  replayEvents,
  type Step,
  type TracedRun,
  type TraceEvents,
} from '@understudy/evm'
import type { CodeLines, CodeLocation, Jump } from '../../contracts/codeLines.ts'
import { InstructionTables } from '../runs/runLines.ts'
import { Accesses, type ColdAccess, type LineAccesses, readsStack } from './accesses.ts'
import { type CallNode, CallNodes } from './callNodes.ts'

const op = { jump: 0x56, return: 0xf3, revert: 0xfd }
const withStack = new Set([...readsStack, op.return, op.revert])
/** Operations that cost the same in every run, and after which the code goes on: they are told by their location in the code. */
const steadyRanges = [
  [0x01, 0x09],
  [0x0b, 0x1e],
  [0x32, 0x36],
  [0x57, 0x58],
  [0x5f, 0x9f],
] as const
const isSteady = (code: number) => steadyRanges.some(([first, last]) => code >= first && code <= last)
const steadyGas = new Map(
  opcodes.flatMap(({ code, gas }) => (isSteady(code) && typeof gas === 'number' ? [[code, gas] as const] : [])),
)
const watched = new Set(Array.from({ length: 256 }, (_, code) => code).filter((code) => !isSteady(code)))

/** Calls of Solidity are at most this deep: a map that is wrong may never return. */
const callLimit = 2000

/** What a line did itself, without the contracts and functions that it calls. */
export type MeasuredLine = {
  /** The contract whose code ran. */
  address: Address
  location: CodeLocation | undefined
  gas: bigint
  /** What its writes earned, before the limit of all refunds; negative if they took back what others earned. */
  refund: bigint
  /** What it paid for the growth of memory; part of `gas`. */
  memoryGas: bigint
  accesses: LineAccesses | undefined
}

export type Measured = {
  /** The most expensive first. */
  lines: MeasuredLine[]
  calls: CallNode[]
  cold: ColdAccess<MeasuredLine>[]
  /** All refunds, before their limit. */
  refundEarned: bigint
}

/** What is known of an instruction. */
type Instruction = {
  location: CodeLocation | undefined
  line: MeasuredLine
  jump: Jump | undefined
  /** Its gas, if it is not told of. */
  gas: number
  /** The program counter of the one after it. */
  next: number
}

type OpenFrame = {
  address: Address
  lines: CodeLines | undefined
  instructions: (Instruction | undefined)[]
  /** What its gas counts for: a line, and a call of a contract or function. */
  line: MeasuredLine
  node: number
  call: number
  isInside: boolean
  /** The functions that have not returned. Those of the compiler count for their callers. */
  functions: number[]
  /** The last operation jumped into a function, perhaps one of the compiler's own. */
  isEntering: boolean
  /** The program counter of the next operation, unless the last one jumped. */
  next: number
  spent: bigint
  /** Gas of the line and the call that is not added to them yet. */
  pending: number
  memorySize: number
  /** To return to if it fails. */
  before: { refund: bigint; refunds: number; warmth: number }
}

/** Runs the message again, and adds up what its lines and calls cost. */
export async function measureGas(run: TracedRun, lines: ReadonlyMap<number, CodeLines>): Promise<Measured> {
  const meter = new GasMeter(run, lines)
  await replayEvents(run, meter, { operations: watched, stack: withStack, words: 2, memory: false })
  return meter.end(run.result.gasRefund)
}

/** Adds up what the lines and calls of a run cost, while it is replayed. */
class GasMeter implements TraceEvents {
  readonly #lines: ReadonlyMap<number, CodeLines>
  readonly #locations = new Locations()
  readonly #nodes = new CallNodes()
  readonly #accesses: Accesses<MeasuredLine>
  readonly #refunds: { line: MeasuredLine; gas: bigint }[] = []
  readonly #open: OpenFrame[] = []
  /** The refund counter. */
  #refund = 0n
  /** What authorizations earned. */
  #initial: bigint | undefined
  /** The line of the last operation. */
  #last: MeasuredLine | undefined
  /** The number of the next operation. */
  #next = 0

  constructor(run: TracedRun, lines: ReadonlyMap<number, CodeLines>) {
    this.#lines = lines
    this.#accesses = new Accesses(run)
  }

  enter(frame: CallFrame, index: number): void {
    const caller = this.#open.at(-1)
    const isCall = !isCreation(frame) && frame.type !== 'SELFDESTRUCT'
    // What it was given is in the cost of the call, but not in that of a creation.
    if (caller && isCall) this.#add(caller, -frame.gas)
    if (isCreation(frame)) this.#accesses.warm(frame.to)
    const own = this.#lines.get(index)
    const node = frame.type === 'SELFDESTRUCT' && caller ? caller.node : this.#nodes.call(frame, caller?.node)
    this.#nodes.node(node).calls++
    this.#open.push({
      address: frame.to,
      lines: own,
      instructions: own ? this.#locations.instructions.of(own) : [],
      // Without code of its own, its gas is that of the line that called it.
      line: own || !caller ? this.#locations.lineOf(frame.to, undefined) : caller.line,
      node,
      call: node,
      isInside: false,
      functions: [],
      isEntering: false,
      next: 0,
      spent: 0n,
      pending: 0,
      memorySize: 0,
      before: { refund: this.#refund, refunds: this.#refunds.length, warmth: this.#accesses.mark },
    })
  }

  step(step: Step): void {
    const frame = this.#open.at(-1)
    if (!frame) return
    if (this.#initial === undefined) {
      this.#initial = step.refund
      this.#refund = this.#initial
      frame.before.refund = this.#initial
    }
    this.#noteRefund(step.refund)
    this.#growMemory(frame, step.memorySize)
    let jump: Jump | undefined
    if (frame.lines) {
      // Those before it ran in the order of the code.
      for (; this.#next < step.number; this.#next++) {
        const { gas } = this.#pass(frame, frame.next, frame.lines)
        frame.pending += gas
      }
      jump = this.#pass(frame, step.pc, frame.lines).jump
    } else this.#switchTo(frame, this.#locations.lineOf(frame.address, undefined), frame.node)
    this.#next = step.number + 1
    this.#last = frame.line
    if (step.cost < Number.MAX_SAFE_INTEGER / 2) frame.pending += Number(step.cost)
    else this.#add(frame, step.cost)
    if (step.error === undefined) this.#accesses.count(step, this.#last)
    if (step.op === op.return || (step.op === op.revert && step.error === 'revert'))
      this.#growMemory(frame, endOf(step))
    if (step.op !== op.jump) return
    if (jump === 'in') frame.isEntering = true
    else if (jump === 'out') {
      frame.functions.pop()
      this.#switchTo(frame, frame.line, frame.functions.at(-1) ?? frame.call)
    }
  }

  exit(frame: CallFrame): void {
    const ended = this.#open.pop()
    if (!ended) return
    this.#settle(ended)
    // What a failure consumed, a precompile costs, and the code of a new contract.
    this.#add(ended, frame.gasUsed - ended.spent)
    const caller = this.#open.at(-1)
    if (caller) caller.spent += frame.gasUsed
    if (frame.error === undefined) return
    this.#refunds.length = ended.before.refunds
    this.#refund = ended.before.refund
    this.#accesses.undo(ended.before.warmth)
  }

  /** `gasRefund`: what the run earned in all. */
  end(gasRefund: bigint): Measured {
    // The last operation of all may have earned one.
    if (gasRefund > this.#refund) this.#noteRefund(gasRefund)
    for (const { line, gas } of this.#refunds) line.refund += gas
    return {
      lines: this.#locations.used(),
      calls: this.#nodes.list,
      cold: this.#accesses.cold,
      refundEarned: this.#refund,
    }
  }

  #noteRefund(now: bigint): void {
    if (now !== this.#refund && this.#last) this.#refunds.push({ line: this.#last, gas: now - this.#refund })
    this.#refund = now
  }

  #add(frame: OpenFrame, gas: bigint): void {
    frame.line.gas += gas
    this.#nodes.node(frame.node).gas += gas
    frame.spent += gas
  }

  /** What is added from now on is of another line or call. */
  #switchTo(frame: OpenFrame, line: MeasuredLine, node: number): void {
    if (frame.line === line && frame.node === node) return
    this.#settle(frame)
    frame.line = line
    frame.node = node
  }

  #settle(frame: OpenFrame): void {
    if (frame.pending === 0) return
    const gas = BigInt(frame.pending)
    frame.pending = 0
    this.#add(frame, gas)
  }

  #growMemory(frame: OpenFrame, size: number): void {
    if (size <= frame.memorySize) return
    const gas = memoryCost(size) - memoryCost(frame.memorySize)
    const { memory } = this.#nodes.node(frame.call)
    memory.gas += gas
    memory.bytes = Math.max(memory.bytes, size)
    frame.line.memoryGas += gas
    frame.memorySize = size
  }

  /** Finds the line and the function of an operation. */
  #pass(frame: OpenFrame, pc: number, own: CodeLines): Instruction {
    const at = frame.instructions[pc] ?? this.#locations.instructionAt(frame.address, own, pc)
    frame.instructions[pc] = at
    frame.next = at.next
    const { location } = at
    let { line, node } = frame
    const top = frame.functions.at(-1) ?? frame.call
    if (frame.isEntering && frame.functions.length < callLimit) {
      const isFunction = location?.isEntry === true && location.function !== undefined
      // Code of an external function reads its arguments before it jumps into it.
      const isReached = node !== top && this.#nodes.node(node).location?.function === location?.function
      if (isFunction && !isReached) node = this.#nodes.function(frame.address, location, node)
      if (isFunction) this.#nodes.node(node).calls++
      frame.functions.push(node)
    }
    frame.isEntering = false
    if (location?.function !== undefined) {
      frame.isInside = true
      line = at.line
      const isOf = (each: number) => this.#nodes.node(each).location?.function === location.function
      if (!isOf(node)) node = isOf(top) ? top : this.#nodes.function(frame.address, location, top)
    } else if (location && !frame.isInside) line = at.line
    this.#switchTo(frame, line, node)
    return at
  }
}

/** The end of the memory that RETURN and REVERT read, in whole words. */
function endOf({ stack }: Step): number {
  const [from = 0n, size = 0n] = [stack.at(-1), stack.at(-2)]
  return size === 0n ? 0 : Math.ceil(Number(from + size) / 32) * 32
}

/** What memory of so many bytes costs in all. */
function memoryCost(bytes: number): bigint {
  const words = BigInt(bytes / 32)
  return 3n * words + words ** 2n / 512n
}

/** Finds lines, each once. */
class Locations {
  readonly #lines = new Map<string, MeasuredLine>()
  readonly instructions = new InstructionTables<Instruction>()

  lineOf(address: Address, location: CodeLocation | undefined): MeasuredLine {
    const key = location ? `${address}:${location.file}:${location.line}:${location.function}` : address
    const known = this.#lines.get(key)
    if (known) return known
    const line = { address, location, gas: 0n, refund: 0n, memoryGas: 0n, accesses: undefined }
    this.#lines.set(key, line)
    return line
  }

  instructionAt(address: Address, lines: CodeLines, pc: number): Instruction {
    const location = lines.at(pc)
    return {
      location,
      line: this.lineOf(address, location),
      jump: lines.jumpAt(pc),
      gas: steadyGas.get(lines.operationAt(pc)) ?? 0,
      next: lines.after(pc) ?? pc,
    }
  }

  used(): MeasuredLine[] {
    return [...this.#lines.values()]
      .filter(({ gas, refund }) => gas !== 0n || refund !== 0n)
      .sort((a, b) => Number(b.gas - a.gas))
  }
}
