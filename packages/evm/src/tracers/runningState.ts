import { isCreation } from '../callFrames.ts'
import type { Address, CallFrame, Step, StepOptions, Word } from '../port.ts'
import { gasPerBlob } from '../validation/validation.ts'
import { replayEvents, type TraceEvents } from './events.ts'
import { type TracedRun, wordHex } from './tracer.ts'

const sstore = 0x55
/** A tracer that asks for one value after another gets each in another pass. */
const passLimit = 100
const nothing = new Uint8Array(0)

/** The state during a run, followed from its frames and writes. What the view lacks is noted, and read as nothing. */
export class RunningState {
  readonly #run: TracedRun
  readonly #missing = {
    accounts: new Set<Address>(),
    codes: new Set<Address>(),
    slots: new Map<string, readonly [Address, Word]>(),
  }
  readonly #balances = new Map<Address, bigint>()
  readonly #nonces = new Map<Address, bigint>()
  readonly #codes = new Map<Address, Uint8Array>()
  readonly #slots = new Map<string, bigint>()
  /** What undoes the changes so far, and how many there were when each open frame began. */
  readonly #undo: (() => void)[] = []
  readonly #marks: number[] = []

  constructor(run: TracedRun) {
    this.#run = run
    const { message, block, result } = run
    const { from, gasLimit, gasPrice, blobVersionedHashes = [] } = message
    const blobFee = gasPerBlob * BigInt(blobVersionedHashes.length) * block.blobBaseFee
    this.#balances.set(from, this.balance(from) - gasLimit * gasPrice - blobFee)
    if (message.to !== undefined) this.#nonces.set(from, this.nonce(from) + 1n)
    for (const { authority } of message.authorizationList ?? []) {
      const { code, nonce } = (authority && result.diff.accounts.get(authority)) ?? {}
      if (authority && code) this.#codes.set(authority, code)
      if (authority && nonce !== undefined) this.#nonces.set(authority, nonce)
    }
  }

  balance(address: Address): bigint {
    return this.#balances.get(address) ?? this.#account(address)?.balance ?? 0n
  }

  nonce(address: Address): bigint {
    return this.#nonces.get(address) ?? this.#account(address)?.nonce ?? 0n
  }

  code(address: Address): Uint8Array {
    const own = this.#codes.get(address)
    if (own) return own
    const account = this.#account(address)
    const code = account && this.#run.view.code(address, account.codeHash)
    if (account && !code) this.#missing.codes.add(address)
    return code ?? nothing
  }

  storage(address: Address, slot: Word): bigint {
    const key = address + slot
    const value = this.#slots.get(key) ?? this.#run.view.storage(address, slot)
    if (value === undefined) this.#missing.slots.set(key, [address, slot])
    return value ?? 0n
  }

  /** Whether the account is not empty. */
  exists(address: Address): boolean {
    return this.balance(address) > 0n || this.nonce(address) > 0n || this.code(address).length > 0
  }

  #account(address: Address) {
    const account = this.#run.view.account(address)
    if (!account) this.#missing.accounts.add(address)
    return account
  }

  #set<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
    const before = map.get(key)
    this.#undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)))
    map.set(key, value)
  }

  #move(from: Address, to: Address, wei: bigint): void {
    this.#set(this.#balances, from, this.balance(from) - wei)
    this.#set(this.#balances, to, this.balance(to) + wei)
  }

  enter(frame: CallFrame): void {
    const { type, from, to, value, error } = frame
    const creates = isCreation(frame)
    const isRefused = error === 'insufficient balance' || error === 'call depth exceeded'
    // The nonce stays when the creation fails.
    if (creates && !isRefused) this.#set(this.#nonces, from, this.nonce(from) + 1n)
    this.#marks.push(this.#undo.length)
    if (creates) this.#set(this.#nonces, to, 1n)
    if (type === 'CALL' || creates) this.#move(from, to, value)
    if (type === 'SELFDESTRUCT') this.#move(from, to, this.balance(from))
  }

  exit({ type, to, output, error }: CallFrame): void {
    const mark = this.#marks.pop() ?? 0
    if (error !== undefined) for (const undo of this.#undo.splice(mark).reverse()) undo()
    else if (type === 'CREATE' || type === 'CREATE2') this.#set(this.#codes, to, output)
  }

  step({ op, address, stack, error }: Step): void {
    if (op === sstore && error === undefined)
      this.#set(this.#slots, address + wordHex(stack.at(-1) ?? 0n), stack.at(-2) ?? 0n)
  }

  /** What it is after the run. */
  end(): void {
    const { diff } = this.#run.result
    for (const [address, { balance, nonce, code }] of diff.accounts) {
      if (balance !== undefined) this.#balances.set(address, balance)
      if (nonce !== undefined) this.#nonces.set(address, nonce)
      if (code !== undefined) this.#codes.set(address, code)
    }
    for (const map of [this.#balances, this.#nonces, this.#codes] as const)
      for (const address of map.keys()) if (!diff.accounts.has(address)) map.delete(address)
  }

  /** Loads what was missing. Answers whether anything was. */
  async load(): Promise<boolean> {
    const { accounts, codes, slots } = this.#missing
    if (accounts.size + codes.size + slots.size === 0) return false
    const { load } = this.#run.view
    if (!load) throw new Error('The state of the run is not complete')
    const wanted = { accounts: [...accounts, ...codes], codes: [...codes], slots: [...slots.values()] }
    await this.#run.view.load?.({ ...wanted, blockHashes: [], calls: [] })
    return true
  }
}

/** Events that read the state, and what a pass with them found. */
export type StatefulEvents<Result> = TraceEvents & { result(): Result }

/** Like `replayEvents`, with the state at each event. Runs again where the state that was read is not loaded yet. */
export async function replayWithState<Result>(
  run: TracedRun,
  begin: (state: RunningState) => StatefulEvents<Result> | Promise<StatefulEvents<Result>>,
  steps: StepOptions = {},
): Promise<Result> {
  for (let pass = 0; pass < passLimit; pass++) {
    const state = new RunningState(run)
    try {
      const result = await passWith(run, state, await begin(state), steps)
      if (!(await state.load())) return result
    } catch (error) {
      // Perhaps because of what was missing.
      if (!(await state.load())) throw error
    }
  }
  throw new Error(`The state that the tracer reads was not complete after ${passLimit} passes`)
}

async function passWith<Result>(
  run: TracedRun,
  state: RunningState,
  events: StatefulEvents<Result>,
  steps: StepOptions,
): Promise<Result> {
  const operations = steps.operations && new Set([...steps.operations, sstore])
  await replayEvents(
    run,
    {
      enter(frame, index) {
        events.enter?.(frame, index)
        state.enter(frame)
      },
      step(step) {
        if (!steps.operations || steps.operations.has(step.op) || step.error !== undefined) events.step(step)
        state.step(step)
      },
      exit(frame, index) {
        state.exit(frame)
        events.exit?.(frame, index)
      },
    },
    { ...steps, ...(operations && { operations }) },
  )
  state.end()
  return events.result()
}
