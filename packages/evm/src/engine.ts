import { applyAuthorizations } from './authorizations.ts'
import { haltFromNumber } from './halts.ts'
import { type IntrinsicGas, intrinsicGasOf } from './intrinsicGas.ts'
import { Machine, type StepListener, VainPassError } from './machine.ts'
import type {
  BlockContext,
  Done,
  Engine,
  HaltReason,
  Message,
  MessageKind,
  RunOptions,
  RunResult,
  StateDiff,
  StateView,
} from './port.ts'
import { RunResultReader } from './runResult.ts'
import { createStepListener } from './steps.ts'
import { gasPerBlob, refuse, type Sender } from './validation.ts'

/** The engine that `createEvm` makes: `run` answers at once. */
export type Evm = Omit<Engine, 'run'> & {
  run(message: Message, block: BlockContext, view: StateView, options: RunOptions): RunResult
}

/**
 * Makes an engine. Make one and keep it: what it reads stays resident in it. Different states may take turns in one engine,
 * told apart by `view.identity`. It is not to be called while it runs (from a view or an override).
 */
export function createEvm(): Evm {
  const machine = new Machine('evm')
  let tracing: Machine | undefined
  return {
    run(message, block, view, options) {
      if (options.onStep === undefined) return runOn(machine, message, block, view, options)
      tracing ??= new Machine('evm-tracing')
      return runOn(tracing, message, block, view, options)
    },
    advance(from: object, to: object, diff: StateDiff) {
      machine.advance(from, to, diff)
      tracing?.advance(from, to, diff)
    },
  }
}

/** Runs once more on an empty heap when the first run filled a region of memory, and then gives up: out of gas. */
function runOn(
  machine: Machine,
  message: Message,
  block: BlockContext,
  view: StateView,
  options: RunOptions,
): RunResult {
  machine.setBlock(block)
  const capacity = machine.exports.INPUT_END.value - machine.exports.INPUT.value
  if (message.data.length > capacity) throw new RangeError(`A message has at most ${capacity} bytes of data`)
  try {
    const result = new Run(machine, message, block, view, options).execute(false)
    if (result !== 'exhausted') return result
    machine.evict()
    const again = new Run(machine, message, block, view, options).execute(false)
    if (again !== 'exhausted') return again
    machine.evict()
    const refused = new Run(machine, message, block, view, options).execute(true)
    if (refused !== 'exhausted') return refused
    throw new Error('The engine has no room to refuse a message')
  } catch (error) {
    // Whatever came from the view, an override or a listener came through the engine's frames: its state is not to be trusted.
    machine.replace()
    if (error instanceof VainPassError) return machine.missing.toResult()
    throw error
  }
}

class Run {
  readonly #machine: Machine
  readonly #message: Message
  readonly #block: BlockContext
  readonly #view: StateView
  readonly #options: RunOptions
  readonly #kind: MessageKind

  constructor(machine: Machine, message: Message, block: BlockContext, view: StateView, options: RunOptions) {
    this.#machine = machine
    this.#message = message
    this.#block = block
    this.#view = view
    this.#options = options
    this.#kind = options.kind
  }

