import { type Address, type Prices, rulesOf, type Step, type TracedRun } from '@understudy/evm'
import { Warmth } from './warmth.ts'

const op = { sload: 0x54, sstore: 0x55, selfdestruct: 0xff }
/** Where the stack has the account that an operation accesses, counted from the top. */
const accountAt = new Map([
  [0x31, 1],
  [0x3b, 1],
  [0x3c, 1],
  [0x3f, 1],
  [0xf1, 2],
  [0xf2, 2],
  [0xf4, 2],
  [0xfa, 2],
  [op.selfdestruct, 1],
])

/** The operations of which the stack is needed, two words of it. */
export const readsStack: ReadonlySet<number> = new Set([...accountAt.keys(), op.sload, op.sstore])

/** So many cold accesses are listed. */
const listedAccesses = 1000

/**
 * Accesses of accounts and slots (EIP-2929), and their gas: the price of an account or of a read. Of a write or a
 * destruction, it is the surcharge for what is cold.
 */
export type AccessCounts = { accounts: number; slots: number; gas: bigint }

export type LineAccesses = { cold: AccessCounts; warm: AccessCounts }

/** The first access of an account or slot. It may happen again after a failure, which undoes it. */
export type ColdAccess<Line> = {
  line: Line
  account: Address
  /** `undefined`: the account itself. */
  slot: bigint | undefined
}

type AccessPrice = { warm: bigint; cold: bigint }

function pricesOfAccesses({ warmAccess, coldSload, coldSstore, coldAccount }: Prices) {
  const of = (warm: number, cold: number): AccessPrice => ({ warm: BigInt(warm), cold: BigInt(cold) })
  return {
    read: of(warmAccess, coldSload),
    write: of(0, coldSstore),
    account: of(warmAccess, coldAccount),
    destruction: of(0, coldAccount),
  }
}

/** Counts the accesses of lines. */
export class Accesses<Line extends { accesses: LineAccesses | undefined }> {
  /** The first ones, in order. */
  readonly cold: ColdAccess<Line>[] = []
  readonly #warmth: Warmth
  readonly #prices: ReturnType<typeof pricesOfAccesses>

  constructor(run: TracedRun) {
    this.#warmth = new Warmth(run)
    this.#prices = pricesOfAccesses(rulesOf(run.block).prices)
  }

  /** To be called before an operation that did not fail changes more. */
  count({ op: operation, stack, address }: Step, line: Line): void {
    const { read, write, account: ofAccount, destruction } = this.#prices
    if (operation === op.sload || operation === op.sstore) {
      this.#note(line, address, stack.at(-1) ?? 0n, operation === op.sstore ? write : read)
      return
    }
    const at = accountAt.get(operation)
    if (at === undefined) return
    const account = addressOf(stack.at(-at) ?? 0n)
    this.#note(line, account, undefined, operation === op.selfdestruct ? destruction : ofAccount)
    const delegate = at === 2 ? this.#warmth.delegateOf(account) : undefined
    if (delegate) this.#note(line, delegate, undefined, ofAccount)
  }

  /** Makes an account warm for nothing, as its creation does. */
  warm(account: Address): void {
    this.#warmth.touch(account)
  }

  /** Where to return to if a frame that begins now fails. */
  get mark(): number {
    return this.#warmth.mark
  }

  undo(mark: number): void {
    this.#warmth.undo(mark)
  }

  #note(line: Line, account: Address, slot: bigint | undefined, price: AccessPrice): void {
    const isCold = this.#warmth.touch(account, slot)
    line.accesses ??= { cold: { accounts: 0, slots: 0, gas: 0n }, warm: { accounts: 0, slots: 0, gas: 0n } }
    const counts = isCold ? line.accesses.cold : line.accesses.warm
    if (slot === undefined) counts.accounts++
    else counts.slots++
    counts.gas += isCold ? price.cold : price.warm
    if (isCold && this.cold.length < listedAccesses) this.cold.push({ line, account, slot })
  }
}

const addressOf = (word: bigint): Address => `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
