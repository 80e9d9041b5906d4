import { applyAuthorizations } from './authorizations.ts'
import { doneFromBytes, type Ended, partsOf } from './done.ts'
import { type IntrinsicGas, intrinsicGasOf, noGas, systemReservoir } from './gas/intrinsicGas.ts'
import { type Begun, settle } from './gas/settlement.ts'
import { haltFromNumber, outOfGas } from './halts.ts'
import { Machine } from './machine.ts'
import { restoreInstance, type SavedInstance, saveInstance } from './observers/savedInstance.ts'
import type { SavedRun } from './observers/savedRun.ts'
import { createStepListener } from './observers/steps.ts'
import type {
  BlockContext,
  Done,
  Engine,
  Message,
  MessageKind,
  Missing,
  PausedRun,
  RunOptions,
  RunResult,
  StartOptions,
  StateView,
  StepOptions,
  Surcharge,
} from './port.ts'
import { callsConsole, outputOf, RunResultReader, resultPieces } from './runResult.ts'
import type { Rejected } from './validation/rejection.ts'
import { gasPerBlob, haltOfDeposit, isFreeCall, refuse, type Sender } from './validation/validation.ts'

/** The engine that `createEvm` creates. */
export type Evm = Engine

export type EvmOptions = {
  /** Approximate gas between calls of `shouldPause`; default: 50 000, a fraction of a millisecond. */
  pauseCheckGas?: bigint
  /** A pass with missing state only searches for more missing keys: after so many pause checks, it stops. Default: 1024. */
  maxChecksWhileMissing?: number
}

/** A running message: yields when it pauses, and returns its result. */
type RunGenerator = Generator<undefined, RunResult>

/**
 * Creates an engine. Reuse it: state that it has read stays loaded. Different states can take turns in one engine,
 * distinguished by `view.identity`. Do not call it from a view or an override, or while a run is paused.
 */
export function createEvm({ pauseCheckGas, maxChecksWhileMissing }: EvmOptions = {}): Evm {
  const machine = new Machine('evm', pauseCheckGas, maxChecksWhileMissing)
  let tracing: Machine | undefined
  let paused: PausedRun | undefined
  /** The calls of `advance` and `retreat` while a run was paused. */
  const moves: ((machine: Machine) => void)[] = []

  function begin(
    message: Message,
    block: BlockContext,
    view: StateView,
    options: RunOptions,
    shouldPause?: StartOptions['shouldPause'],
  ): RunResult | PausedRun {
    if (paused) throw new Error('A run is paused in this engine: resume or abandon it first')
    if (options.onStep !== undefined) tracing ??= new Machine('evm-tracing', pauseCheckGas, maxChecksWhileMissing)
    const on = options.onStep === undefined ? machine : (tracing as Machine)
    const run = new Run(on, message, block, view, options, shouldPause)
    return proceed(on, run, run.generator())
  }

  /** Runs until the end or the next pause. */
  function proceed(on: Machine, run: Run, generator: RunGenerator): RunResult | PausedRun {
    const end = () => {
      paused = undefined
      on.end()
      if (run.isRestored) on.forget()
      for (const move of moves.splice(0)) moveAll(move)
    }
    let step: IteratorResult<undefined, RunResult>
    try {
      step = generator.next()
    } catch (error) {
      // What a view, override or listener threw passed through the engine's frames: its state cannot be trusted.
      on.replace()
      end()
      throw error
    }
    if (step.done) {
      end()
      return step.value
    }
    const handle: PausedRun = {
      type: 'paused',
      resume() {
        if (paused !== handle) throw new Error('The run is no longer paused here: it went on, or has ended')
        return proceed(on, run, generator)
      },
      abandon() {
        if (paused !== handle) return
        on.exports.rollback()
        end()
      },
      save: (limit) => (paused === handle ? run.save(limit) : undefined),
    }
    paused = handle
    run.onPause?.(handle)
    return handle
  }

  function moveAll(move: (machine: Machine) => void): void {
    if (paused) return void moves.push(move)
    for (const on of tracing ? [machine, tracing] : [machine]) move(on)
  }

  return {
    run(message, block, view, options) {
      const result = begin(message, block, view, options)
      if (result.type === 'paused') throw new Error('A run paused that was not to')
      return result
    },
    output(message, block, view, { overrides, coverage, shouldPause }) {
      if (paused) throw new Error('A run is paused in this engine: resume or abandon it first')
      try {
        return new Run(machine, message, block, view, { kind: 'call', overrides, coverage }, shouldPause).output()
      } catch (error) {
        machine.replace()
        throw error
      } finally {
        machine.end()
      }
    },
    start: (message, block, view, options) => begin(message, block, view, options, options.shouldPause),
    advance: (from, to, diff) => moveAll((on) => on.advance(from, to, diff)),
    retreat: (from, to, keys) => moveAll((on) => on.retreat(from, to, keys)),
  }
}

