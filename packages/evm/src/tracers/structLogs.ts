import { hexAt, hexFromBytes } from '../bytes.ts'
import type { Address, Hex, Step, Word } from '../port.ts'
import { stepMessage } from './haltMessages.ts'
import { quantity, type TracedRun, TraceTooLargeError, wordHex } from './tracer.ts'

export type StructLogOptions = {
  disableStack?: boolean
  disableStorage?: boolean
  enableMemory?: boolean
  enableReturnData?: boolean
  /** Operations that are shown at the most; 0 or `undefined`: all. */
  limit?: number
  /** How many bytes of JSON, about, may still be made; it goes down, and several traces can share it. */
  budget?: { bytes: number }
}

export type StructLog = {
  pc: number
  op: string
  gas: number
  gasCost: number
  /** 1 for the message itself. */
  depth: number
  error?: string
  refund: number
  stack?: Hex[]
  memory?: Word[]
  returnData?: Hex
  storage?: Record<Word, Word>
}

export type StructLogTrace = { gas: number; failed: boolean; returnValue: Hex; structLogs: StructLog[] }

const sload = 0x54
const sstore = 0x55
/** Default limit for the size of a trace, in approximate bytes of JSON. */
export const structLogBytes = 64 * 1024 * 1024
/** JSON of a log without its lists. */
const bytesOfLog = 100
const bytesOfWord = 69

/** go-ethereum's struct logs, which it makes when no tracer is named: every operation with stack, memory and storage. */
export async function structLogs(run: TracedRun, options: StructLogOptions = {}): Promise<StructLogTrace> {
  const { result } = run
  const logs = new LogCollector(options)
  const stack = !options.disableStack || !options.disableStorage
  const steps = { stack, memory: options.enableMemory === true, returnData: options.enableReturnData === true }
  try {
    await run.replay({ onStep: (step) => logs.add(step), steps })
  } catch (error) {
    if (error !== enough) throw error
  }
  return {
    gas: Number(result.gasUsed),
    failed: result.status !== 'success',
    returnValue: hexFromBytes(result.output),
    structLogs: logs.logs,
  }
}

/** Thrown to end a run that has shown as much as is wanted. */
const enough = new Error('The trace has as many operations as are wanted')

class LogCollector {
  readonly logs: StructLog[] = []
  readonly #options: StructLogOptions
  readonly #budget: { bytes: number }
  readonly #storage = new Map<Address, Record<Word, Word>>()
  /** The SLOAD before, whose value is on the stack of the operation after it. */
  #loading: { storage: Record<Word, Word>; log: StructLog; key: Word } | undefined

  constructor(options: StructLogOptions) {
    this.#options = options
    this.#budget = options.budget ?? { bytes: structLogBytes }
  }

  add(step: Step): void {
    const { limit = 0 } = this.#options
    this.#finishLoad(step)
    // How the run ends is known already.
    if (limit > 0 && this.logs.length >= limit) throw enough
    const { disableStack, enableMemory, enableReturnData } = this.#options
    const log: StructLog = {
      pc: step.pc,
      op: step.name,
      gas: Number(step.gas),
      gasCost: Number(step.cost),
      depth: step.depth + 1,
      refund: Number(step.refund),
    }
    if (step.error !== undefined && step.error !== 'revert') log.error = stepMessage(step)
    if (!disableStack) log.stack = step.stack.map(quantity)
    if (enableMemory) log.memory = wordsOf(step.memory)
    if (enableReturnData) log.returnData = hexFromBytes(step.returnData)
    if (!this.#options.disableStorage && step.error === undefined) this.#addStorage(step, log)
    this.logs.push(log)
    const words = (log.stack?.length ?? 0) / 2 + (log.memory?.length ?? 0)
    this.#count(bytesOfLog + words * bytesOfWord + step.returnData.length * 2)
  }

  #count(bytes: number): void {
    this.#budget.bytes -= bytes
    if (this.#budget.bytes < 0) throw new TraceTooLargeError()
  }

  #addStorage({ op, address, stack }: Step, log: StructLog): void {
    if (op !== sload && op !== sstore) return
    const storage = this.#storage.get(address) ?? {}
    this.#storage.set(address, storage)
    const key = wordHex(stack.at(-1) ?? 0n)
    if (op === sload) {
      this.#loading = { storage, log, key }
      return
    }
    storage[key] = wordHex(stack.at(-2) ?? 0n)
    this.#show(storage, log)
  }

  #finishLoad({ stack }: Step): void {
    if (!this.#loading) return
    const { storage, log, key } = this.#loading
    this.#loading = undefined
    storage[key] = wordHex(stack.at(-1) ?? 0n)
    this.#show(storage, log)
  }

  #show(storage: Record<Word, Word>, log: StructLog): void {
    log.storage = { ...storage }
    this.#count(Object.keys(storage).length * 2 * bytesOfWord)
  }
}

/** Memory in chunks of 32 bytes. */
function wordsOf(memory: Uint8Array): Word[] {
  const bytes = Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength)
  return Array.from({ length: memory.length / 32 }, (_, word) => hexAt(bytes, word * 32, word * 32 + 32))
}
