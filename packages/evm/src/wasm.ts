import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { dataViewOf } from './bytes.ts'

type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number }
type Global<T> = { readonly value: T }
type Module = object
/** As much of the global as is used here: its types are in the library of browsers only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => Module
  Instance: new (module: Module, imports: object) => { exports: unknown }
}

/** What assembly/index.ts exports. Pointers are offsets into `memory`. */
export type EngineExports = {
  memory: Memory
  EXCHANGE: Global<number>
  INPUT: Global<number>
  INPUT_END: Global<number>
  MARKS: Global<number>
  MEMORY: Global<number>
  RETURN_DATA: Global<number>
  ROWS: Global<number>
  PRICES: Global<number>
  /** The number of the next operation. */
  operation: Global<bigint>
  stepsDigest: Global<bigint>
  readsDigest: Global<bigint>
  resultHalt: Global<number>
  resultGas: Global<bigint>
  resultRefund: Global<bigint>
  reservoir: Global<bigint>
  stateGasUsed: Global<bigint>
  marksEnd: Global<number>
  marksLost: Global<number>
  setCovering(isOn: number): void
  clearMarks(): void
  describeCode(code: number): void
  setSeed(a: bigint, b: bigint): void
  setCheckInterval(gas: bigint): void
  setReported(from: bigint, count: bigint, every: bigint, reads: bigint): void
  setReportedOperations(first: bigint, second: bigint, third: bigint, fourth: bigint): void
  setContext(index: number): void
  setBlobHash(index: number): void
  setBlobHashCount(count: number): void
  setRules(
    rejectEf: number,
    limitInitcode: number,
    destroyOnlyNew: number,
    delegation: number,
    lastPrecompile: number,
    p256: number,
    storageCollides: number,
    transferLogs: number,
    stateGas: number,
    keepsBalance: number,
    maxCodeSize: number,
  ): void
  restorePrecompiles(): void
  movePrecompile(number: number, isWarm: number, anyBits: number): number
  setOverrides(inForce: number): void
  clearOverrides(): void
  addOverride(): void
  begin(view: number, collectPreimages: number): void
  listRegions(inputLength: number): number
  rollback(): void
  account(): number
  unreadAccount(): number
  touchAccount(account: number): void
  readAccount(account: number): number
  codeKind(account: number): number
  setAccountNonce(account: number, nonce: bigint): void
  creditAccount(account: number): void
  debitAccount(account: number): void
  setAccountCode(account: number, length: number): void
  addRefund(gas: bigint): void
  warmAddress(): void
  warmParties(from: number, to: number, warmsCoinbase: number): void
  warmStorage(): void
  beginPreparation(reservoir: bigint): void
  revertPreparation(): void
  setStateGas(reservoir: bigint, used: bigint): void
  execute(from: number, to: number, gas: bigint, inputLength: number): number
  resume(): number
  settlePrecompile(cost: bigint): void
  refuse(from: number, to: number, gas: bigint, halt: number): void
  destroyCondemned(): void
  createdAddress(): void
  isExhausted(): number
  collectResult(): number
  setReturnLength(length: number): void
  describeHosted(): void
  readHostedSlot(): void
  writeHostedSlot(): void
  appendHostedLog(topicCount: number, length: number): void
  outputLength(): number
  heapUsed(): number
  evict(): void
  openView(view: number): void
  residentAccount(): number
  putBalance(account: number): void
  putNonce(account: number, nonce: bigint): void
  putCode(account: number, length: number): void
  clearStorage(): void
  putSlot(): void
  forgetAccount(): void
  forgetStorage(): void
  forgetSlot(): void
  hash(length: number): void
  compress(from: number, to: number, rounds: number): void
}