/** A saved run, with its message as it was then. */
type RunSnapshot = SavedRun & SavedInstance & { begun: Begun }

class Run {
  readonly #machine: Machine
  readonly #message: Message
  readonly #block: BlockContext
  readonly #view: StateView
  readonly #options: RunOptions
  readonly #shouldPause: StartOptions['shouldPause']
  readonly #kind: MessageKind
  /** Set while the message runs. */
  #running: Begun | undefined

  constructor(
    machine: Machine,
    message: Message,
    block: BlockContext,
    view: StateView,
    options: RunOptions,
    shouldPause: StartOptions['shouldPause'],
  ) {
    this.#machine = machine
    this.#message = message
    this.#block = block
    this.#view = view
    this.#options = options
    this.#kind = options.kind
    this.#shouldPause = shouldPause
  }

  /** Whether it goes on with a saved run, whose names of the state are others. */
  get isRestored(): boolean {
    return this.#options.steps?.start !== undefined
  }

  get onPause(): StepOptions['onPause'] {
    return this.#options.steps?.onPause
  }

  save(limit: number): SavedRun | undefined {
    const begun = this.#running
    if (!begun || this.#options.onStep === undefined || this.#machine.precompiles.isWaiting) return undefined
    const saved = saveInstance(this.#machine, this.#message.data.length, limit)
    const operation = Number(this.#machine.exports.operation.value)
    return saved && ({ ...saved, operation, begun: { ...begun } } as RunSnapshot)
  }

  /**
   * Runs again on an empty heap if the first run filled a region of memory. If the second one does too, it is out of
   * gas.
   */
  *generator(): RunGenerator {
    const machine = this.#machine
    machine.setBlock(this.#block)
    const capacity = machine.exports.INPUT_END.value - machine.exports.INPUT.value
    if (this.#message.data.length > capacity) throw new RangeError(`A message has at most ${capacity} bytes of data`)
    for (const refused of [false, false, true]) {
      const begun = this.#begin(refused)
      if ('type' in begun) return begun
      this.#running = begun
      while (!begun.hasEnded) {
        // A pause check stopped the run, or a slow precompile is in progress (it checks, too).
        while (machine.leave !== undefined || !machine.precompiles.finish()) {
          if (machine.leave !== 'pause') return this.#leave()
          machine.leave = undefined
          yield
        }
        begun.hasEnded = machine.exports.resume() === 1
      }
      this.#running = undefined
      const ended = this.#end(begun)
      if (ended === 'exhausted') {
        machine.evict()
        continue
      }
      if ('type' in ended) return ended
      const bytes = Buffer.allocUnsafe(ended.length)
      for (const { from, to, length } of resultPieces(machine.bytes, machine.exports.MEMORY.value)) {
        for (let at = 0; at < length; at += copiedTogether) {
          machine.bytes.copy(bytes, to + at, from + at, from + Math.min(at + copiedTogether, length))
          if (length > copiedTogether && this.#mustPause()) yield
        }
      }
      machine.coverage.end(machine.exports, true)
      const reader = new RunResultReader(bytes)
      const blockHashes = [...machine.blockHashes]
      const preimages = this.#options.preimages === true
      const parts = partsOf(reader, new Set(blockHashes), this.#message.data, preimages)
      for (const name of this.#options.reads ?? []) {
        for (const _ of parts[name].read()) if (this.#mustPause()) yield
      }
      return doneFromBytes(bytes, reader, parts, { ended, blockHashes, preimages }, this.#message.data)
    }
    throw new Error('The engine has no room to refuse a message')
  }

  /** Runs once, without pauses, and takes no more than what the message returned. */
  output(): Uint8Array | undefined {
    const machine = this.#machine
    const { exports } = machine
    // What is too long is refused where errors are.
    if (this.#message.data.length > exports.INPUT_END.value - exports.INPUT.value) return undefined
    machine.setBlock(this.#block)
    const begun = this.#begin(false)
    if ('type' in begun) return undefined
    while (!begun.hasEnded) {
      if (machine.leave !== undefined || !machine.precompiles.finish()) {
        machine.exports.rollback()
        return undefined
      }
      begun.hasEnded = machine.exports.resume() === 1
    }
    const isDone = !machine.missing.any && machine.exports.resultHalt.value === 0 && machine.exports.isExhausted() === 0
    const isCollected = isDone && machine.exports.collectResult() > 0
    const result = machine.exports.MEMORY.value
    // What was logged is in the result as a whole.
    const output = isCollected && !callsConsole(machine.bytes, result) ? outputOf(machine.bytes, result) : undefined
    machine.coverage.end(exports, output !== undefined)
    return output
  }

  /** With `refused`, the message ends out of gas without being run. */
  #begin(refused: boolean): Begun | Missing | Rejected {
    const machine = this.#machine
    const message = this.#message
    const { onStep, steps = {} } = this.#options
    const listener = onStep && createStepListener(machine, onStep, steps)
    if (steps.onPause) machine.evict()
    machine.begin(this.#view, this.#options, this.#shouldPause, listener)
    if (steps.start) {
      const { begun } = steps.start as RunSnapshot
      restoreInstance(machine, steps.start as RunSnapshot)
      listener?.begin()
      return { ...begun }
    }
    // Only now, because beginning may have replaced the instance.
    const { exports, rules } = machine
    const price = this.#kind === 'system' ? noGas : intrinsicGasOf(message, rules)
    const isUnread = message.senderIsUnread && isFreeCall(message, this.#kind)
    const senderAccount = isUnread ? machine.unreadAccount(message.from) : machine.account(message.from)
    const sender = this.#kind === 'system' || isUnread ? undefined : this.#sender(senderAccount)
    const surcharge = this.#surcharge()
    const rejected = refuse(message, this.#kind, this.#block, rules, price, sender, surcharge?.upfront)
    if (rejected !== undefined) {
      exports.rollback()
      // While the sender is missing, checks of its balance and nonce are not possible.
      return machine.missing.any ? machine.missing.toResult() : rejected
    }
    machine.message.write(machine, message)
    const target = message.to === undefined ? 0 : machine.unreadAccount(message.to)
    exports.warmParties(senderAccount, target, rules.warmCoinbase ? 1 : 0)
    this.#warmAccessList()
    const pays = this.#pays(sender)
    const upfront = this.#blobFee() + (surcharge?.upfront ?? 0n)
    if (pays) machine.debit(senderAccount, message.gasLimit * message.gasPrice + upfront)
    const halt = haltOfDeposit(message, rules, price, sender)
    if (message.mint) machine.credit(senderAccount, message.mint)
    const gas = halt ? noGas : price
    const creates = message.to === undefined
    if (!creates && this.#kind !== 'system' && !isUnread) {
      exports.setAccountNonce(senderAccount, BigInt.asIntN(64, (sender?.nonce ?? 0n) + 1n))
    }
    const { regular, reservoir } = this.#split(gas)
    exports.beginPreparation(reservoir)
    const left = applyAuthorizations(machine, message, this.#block.chainId, regular)
    if (left === undefined) exports.revertPreparation()
    const available = left ?? regular
    if (target !== 0) exports.touchAccount(target)
    machine.giveWord(message.value)
    const begun = { gas, payer: pays ? senderAccount : 0, surcharge, hasEnded: true }
    if (refused || halt || left === undefined) {
      exports.refuse(senderAccount, target, available, halt ?? outOfGas)
    } else {
      machine.bytes.set(message.data, exports.INPUT.value)
      begun.hasEnded = exports.execute(senderAccount, target, available, message.data.length) === 1
    }
    return begun
  }

  /** The gas that code may use, and what is kept for state: what is beyond the cap of regular gas (EIP-8037). */
  #split({ intrinsic }: IntrinsicGas): { regular: bigint; reservoir: bigint } {
    const { stateGas, gasCap, prices } = this.#machine.rules
    const { gasLimit } = this.#message
    const gas = gasLimit > intrinsic ? gasLimit - intrinsic : 0n
    if (!stateGas) return { regular: gas, reservoir: 0n }
    if (this.#kind === 'system') return { regular: gas, reservoir: systemReservoir(prices) }
    const isCapped = this.#kind === 'transaction' || this.#options.capsGas === true
    const most = isCapped && gasCap !== undefined && gasCap > intrinsic ? gasCap - intrinsic : gas
    return gas > most ? { regular: most, reservoir: gas - most } : { regular: gas, reservoir: 0n }
  }

  /** Writes out the result, if there is one. */
  #end(begun: Begun): Ended | Missing | 'exhausted' {
    const machine = this.#machine
    const { exports } = machine
    const settled = settle(machine, this.#message, this.#block, this.#kind === 'system', begun)
    exports.destroyCondemned()
    if (machine.missing.any) {
      exports.rollback()
      return machine.missing.toResult()
    }
    const length = exports.isExhausted() === 0 ? exports.collectResult() : 0
    if (length > 0) {
      const halt = haltFromNumber(exports.resultHalt.value)
      return { ...settled, length, halt, createdAddress: this.#createdAddress(halt) }
    }
    exports.rollback()
    return 'exhausted'
  }

  #createdAddress(halt: Ended['halt']): Done['createdAddress'] {
    if (this.#message.to !== undefined || halt !== undefined) return undefined
    this.#machine.exports.createdAddress()
    return this.#machine.takeAddress()
  }

  /** Whether a finished run whose result was read may yield. */
  #mustPause(): boolean {
    const machine = this.#machine
    if (!machine.pauseCheck(0)) return false
    machine.leave = undefined
    return true
  }

  /** Ends a run that need not continue. */
  #leave(): RunResult {
    const machine = this.#machine
    machine.exports.rollback()
    return machine.missing.toResult()
  }

  #sender(account: number): Sender | undefined {
    const { exports } = this.#machine
    const state = this.#machine.readAccount(account)
    if (state === undefined) return undefined
    const matters = this.#kind === 'transaction' && !this.#message.senderMayHaveCode
    const hasOwnCode = matters && exports.codeKind(account) === 1
    return { balance: state.balance, nonce: state.nonce, hasOwnCode }
  }

  /** What a transaction pays beside its gas. The slots that this reads are not in the read set. */
  #surcharge(): Surcharge | undefined {
    if (this.#kind !== 'transaction' || this.#message.mint !== undefined) return undefined
    return this.#block.surcharge?.(this.#message, (address, slot) => {
      const value = this.#view.storage(address, slot)
      if (value === undefined) this.#machine.missing.addSlot(address, slot)
      return value ?? 0n
    })
  }

  #pays(sender: Sender | undefined): boolean {
    if (this.#kind === 'system' || sender === undefined || this.#message.mint !== undefined) return false
    return this.#kind === 'transaction' || this.#message.gasPrice !== 0n
  }

  #blobFee(): bigint {
    return gasPerBlob * BigInt(this.#message.blobVersionedHashes?.length ?? 0) * this.#block.blobBaseFee
  }

  #warmAccessList(): void {
    const machine = this.#machine
    for (const { address, storageKeys } of this.#message.accessList ?? []) {
      machine.warmAddress(address)
      for (const key of storageKeys) machine.warmSlot(address, key)
    }
  }
}

/** Bytes of a result that are copied in a few milliseconds. */
const copiedTogether = 4 * 1024 * 1024
