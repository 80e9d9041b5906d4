import { randomBytes } from 'node:crypto'
import { hexAt, readWord, writeHex, writeWord } from './bytes.ts'
import { WrittenMessage, writeBlock } from './environment.ts'
import { type ForkRules, requireRules, rulesOf } from './forks.ts'
import { pricesByNumber } from './gas/precompilePrices.ts'
import { hostedContract, l1HashOf, replaceOutput, runHosted } from './hostedContracts.ts'
import { MissingState } from './missing.ts'
import { CoverageMarks } from './observers/coverageMarks.ts'
import type {
  Address,
  BlockContext,
  Hex,
  OverrideTable,
  ReplacedKeys,
  RunOptions,
  StartOptions,
  StateDiff,
  StateView,
  Word,
} from './port.ts'
import { PrecompileRunner } from './precompiles/precompileRunner.ts'
import { applyToResident, forgetResident } from './residentState.ts'
import {
  type EngineExports,
  type EngineImports,
  type Flavor,
  instantiate,
  LinearMemory,
  type StepListener,
} from './wasm.ts'

/** The engine's names for one view of the state. */
type ViewRecord = { id: number; heap: number }

/** Why a run leaves the engine before its end; `incomplete`: state is missing, so its result would be thrown away. */
export type Leave = 'pause' | 'incomplete'

/** Between two runs, larger resident state in bytes is evicted completely. */
const residentLimit = 128 * 1024 * 1024
/** An instance with more memory in bytes is replaced. */
const memoryLimit = 1024 * 1024 * 1024
/** Work between two pause checks in a traced run, in bytes passed to the listener. */
const workPerCheck = 65536
/** The work of an operation of a traced run besides its bytes. */
const workOfStep = 1024
/** The work of a pause check in a traced run: there are far fewer operations between two pause checks than in other runs. */
const workOfTracedCheck = 1 / 16
/** Runs and views have 32-bit numbers. */
const numberLimit = 0xfffffff0

/**
 * One WebAssembly instance with its memory, the names of views, and the answers to its requests. Requests are answered
 * from `view`; missing keys are collected in `missing`.
 */
export class Machine {
  readonly missing = new MissingState()
  readonly blockHashes = new Set<bigint>()
  readonly message = new WrittenMessage()
  readonly coverage = new CoverageMarks()
  rules: ForkRules = requireRules('osaka')
  /** Set by the pause check that made the run leave the engine. */
  leave: Leave | undefined
  exports: EngineExports
  readonly #flavor: Flavor
  readonly #checkInterval: bigint | undefined
  readonly #wastedWorkLimit: number
  readonly precompiles = new PrecompileRunner(this)
  #memory: LinearMemory
  #exchange = 0
  #view: StateView | undefined
  #foundCode: Uint8Array | undefined
  #overrides: OverrideTable | undefined
  #shouldPause: StartOptions['shouldPause']
  #listener: StepListener | undefined
  #block: BlockContext | undefined
  #records = new WeakMap<object, ViewRecord>()
  #views = 0
  /** Work of a traced run since the last pause check. */
  #work = 0
  /** Pause checks since a key was missing. */
  #wastedWork = 0
  #runs = 0
  #heap = 0
  /** The override table that is installed in the engine. */
  #installed: OverrideTable | undefined

  constructor(flavor: Flavor, checkInterval?: bigint, wastedWorkLimit = 1024) {
    this.#flavor = flavor
    this.#checkInterval = checkInterval
    this.#wastedWorkLimit = wastedWorkLimit
    this.exports = this.#instantiate()
    this.#memory = new LinearMemory(this.exports.memory)
  }

  #instantiate(): EngineExports {
    const exports = instantiate(this.#flavor, this.#imports())
    const seed = randomBytes(16)
    exports.setSeed(seed.readBigInt64LE(0), seed.readBigInt64LE(8))
    if (this.#checkInterval !== undefined) exports.setCheckInterval(this.#checkInterval)
    this.#exchange = exports.EXCHANGE.value
    this.#unset()
    this.#records = new WeakMap()
    return exports
  }

  /** Replaces an instance that failed or grew too large. Nothing stays resident. */
  replace(): void {
    this.exports = this.#instantiate()
    this.#memory = new LinearMemory(this.exports.memory)
    this.coverage.forget()
  }

  #unset(): void {
    this.#block = undefined
    this.#installed = undefined
    this.message.forget()
  }

  /** Linear memory. Read these properties again after every call. */
  get bytes(): Buffer {
    return this.#memory.bytes
  }

  get data(): DataView {
    return this.#memory.data
  }

