import { hexFromBytes } from '../bytes.ts'
import type { Address, CallFrame, Hex, Step, Word } from '../port.ts'
import { type CallTrace, type CallTracerOptions, callTracer } from './callTracer.ts'
import { hashedBy } from './memoryAt.ts'
import { type RunningState, replayWithState } from './runningState.ts'
import { quantity, type TracedRun, wordHex } from './tracer.ts'

export type Erc7562TracerOptions = Pick<CallTracerOptions, 'withLog'> & {
  /** Operations that are not counted, as quantities; default: those that compute. */
  ignoredOpcodes?: readonly (Hex | number)[]
}

/** What a frame did that the rules of ERC-7562 are about. */
export type Erc7562Frame = {
  accessedSlots: {
    /** The value before the first access, of slots that were read before they were written. */
    reads: Record<Word, Word[]>
    writes: Record<Word, number>
    transientReads: Record<Word, number>
    transientWrites: Record<Word, number>
  }
  /** Accounts whose code was looked at, but for EXTCODESIZE before ISZERO. */
  extCodeAccessInfo: Address[]
  /** Counts by operation, as a quantity. GAS counts unless a call follows. */
  usedOpcodes: Record<Hex, number>
  /** The size of the code of accounts that were called or looked at, and the first operation that did. */
  contractSize: Record<Address, { contractSize: number; opcode: number }>
  outOfGas: boolean
}

export type Erc7562Trace = Omit<CallTrace, 'calls'> & Erc7562Frame & { keccak?: Hex[]; calls?: Erc7562Trace[] }

const op = {
  iszero: 0x15,
  keccak256: 0x20,
  extcodesize: 0x3b,
  extcodecopy: 0x3c,
  extcodehash: 0x3f,
  sload: 0x54,
  sstore: 0x55,
  gas: 0x5a,
  tload: 0x5c,
  tstore: 0x5d,
  return: 0xf3,
  revert: 0xfd,
}
const codeReads = new Set([op.extcodesize, op.extcodecopy, op.extcodehash])
const calls = new Set([0xf1, 0xf2, 0xf4, 0xfa])
/** PUSH0 to SWAP16; POP, ADD, SUB, MUL, DIV, EQ, LT, GT, SLT, SGT, SHL, SHR, AND, OR, NOT, ISZERO. */
const computing = [
  ...Array.from({ length: 0x9f - 0x5f + 1 }, (_, index) => 0x5f + index),
  ...[0x50, 0x01, 0x03, 0x02, 0x04, 0x14, 0x10, 0x11, 0x12, 0x13, 0x1b, 0x1c, 0x16, 0x17, 0x19, op.iszero],
]

/** go-ethereum's `erc7562Tracer`: the calls of a user operation, with what bundlers check of each. */
export async function erc7562Tracer(run: TracedRun, options: Erc7562TracerOptions = {}): Promise<Erc7562Trace> {
  const ignored = new Set((options.ignoredOpcodes ?? computing).map(Number))
  const { frames, keccak } = await replayWithState(run, (state) => new Erc7562Events(state, ignored), {
    memory: new Set([op.keccak256]),
  })
  const trace = await callTracer(run, { withLog: options.withLog === true })
  let next = 0
  const merged = ({ calls: inner = [], ...call }: CallTrace): Erc7562Trace => {
    const frame = frames[next++] as Erc7562Frame
    const nested = inner.map(merged)
    return { ...call, ...frame, ...(nested.length > 0 && { calls: nested }) }
  }
  return { ...merged(trace), ...(keccak.length > 0 && { keccak }) }
}

class Erc7562Events {
  readonly #state: RunningState
  readonly #ignored: ReadonlySet<number>
  readonly #frames: Erc7562Frame[] = []
  readonly #open: Erc7562Frame[] = []
  readonly #preimages = new Set<Hex>()
  #last: { op: number; top: bigint } | undefined

  constructor(state: RunningState, ignored: ReadonlySet<number>) {
    this.#state = state
    this.#ignored = ignored
  }

  enter(): void {
    const frame: Erc7562Frame = {
      accessedSlots: { reads: {}, writes: {}, transientReads: {}, transientWrites: {} },
      extCodeAccessInfo: [],
      usedOpcodes: {},
      contractSize: {},
      outOfGas: false,
    }
    this.#frames.push(frame)
    this.#open.push(frame)
  }

  exit({ error, depth }: CallFrame): void {
    const frame = this.#open.pop()
    const isOutOfGas = error === 'out of gas' || error === 'contract creation code storage out of gas'
    if (frame && depth > 0 && isOutOfGas) frame.outOfGas = true
  }

  step(step: Step): void {
    const frame = this.#open.at(-1)
    if (!frame) return
    const top = step.stack.at(-1) ?? 0n
    if (step.op === op.return || step.op === op.revert) this.#last = undefined
    if (this.#last) {
      if (codeReads.has(this.#last.op) && !(this.#last.op === op.extcodesize && step.op === op.iszero))
        frame.extCodeAccessInfo.push(addressFrom(this.#last.top))
      if (this.#last.op === op.gas && !calls.has(step.op)) count(frame.usedOpcodes, quantity(op.gas))
    }
    this.#measure(frame, step)
    if (step.op !== op.gas && !this.#ignored.has(step.op)) count(frame.usedOpcodes, quantity(step.op))
    this.#access(frame, step)
    const preimage = step.op === op.keccak256 ? hashedBy(step) : undefined
    if (preimage) this.#preimages.add(hexFromBytes(preimage))
    this.#last = { op: step.op, top }
  }

  #measure(frame: Erc7562Frame, step: Step): void {
    const named = codeReads.has(step.op) ? step.stack.at(-1) : calls.has(step.op) ? step.stack.at(-2) : undefined
    if (named === undefined) return
    const address = addressFrom(named)
    frame.contractSize[address] ??= { contractSize: this.#state.code(address).length, opcode: step.op }
  }

  #access({ accessedSlots }: Erc7562Frame, step: Step): void {
    const { reads, writes, transientReads, transientWrites } = accessedSlots
    const slot = wordHex(step.stack.at(-1) ?? 0n)
    if (step.op === op.sload && !(slot in reads) && !(slot in writes))
      reads[slot] = [wordHex(this.#state.storage(step.address, slot))]
    if (step.op === op.sstore) count(writes, slot)
    if (step.op === op.tload) count(transientReads, slot)
    if (step.op === op.tstore) count(transientWrites, slot)
  }

  result() {
    return { frames: this.#frames, keccak: [...this.#preimages].sort() }
  }
}

const addressFrom = (word: bigint): Address => `0x${wordHex(word).slice(26)}`

function count<Key extends string>(counts: Record<Key, number>, key: Key): void {
  counts[key] = (counts[key] ?? 0) + 1
}
