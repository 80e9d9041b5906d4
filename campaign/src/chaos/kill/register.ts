import { isDeepStrictEqual } from 'node:util'
import type { Random } from '@understudy/testkit'
import { JsonRpcError } from '@understudy/testkit'
import type { Rpc } from './rpc.ts'

/** A fact that the network can show. Parts that belong together are one value. */
type Fact = {
  /** Loads it from the network. */
  read: (rpc: Rpc) => Promise<unknown>
  /** One value if it is known; two if a change was requested and not answered. */
  possible: unknown[]
  isFresh: boolean
}

/** The number of older facts that a check includes. */
const olderChecked = 25

/** The facts that the network answered. A change that was not answered may be stored or not, but not in part. */
export class Register {
  readonly #facts = new Map<string, Fact>()

  get size(): number {
    return this.#facts.size
  }

  /** The value of a fact, once it is known. */
  value<T>(key: string): T | undefined {
    const possible = this.#facts.get(key)?.possible
    return possible?.length === 1 ? (possible[0] as T) : undefined
  }

  /** The facts whose keys have this prefix. */
  keys(start: string): string[] {
    return [...this.#facts.keys()].filter((key) => key.startsWith(start))
  }

  /** Sets a fact. */
  know<T>(key: string, read: (rpc: Rpc) => Promise<T>, value: T): void {
    this.#facts.set(key, { read, possible: [value], isFresh: true })
  }

  /** Requests a change of a known fact. Until it is answered, both values are possible. If it is refused, the old value remains. */
  async change(key: string, to: unknown, request: () => Promise<unknown>): Promise<void> {
    await this.changeTogether([{ key, to }], request)
  }

  /** The same for several facts that change at once. */
  async changeTogether(changes: readonly { key: string; to: unknown }[], request: () => Promise<unknown>) {
    for (const { key, to } of changes) {
      const fact = this.#require(key)
      fact.possible = [...fact.possible, to]
      fact.isFresh = true
    }
    try {
      await request()
    } catch (error) {
      if (error instanceof JsonRpcError) for (const { key } of changes) this.#require(key).possible.pop()
      throw error
    }
    for (const { key, to } of changes) this.#require(key).possible = [to]
  }

  /**
   * Checks every fact that is new since the last check, and some or all of the others. Returns how many. `learns`: whether it
   * knows from then on which of two possible values it is.
   */
  async check(rpc: Rpc, others: Random | 'all', { learns = true } = {}): Promise<number> {
    const known = [...this.#facts.keys()]
    const fresh = known.filter((key) => this.#facts.get(key)?.isFresh)
    const older = others === 'all' ? known : Array.from({ length: olderChecked }, () => others.pick(known))
    const keys = new Set([...fresh, ...(known.length > 0 ? older : [])])
    for (const key of keys) {
      const fact = this.#require(key)
      const actual = await fact.read(rpc)
      if (!fact.possible.some((value) => isDeepStrictEqual(actual, value)))
        throw new Error(`${key} is ${text(actual)}; it may be ${fact.possible.map(text).join(' or ')}`)
      if (!learns) continue
      fact.possible = [actual]
      fact.isFresh = false
    }
    return keys.size
  }

  #require(key: string): Fact {
    const fact = this.#facts.get(key)
    if (!fact) throw new Error(`nothing is known of ${key}`)
    return fact
  }
}

const text = (value: unknown) => JSON.stringify(value)