export type EngineImports = {
  loadAccount(): number
  loadSlot(): number
  loadCode(): number
  copyCode(to: number): void
  blockHash(number: bigint): void
  hasStorage(): number
  precompile(number: number, input: number, length: number, gas: bigint): bigint
  replaceOutput(input: number, length: number, outputLength: number): number
  pauseCheck(): number
  step(
    pc: number,
    op: number,
    gas: bigint,
    refund: bigint,
    depth: number,
    stack: number,
    stackBase: number,
    memory: number,
    memorySize: number,
    account: number,
  ): void
  stepDone(cost: bigint, halt: number): number
}

/** Called for the operations by the tracing build; see `EngineImports`. */
export type StepListener = {
  /** Says which operations it is told of. */
  begin(): void
  step: EngineImports['step']
  stepDone(cost: bigint, halt: number): void
}

/** Which of the two builds: `evm-tracing` reports every operation. */
export type Flavor = 'evm' | 'evm-tracing'

/**
 * What is on by default and must be off to optimise at once. From V8 14 on (Node 25), inlining ends the process where the quick
 * compiler has left it no feedback. The version has to tell: V8 prints an error for a flag that it does not know, as 12 (Node 22)
 * does not know this one, and in 11 (Node 20) it is off by default.
 */
const flags = [
  'liftoff',
  'wasm-lazy-compilation',
  // Off together with `liftoff`, but not on again with it. V8 refuses compiled code that was stored under other flags.
  'wasm-dynamic-tiering',
  ...(Number.parseInt(process.versions.v8, 10) >= 14 ? ['wasm-inlining'] : []),
]

const flavors: readonly Flavor[] = ['evm', 'evm-tracing']

/** The compiled builds, for an engine in another thread. */
export type EngineModules = ReadonlyMap<Flavor, Module>

let modules: EngineModules | undefined

/**
 * Compiles both builds when the first is asked for, which is while the program loads: a function of another module that V8
 * optimises at that moment, in a thread of its own, would find flags that end the process.
 */
export function compileEngine(): EngineModules {
  modules ??= new Map(flavors.map((flavor) => [flavor, compileOptimized(flavor)]))
  return modules
}

/** Makes the engines of this thread of what another one has compiled: flags of V8 are of the whole process. */
export function useCompiledEngine(compiled: EngineModules): void {
  modules = compiled
}

/**
 * V8 first runs WebAssembly from its quick compiler and replaces a function between two calls of it. The interpreter is one
 * call for a whole message, which would stay some eight times slower to its end. So this module is optimised at once, which
 * takes some 50 ms; the flags are put back for other modules.
 */
function compileOptimized(flavor: Flavor): Module {
  const bytes = readFileSync(new URL(`../generated/${flavor}.wasm`, import.meta.url))
  for (const flag of flags) setFlagsFromString(`--no-${flag}`)
  try {
    return new WebAssembly.Module(bytes)
  } finally {
    for (const flag of flags) setFlagsFromString(`--${flag}`)
  }
}

/** Makes an instance of a build with a memory of its own. */
export function instantiate(flavor: Flavor, host: EngineImports): EngineExports {
  const env = {
    abort() {
      throw new Error('The engine aborted')
    },
  }
  const instance = new WebAssembly.Instance(compileEngine().get(flavor) as Module, { host, env })
  const exports = instance.exports as EngineExports & { start(): void }
  exports.start()
  return exports
}

/** The memory of a WebAssembly instance. It moves when it grows: read `bytes` and `data` again after every call. */
export class LinearMemory {
  readonly #memory: Memory
  #bytes: Buffer
  #data: DataView

  constructor(memory: Memory) {
    this.#memory = memory
    this.#bytes = Buffer.from(memory.buffer)
    this.#data = dataViewOf(this.#bytes)
  }

  get bytes(): Buffer {
    if (this.#bytes.length === 0) this.#find()
    return this.#bytes
  }

  get data(): DataView {
    if (this.#bytes.length === 0) this.#find()
    return this.#data
  }

  /** What it was before it moved is detached, and has no length. Asking the memory each time takes longer than most of what is done here. */
  #find(): void {
    this.#bytes = Buffer.from(this.#memory.buffer)
    this.#data = dataViewOf(this.#bytes)
  }
}
