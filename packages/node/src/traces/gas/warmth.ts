import { type Address, delegateOf, isPrecompile, requireRules, type TracedRun } from '@understudy/evm'

/** Which accounts and slots are warm during a run (EIP-2929). */
export class Warmth {
  readonly #run: TracedRun
  readonly #warm = new Set<string>()
  /** What became warm since the run began, in order: a failed frame undoes its own. */
  readonly #added: string[] = []

  constructor(run: TracedRun) {
    this.#run = run
    const { message, block } = run
    const rules = requireRules(block.fork)
    const to = message.to ?? run.result.frames[0]?.to
    for (const address of [message.from, to]) if (address) this.#warm.add(address)
    if (rules.warmCoinbase) this.#warm.add(block.coinbase)
    for (const { authority } of message.authorizationList ?? []) if (authority) this.#warm.add(authority)
    const delegate = to && this.delegateOf(to)
    if (delegate) this.#warm.add(delegate)
    for (const { address, storageKeys } of message.accessList ?? []) {
      this.#warm.add(address)
      for (const key of storageKeys) this.#warm.add(keyOf(address, BigInt(key)))
    }
  }

  /** The account whose code an account runs (EIP-7702). */
  delegateOf(address: Address): Address | undefined {
    const own = this.#run.message.authorizationList?.findLast(({ authority }) => authority === address)
    return own ? own.address : delegateOf(address, this.#run.view)
  }

  /** Makes an account warm, or one of its slots. Returns whether it was cold. */
  touch(address: Address, slot?: bigint): boolean {
    const key = slot === undefined ? address : keyOf(address, slot)
    if (this.#warm.has(key)) return false
    if (slot === undefined && isPrecompile(address, requireRules(this.#run.block.fork))) return false
    this.#warm.add(key)
    this.#added.push(key)
    return true
  }

  /** Where to return to if a frame that begins now fails. */
  get mark(): number {
    return this.#added.length
  }

  undo(mark: number): void {
    for (const key of this.#added.splice(mark)) this.#warm.delete(key)
  }
}

const keyOf = (address: Address, slot: bigint) => `${address}${slot}`