  /** Writes an address for the next call of the engine. */
  giveAddress(address: Address): void {
    writeHex(this.bytes, this.#exchange, address)
  }

  /** Writes a key for the next call of the engine. */
  giveKey(key: Word): void {
    writeHex(this.bytes, this.#exchange + 32, key)
  }

  /** Writes a word for the next call of the engine. */
  giveWord(value: bigint): void {
    writeWord(this.data, this.#exchange + 32, value)
  }

  takeAddress(): Address {
    return hexAt(this.bytes, this.#exchange, this.#exchange + 20)
  }

  /** A pointer to the account of an address. */
  account(address: Address): number {
    this.giveAddress(address)
    return this.exports.account()
  }

  /** The same, of an account that is not read before code reads it. */
  unreadAccount(address: Address): number {
    this.giveAddress(address)
    return this.exports.unreadAccount()
  }

  /** Balance and nonce of an account; `undefined` if it is missing. */
  readAccount(account: number): { balance: bigint; nonce: bigint } | undefined {
    if (this.exports.readAccount(account) === 0) return undefined
    const { data } = this
    return { balance: readWord(data, this.#exchange + 32), nonce: data.getBigUint64(this.#exchange + 64, true) }
  }

  credit(account: number, wei: bigint): void {
    if (wei === 0n) return
    this.giveWord(wei)
    this.exports.creditAccount(account)
  }

  debit(account: number, wei: bigint): void {
    if (wei === 0n) return
    this.giveWord(wei)
    this.exports.debitAccount(account)
  }

  warmAddress(address: Address): void {
    this.giveAddress(address)
    this.exports.warmAddress()
  }

  warmSlot(address: Address, key: Word): void {
    this.giveAddress(address)
    this.giveKey(key)
    this.exports.warmStorage()
  }

  /** Sets the current block. The same object means the same block. */
  setBlock(block: BlockContext): void {
    if (this.#block === block) return
    this.rules = rulesOf(block)
    writeBlock(this, block, this.rules)
    this.precompiles.setPrices(pricesByNumber(block, this.rules.prices))
    this.#block = block
  }

  /** Starts a run. Resident state is kept if there is room. */
  begin(
    view: StateView,
    { overrides, preimages = false, coverage }: RunOptions,
    shouldPause?: StartOptions['shouldPause'],
    listener?: StepListener,
  ): void {
    this.missing.clear()
    this.#wastedWork = 0
    if (this.blockHashes.size > 0) this.blockHashes.clear()
    this.#view = view
    this.#overrides = overrides
    this.#shouldPause = shouldPause
    this.precompiles.begin()
    this.leave = undefined
    this.#listener = listener
    if (this.bytes.length > memoryLimit || this.#runs >= numberLimit || this.#views >= numberLimit) {
      const block = this.#block
      this.replace()
      this.#runs = 0
      this.#views = 0
      if (block !== undefined) this.setBlock(block)
    } else if (this.exports.heapUsed() > residentLimit) {
      this.evict()
    }
    if (this.coverage.begin(this.exports, listener ? undefined : coverage)) this.evict()
    this.#runs++
    const record = this.#recordOf(view.identity)
    this.exports.begin(record.id, Number(preimages))
    listener?.begin()
    this.#setOverrides(overrides)
  }

  /** Lets go of what the run was given: its view may be of a network that is removed before the next run. */
  end(): void {
    this.#view = undefined
    this.#overrides = undefined
    this.#shouldPause = undefined
    this.#listener = undefined
  }

  /** Drops all resident state, and what is known of the block and message that are set. */
  forget(): void {
    this.evict()
    this.#unset()
  }

  /** Drops all resident state. */
  evict(): void {
    this.exports.evict()
    this.#records = new WeakMap()
    this.#heap++
  }

  #recordOf(identity: object): ViewRecord {
    let record = this.#records.get(identity)
    if (record === undefined) {
      record = { id: ++this.#views, heap: this.#heap }
      this.#records.set(identity, record)
    }
    return record
  }

  #setOverrides(overrides: OverrideTable | undefined): void {
    this.exports.setOverrides(Number(overrides !== undefined))
    if (overrides === undefined || overrides === this.#installed) return
    this.#installed = overrides
    this.exports.clearOverrides()
    for (const [address, selector] of overrides.targets) {
      this.giveAddress(address)
      writeHex(this.bytes, this.#exchange + 20, selector)
      this.exports.addOverride()
    }
  }

  /** Renames what is resident for `from` to `to`, and applies the difference between them. */
  advance(from: object, to: object, diff: StateDiff): void {
    if (this.#rename(from, to)) applyToResident(this, diff)
  }

  /** Renames what is resident for `from` to `to`, and forgets what differs between them. */
  retreat(from: object, to: object, keys: ReplacedKeys): void {
    if (this.#rename(from, to)) forgetResident(this, keys)
  }

  /** False if nothing is resident for `from`. */
  #rename(from: object, to: object): boolean {
    const record = this.#records.get(from)
    if (record === undefined || from === to) return false
    this.#records.delete(from)
    this.#records.set(to, record)
    this.exports.openView(record.id)
    return true
  }

  #requireView(): StateView {
    if (this.#view === undefined) throw new Error('The engine asked for state outside a run')
    return this.#view
  }

  #word(at: number): Hex {
    return hexAt(this.bytes, this.#exchange + at, this.#exchange + at + 32)
  }

  #loadAccount(): number {
    const address = this.takeAddress()
    const account = this.#requireView().account(address)
    if (account === undefined) {
      this.missing.addAccount(address)
      return 0
    }
    const { bytes, data } = this
    writeWord(data, this.#exchange + 32, account.balance)
    data.setBigUint64(this.#exchange + 64, account.nonce, true)
    writeHex(bytes, this.#exchange + 72, account.codeHash)
    return 1
  }

  #loadSlot(): number {
    const address = this.takeAddress()
    const key = this.#word(32)
    const value = this.#requireView().storage(address, key)
    if (value === undefined) {
      this.missing.addSlot(address, key)
      return 0
    }
    writeWord(this.data, this.#exchange + 64, value)
    return 1
  }

  #loadCode(): number {
    const address = this.takeAddress()
    this.#foundCode = this.#requireView().code(address, this.#word(32))
    if (this.#foundCode !== undefined) return this.#foundCode.length
    this.missing.addCode(address)
    return -1
  }

  #blockHash(number: bigint): void {
    const l1 = this.#block?.l1
    if (!l1) this.blockHashes.add(number)
    const view = this.#requireView()
    const hash = l1 ? l1HashOf(this, view, l1.hashSlot(number)) : view.blockHash(number)
    if (hash === undefined) {
      if (!l1) this.missing.addBlockHash(number)
      this.bytes.fill(0, this.#exchange, this.#exchange + 32)
    } else {
      writeHex(this.bytes, this.#exchange, hash)
    }
  }

  #runPrecompile(number: number, input: Uint8Array, gas: bigint): bigint {
    const contracts = this.#block?.contracts
    if (number === hostedContract && contracts) {
      return runHosted(this, contracts, this.#requireView(), { input, gas, prices: this.rules.prices })
    }
    const answer = this.precompiles.run(number, this.rules, input, gas, this.#block?.signatures)
    if (this.missing.any) this.#wastedWork += this.precompiles.lastWork
    return answer
  }

  /**
   * Whether the run must leave the engine; `leave` has the reason. `work` is the work since the last pause check, if state
   * is missing.
   */
  pauseCheck(work = 1): boolean {
    this.leave = this.#leaveNow(work)
    return this.leave !== undefined
  }

  #leaveNow(work: number): Leave | undefined {
    if (this.missing.any) {
      this.#wastedWork += work
      if (this.#wastedWork > this.#wastedWorkLimit) return 'incomplete'
    }
    return this.#shouldPause?.() ? 'pause' : undefined
  }

  #imports(): EngineImports {
    return {
      loadAccount: () => this.#loadAccount(),
      loadSlot: () => this.#loadSlot(),
      loadCode: () => this.#loadCode(),
      copyCode: (to) => {
        if (this.#foundCode !== undefined) this.bytes.set(this.#foundCode, to)
        this.#foundCode = undefined
      },
      blockHash: (number) => this.#blockHash(number),
      hasStorage: () => Number(this.#requireView().hasStorage?.(this.takeAddress()) ?? false),
      precompile: (number, input, length, gas) =>
        this.#runPrecompile(number, this.bytes.subarray(input, input + length), gas),
      replaceOutput: (...args) => replaceOutput(this, this.#overrides, ...args),
      pauseCheck: () => Number(this.pauseCheck()),
      // Named, because a list would be made for each operation.
      step: (pc, op, gas, refund, depth, stack, stackBase, memory, memorySize, account) => {
        this.#work += workOfStep + memorySize
        this.#listener?.step(pc, op, gas, refund, depth, stack, stackBase, memory, memorySize, account)
      },
      stepDone: (cost, halt) => {
        this.#listener?.stepDone(cost, halt)
        if (this.#work < workPerCheck) return 0
        this.#work = 0
        return Number(this.pauseCheck(workOfTracedCheck))
      },
    }
  }
}