  /** With `refused`, the message ends out of gas without being run. */
  execute(refused: boolean): RunResult | 'exhausted' {
    const machine = this.#machine
    const message = this.#message
    const { onStep, steps = {} } = this.#options
    const listener: StepListener | undefined = onStep && createStepListener(machine, onStep, steps)
    machine.begin(this.#view, this.#options, listener)
    // Only now: beginning may have replaced the instance.
    const { exports, rules } = machine
    const gas = this.#kind === 'system' ? { intrinsic: 0n, floor: 0n } : intrinsicGasOf(message, rules)
    const senderAccount = machine.account(message.from)
    const sender = this.#kind === 'system' ? undefined : this.#sender(senderAccount)
    const rejected = refuse(message, this.#kind, this.#block, rules, gas, sender)
    // While the sender is missing, nothing that its balance or nonce decides can be said.
    if (rejected !== undefined && !machine.missing.any) {
      exports.rollback()
      return rejected
    }
    machine.setMessage(message.from, message.gasPrice, message.blobVersionedHashes ?? [])
    this.#warm()
    const pays = this.#pays(sender)
    if (pays) machine.debit(senderAccount, message.gasLimit * message.gasPrice + this.#blobFee())
    const creates = message.to === undefined
    if (!creates && this.#kind !== 'system') {
      exports.setAccountNonce(senderAccount, BigInt.asIntN(64, (sender?.nonce ?? 0n) + 1n))
    }
    if (message.authorizationList !== undefined) {
      applyAuthorizations(machine, message.authorizationList, this.#block.chainId)
    }
    const target = message.to === undefined ? 0 : machine.account(message.to)
    const available = message.gasLimit > gas.intrinsic ? message.gasLimit - gas.intrinsic : 0n
    machine.giveWord(message.value)
    if (refused) {
      exports.refuse(senderAccount, target, available)
    } else {
      machine.bytes.set(message.data, exports.INPUT.value)
      exports.execute(senderAccount, target, available, message.data.length)
    }
    const settled = this.#settle(gas, pays ? senderAccount : 0)
    exports.destroyCondemned()
    return this.#finish(settled)
  }

  #sender(account: number): Sender | undefined {
    const { exports } = this.#machine
    const state = this.#machine.readAccount(account)
    if (state === undefined) return undefined
    const matters = this.#kind === 'transaction' && !this.#message.senderMayHaveCode
    const hasOwnCode = matters && exports.codeKind(account) === 1
    return { ...state, hasOwnCode }
  }

  #pays(sender: Sender | undefined): boolean {
    if (this.#kind === 'system' || sender === undefined) return false
    return this.#kind === 'transaction' || this.#message.gasPrice !== 0n
  }

  #blobFee(): bigint {
    return gasPerBlob * BigInt(this.#message.blobVersionedHashes?.length ?? 0) * this.#block.blobBaseFee
  }

  #warm(): void {
    const machine = this.#machine
    const { from, to, accessList } = this.#message
    machine.warmAddress(from)
    if (to !== undefined) machine.warmAddress(to)
    if (machine.rules.warmCoinbase) machine.warmAddress(this.#block.coinbase)
    for (const { address, storageKeys } of accessList ?? []) {
      machine.warmAddress(address)
      for (const key of storageKeys) machine.warmSlot(address, key)
    }
  }

  /** Gives gas back and pays the coinbase. `payer` is 0 when nobody pays. */
  #settle(gas: IntrinsicGas, payer: number): { gasUsed: bigint; gasRefund: bigint } {
    const machine = this.#machine
    const { rules, exports } = machine
    const { gasLimit, gasPrice } = this.#message
    const spent = gasLimit - exports.resultGas.value
    let gasRefund = 0n
    if (this.#kind !== 'system') {
      const cap = spent / rules.refundQuotient
      gasRefund = exports.resultRefund.value < cap ? exports.resultRefund.value : cap
    }
    let gasUsed = spent - gasRefund
    if (gasUsed < gas.floor) gasUsed = gas.floor
    if (payer !== 0) {
      machine.credit(payer, (gasLimit - gasUsed) * gasPrice)
      const tip = gasPrice - (rules.baseFee ? this.#block.baseFee : 0n)
      if (tip > 0n) machine.credit(machine.account(this.#block.coinbase), gasUsed * tip)
    }
    return { gasUsed, gasRefund }
  }

  #finish({ gasUsed, gasRefund }: { gasUsed: bigint; gasRefund: bigint }): RunResult | 'exhausted' {
    const machine = this.#machine
    const { exports } = machine
    if (machine.missing.any) {
      exports.rollback()
      return machine.missing.toResult()
    }
    const length = exports.isExhausted() === 0 ? exports.collectResult() : 0
    if (length === 0) {
      exports.rollback()
      return 'exhausted'
    }
    const origin = exports.MEMORY.value
    const bytes = Buffer.allocUnsafe(length)
    machine.bytes.copy(bytes, 0, origin, origin + length)
    const halt = haltFromNumber(exports.resultHalt.value)
    const created = this.#message.to === undefined && halt === undefined
    if (created) exports.createdAddress()
    const createdAddress = created ? machine.takeAddress() : undefined
    exports.rollback()
    const blockHashes = new Set(machine.blockHashes)
    return lazyDone(new RunResultReader(bytes), {
      halt,
      gasUsed,
      gasRefund,
      createdAddress,
      blockHashes,
      input: this.#message.data,
      preimages: this.#options.preimages === true,
    })
  }
}

type Outcome = {
  halt: HaltReason | 'revert' | undefined
  gasUsed: bigint
  gasRefund: bigint
  createdAddress: Done['createdAddress']
  blockHashes: Set<bigint>
  input: Uint8Array
  preimages: boolean
}

/** A function that computes its value when it is first called. */
function once<T>(compute: () => T): () => T {
  let value: { of: T } | undefined
  return () => {
    value ??= { of: compute() }
    return value.of
  }
}

/** The parts of a result that cost something to read are read when they are asked for. */
function lazyDone(reader: RunResultReader, outcome: Outcome): Done {
  const { halt } = outcome
  const output = once(() => reader.output())
  const logs = once(() => reader.logs())
  const diff = once(() => reader.diff())
  const readSet = once(() => reader.readSet(outcome.blockHashes))
  const frames = once(() => reader.frames(outcome.input))
  const preimages = once(() => (outcome.preimages ? reader.preimages() : undefined))
  return {
    type: 'done',
    status: halt === undefined ? 'success' : halt === 'revert' ? 'revert' : 'halt',
    halt: halt === 'revert' ? undefined : halt,
    gasUsed: outcome.gasUsed,
    gasRefund: outcome.gasRefund,
    createdAddress: outcome.createdAddress,
    framesTruncated: reader.framesTruncated(),
    get output() {
      return output()
    },
    get logs() {
      return logs()
    },
    get diff() {
      return diff()
    },
    get readSet() {
      return readSet()
    },
    get frames() {
      return frames()
    },
    get preimages() {
      return preimages()
    },
  }
}
