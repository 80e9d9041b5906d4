import type { Address, Hex } from '@understudy/evm'
import { NetworkError } from '../../shared/errors.ts'

/** Rules that clients can change, and that no hardfork has. */
export type LocalRules = {
  readonly chainId: bigint
  /** Signatures that recover to an address of choice; `undefined` if there are none. */
  readonly signatures?: ReadonlyMap<Hex, Address>
}

/** What changes from a block on: the chain id (a decimal string), or the address of a signature. */
type Change = { fromBlock: string } & ({ chainId: string } | { signature: Hex; address: Address })

export type LocalRulesSettings = readonly Change[]

/** Maximum number of changes that are kept. */
const changeLimit = 1000
/** How many past rules are kept in memory. */
const cacheLimit = 16

/** The local rules by block. A change holds from the next block on; replays of earlier blocks keep the rules of then. */
export class LocalRulesByBlock {
  readonly #first: LocalRules
  /** Oldest first. */
  #changes: LocalRulesSettings = []
  /** Where each holds from. */
  #starts: readonly bigint[] = []
  /** By the number of changes that made them. */
  readonly #cache = new Map<number, LocalRules>()

  constructor(chainId: bigint, settings: LocalRulesSettings | undefined) {
    this.#first = { chainId }
    this.restore(settings)
  }

  get settings(): LocalRulesSettings {
    return this.#changes
  }

  /** Those of the next block. */
  get current(): LocalRules {
    return this.#after(this.#changes.length)
  }

  /** Those that a block ran with. */
  of(number: bigint): LocalRules {
    return this.#after(this.#starts.findLastIndex((start) => start <= number) + 1)
  }

  restore(settings: LocalRulesSettings | undefined): void {
    this.#changes = settings ?? []
    this.#starts = this.#changes.map(({ fromBlock }) => BigInt(fromBlock))
    this.#cache.clear()
  }

  /** The changes with a chain id from `next` on. Throws `LIMIT_EXCEEDED`. */
  withChainId(chainId: bigint, next: bigint): LocalRulesSettings {
    return this.#with({ fromBlock: next.toString(), chainId: chainId.toString() })
  }

  /** The changes with an address for a signature from `next` on. Throws `LIMIT_EXCEEDED`. */
  withSignature(signature: Hex, address: Address, next: bigint): LocalRulesSettings {
    return this.#with({ fromBlock: next.toString(), signature, address })
  }

  /** The changes once blocks from `next` on are removed: the current rules hold from there. */
  withoutBlocks(next: bigint): LocalRulesSettings {
    return this.#changes.reduce<LocalRulesSettings>((kept, change) => {
      const fromBlock = BigInt(change.fromBlock) < next ? change.fromBlock : next.toString()
      return withChange(kept, { ...change, fromBlock })
    }, [])
  }

  #with(change: Change): LocalRulesSettings {
    const changes = withChange(this.#changes, change)
    if (changes.length > changeLimit)
      throw new NetworkError('LIMIT_EXCEEDED', {
        what: 'no more changes of the chain id and of impersonated signatures are kept',
        limit: changeLimit,
      })
    return changes
  }

  #after(count: number): LocalRules {
    if (count === 0) return this.#first
    const known = this.#cache.get(count)
    if (known) return known
    let { chainId } = this.#first
    const signatures = new Map<Hex, Address>()
    for (const change of this.#changes.slice(0, count)) {
      if ('chainId' in change) chainId = BigInt(change.chainId)
      else signatures.set(change.signature, change.address)
    }
    const rules = { chainId, ...(signatures.size > 0 && { signatures }) }
    this.#cache.set(count, rules)
    // The current ones are asked for most.
    const oldest = [...this.#cache.keys()].find((key) => key !== this.#changes.length)
    if (this.#cache.size > cacheLimit && oldest !== undefined) this.#cache.delete(oldest)
    return rules
  }
}

/** One more change; it replaces the one of the same thing for the same block. */
function withChange(changes: LocalRulesSettings, change: Change): LocalRulesSettings {
  const isReplaced = (other: Change) => other.fromBlock === change.fromBlock && keyOf(other) === keyOf(change)
  return [...changes.filter((other) => !isReplaced(other)), change]
}

const keyOf = (change: Change) => ('signature' in change ? change.signature : 'chainId')
