import type { ForkRules } from '../forks.ts'
import { priceOf } from '../gas/precompilePrices.ts'
import type { PrecompilePrice } from '../gas/prices.ts'
import type { BlockContext } from '../port.ts'
import type { EngineExports } from '../wasm.ts'
import { chosenSigner, ecrecover } from './ecrecover.ts'
import type { Compressor, Parts } from './precompile.ts'
import { precompiles } from './table.ts'

/** Gas of precompiles that counts as much as the operations between two pause checks. */
const gasPerCheck = 300
/** What `run` answers the engine. */
const outOfGas = -1n
const failed = -2n
const notNow = -3n
/** A precompile whose built-in price is higher is computed in parts. */
const gasAtOnce = 10_000n

/** The instance of which the precompiles are computed. */
type Instance = {
  readonly exports: EngineExports
  readonly bytes: Buffer
  /** Whether the run is to leave the engine. */
  pauseCheck(work: number): boolean
}

/** Computes the precompiles of an instance: cheap ones at once, others in parts after the engine was left. */
export class PrecompileRunner {
  /** The work of the last one, in pause checks. */
  lastWork = 0
  readonly #instance: Instance
  readonly #compressor: Compressor
  #prices: ReadonlyMap<number, PrecompilePrice> = new Map()
  /** The precompile that the engine waits for. */
  #pending: { parts: Parts; cost: bigint } | undefined

  constructor(instance: Instance) {
    this.#instance = instance
    this.#compressor = {
      begin: (input) => instance.bytes.set(input, instance.exports.EXCHANGE.value + 1024),
      run: (from, to, rounds) => instance.exports.compress(from, to, rounds),
      output: () => {
        const output = instance.exports.RETURN_DATA.value
        return new Uint8Array(instance.bytes.subarray(output, output + 64))
      },
    }
  }

  /** Whether the engine waits for one. */
  get isWaiting(): boolean {
    return this.#pending !== undefined
  }

  /** Sets what the chain has instead of built-in prices, by number. */
  setPrices(prices: ReadonlyMap<number, PrecompilePrice>): void {
    this.#prices = prices
  }

  /** Forgets what an earlier run waited for. */
  begin(): void {
    this.#pending = undefined
  }

  /** Answers the engine: the gas that it cost, or why there is no output. */
  run(
    number: number,
    rules: ForkRules,
    input: Uint8Array,
    gas: bigint,
    signatures?: BlockContext['signatures'],
  ): bigint {
    this.lastWork = 0
    const precompile = precompiles.get(number)
    if (precompile === undefined) return failed
    const data = new Uint8Array(input)
    const builtIn = precompile.gas(data, rules)
    const price = this.#prices.get(number)
    const cost = price ? priceOf(price, data.length, builtIn) : builtIn
    if (cost > gas) return outOfGas
    this.lastWork = Number(builtIn) / gasPerCheck
    const chosen = precompile === ecrecover && signatures ? chosenSigner(data, signatures) : undefined
    if (chosen) return this.#end(chosen, cost)
    if ('run' in precompile) return this.#end(precompile.run(data, rules), cost)
    const parts = precompile.parts(data, rules, this.#compressor)
    if (builtIn > gasAtOnce) {
      this.#pending = { parts, cost }
      return notNow
    }
    for (;;) {
      const part = parts.next()
      if (part.done) return this.#end(part.value, cost)
    }
  }

  /** Computes what the engine waits for, part by part. False if a pause check made the run leave before that was done. */
  finish(): boolean {
    const pending = this.#pending
    if (pending === undefined) return true
    for (;;) {
      const part = pending.parts.next()
      if (part.done) {
        this.#pending = undefined
        this.#instance.exports.settlePrecompile(this.#end(part.value, pending.cost))
        return true
      }
      if (this.#instance.pauseCheck(0)) return false
    }
  }

  #end(output: Uint8Array | undefined, cost: bigint): bigint {
    if (output === undefined) return failed
    const { bytes, exports } = this.#instance
    bytes.set(output, exports.RETURN_DATA.value)
    exports.setReturnLength(output.length)
    return cost
  }
}
