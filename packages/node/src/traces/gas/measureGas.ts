import { type Address, isCreation, replayEvents, type Step, type TracedRun } from '@understudy/evm'
import type { CodeLines, CodePlace, Jump } from '../../contracts/codeLines.ts'
import { InstructionTables } from '../instructionTables.ts'
import { Accesses, type ColdAccess, type LineAccesses, readsStack } from './accesses.ts'
import { type CallNode, CallNodes } from './callNodes.ts'

const op = { jump: 0x56, return: 0xf3, revert: 0xfd }
const withStack = new Set([...readsStack, op.return, op.revert])

/** Calls of Solidity are at most this deep: a map that is wrong may never return. */
const callLimit = 2000

/** What a line did itself, without the contracts and functions that it calls. */
export type MeasuredLine = {
  /** The contract whose code ran. */
  address: Address
  place: CodePlace | undefined
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
type Instruction = { place: CodePlace | undefined; line: MeasuredLine; jump: Jump | undefined }

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
  spent: bigint
  memorySize: number
  /** To return to if it fails. */
  before: { refund: bigint; refunds: number; warmth: number }
}

/** Runs the message again, and adds up what its lines and calls cost. */
export async function measureGas(run: TracedRun, lines: ReadonlyMap<number, CodeLines>): Promise<Measured> {
  const places = new Places()
  const nodes = new CallNodes()
  const accesses = new Accesses<MeasuredLine>(run)
  const refunds: { line: MeasuredLine; gas: bigint }[] = []
  const open: OpenFrame[] = []
  /** The refund counter, the line of the last operation, and what authorizations earned. */
  let [refund, last, initial]: [bigint, MeasuredLine | undefined, bigint | undefined] = [0n, undefined, undefined]

  function noteRefund(now: bigint): void {
    if (now !== refund && last) refunds.push({ line: last, gas: now - refund })
    refund = now
  }

  function add(frame: OpenFrame, gas: bigint): void {
    frame.line.gas += gas
    nodes.node(frame.node).gas += gas
    frame.spent += gas
  }

  function growMemory(frame: OpenFrame, size: number): void {
    if (size <= frame.memorySize) return
    const gas = memoryCost(size) - memoryCost(frame.memorySize)
    const { memory } = nodes.node(frame.call)
    memory.gas += gas
    memory.bytes = Math.max(memory.bytes, size)
    frame.line.memoryGas += gas
    frame.memorySize = size
  }

  /** Finds the line and the function of an operation. */
  function pass(frame: OpenFrame, pc: number, own: CodeLines): Jump | undefined {
    const at = frame.instructions[pc] ?? places.instructionAt(frame.address, own, pc)
    frame.instructions[pc] = at
    const { place, line, jump } = at
    const top = frame.functions.at(-1) ?? frame.call
    if (frame.isEntering && frame.functions.length < callLimit) {
      const isFunction = place?.isEntry === true && place.function !== undefined
      // Code of an external function reads its arguments before it jumps into it.
      const isReached = frame.node !== top && nodes.node(frame.node).place?.function === place?.function
      if (isFunction && !isReached) frame.node = nodes.function(frame.address, place, frame.node)
      if (isFunction) nodes.node(frame.node).calls++
      frame.functions.push(frame.node)
    }
    frame.isEntering = false
    if (place?.function !== undefined) {
      frame.isInside = true
      frame.line = line
      const isOf = (node: number) => nodes.node(node).place?.function === place.function
      if (!isOf(frame.node)) frame.node = isOf(top) ? top : nodes.function(frame.address, place, top)
    } else if (place && !frame.isInside) frame.line = line
    return jump
  }

  await replayEvents(
    run,
    {
      enter(frame, index) {
        const caller = open.at(-1)
        const isCall = !isCreation(frame) && frame.type !== 'SELFDESTRUCT'
        // What it was given is in the cost of the call, but not in that of a creation.
        if (caller && isCall) add(caller, -frame.gas)
        if (isCreation(frame)) accesses.warm(frame.to)
        const own = lines.get(index)
        const node = frame.type === 'SELFDESTRUCT' && caller ? caller.node : nodes.call(frame, caller?.node)
        nodes.node(node).calls++
        open.push({
          address: frame.to,
          lines: own,
          instructions: own ? places.instructions.of(own) : [],
          // Without code of its own, its gas is that of the line that called it.
          line: own || !caller ? places.lineOf(frame.to, undefined) : caller.line,
          node,
          call: node,
          isInside: false,
          functions: [],
          isEntering: false,
          spent: 0n,
          memorySize: 0,
          before: { refund, refunds: refunds.length, warmth: accesses.mark },
        })
      },
      step(step) {
        const frame = open.at(-1)
        if (!frame) return
        if (initial === undefined) {
          initial = step.refund
          refund = initial
          frame.before.refund = initial
        }
        noteRefund(step.refund)
        growMemory(frame, step.memorySize)
        let jump: Jump | undefined
        if (frame.lines) jump = pass(frame, step.pc, frame.lines)
        else frame.line = places.lineOf(frame.address, undefined)
        last = frame.line
        add(frame, step.cost)
        if (step.error === undefined) accesses.count(step, last)
        if (step.op === op.return || (step.op === op.revert && step.error === 'revert')) growMemory(frame, endOf(step))
        if (step.op !== op.jump) return
        if (jump === 'in') frame.isEntering = true
        else if (jump === 'out') {
          frame.functions.pop()
          frame.node = frame.functions.at(-1) ?? frame.call
        }
      },
      exit(frame) {
        const ended = open.pop()
        if (!ended) return
        // What a failure consumed, a precompile costs, and the code of a new contract.
        add(ended, frame.gasUsed - ended.spent)
        const caller = open.at(-1)
        if (caller) caller.spent += frame.gasUsed
        if (frame.error === undefined) return
        refunds.length = ended.before.refunds
        refund = ended.before.refund
        accesses.undo(ended.before.warmth)
      },
    },
    { stack: withStack, words: 2, memory: false },
  )
  // The last operation of all may have earned one.
  if (run.result.gasRefund > refund) noteRefund(run.result.gasRefund)
  for (const { line, gas } of refunds) line.refund += gas
  return { lines: places.used(), calls: nodes.list, cold: accesses.cold, refundEarned: refund }
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
class Places {
  readonly #lines = new Map<string, MeasuredLine>()
  readonly instructions = new InstructionTables<Instruction>()

  lineOf(address: Address, place: CodePlace | undefined): MeasuredLine {
    const key = place ? `${address}:${place.file}:${place.line}:${place.function}` : address
    const known = this.#lines.get(key)
    if (known) return known
    const line = { address, place, gas: 0n, refund: 0n, memoryGas: 0n, accesses: undefined }
    this.#lines.set(key, line)
    return line
  }

  instructionAt(address: Address, lines: CodeLines, pc: number): Instruction {
    const place = lines.at(pc)
    return { place, line: this.lineOf(address, place), jump: lines.jumpAt(pc) }
  }

  used(): MeasuredLine[] {
    return [...this.#lines.values()]
      .filter(({ gas, refund }) => gas !== 0n || refund !== 0n)
      .sort((a, b) => Number(b.gas - a.gas))
  }
}
