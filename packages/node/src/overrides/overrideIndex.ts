import type { Address, Hex, OverrideTable } from '@understudy/evm'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import type { Queries } from '../storage/database.ts'
import { loadOverrideChange, loadOverrideSpans } from '../storage/records/state/overrideSpans.ts'

/** The parts of an override that determine the result of a call. */
export type Replacement = {
  address: Address
  selector: Hex
  /** The encoded inputs that it matches; `undefined` for any. */
  inputs: Uint8Array | undefined
  output: Uint8Array
}

/** A table that can be made again in another thread. */
export type CopyableTable = OverrideTable & { replacements(): Replacement[] }

type Target = {
  address: Address
  selector: Hex
  /** By the hex of the encoded inputs. */
  exact: Map<Hex, Uint8Array>
  wildcard: Uint8Array | undefined
}

/** The enabled overrides, by called address and selector. */
export class OverrideIndex {
  readonly #targets = new Map<string, Target>()
  #table: CopyableTable | undefined

  /** The table for the engine: the same object until something changes, `undefined` if it is empty. */
  get table(): CopyableTable | undefined {
    if (this.#targets.size === 0) return undefined
    this.#table ??= {
      targets: [...this.#targets.values()].map(({ address, selector }) => [address, selector] as const),
      resolve: (address, input) => this.#resolve(address, input),
      replacements: () => this.#replacements(),
    }
    return this.#table
  }

  /** Adds an override; replaces one for the same inputs. */
  set({ address, selector, inputs, output }: Replacement): void {
    const key = address + selector
    const target = this.#targets.get(key) ?? { address, selector, exact: new Map(), wildcard: undefined }
    if (inputs) target.exact.set(hexFromBytes(inputs), output)
    else target.wildcard = output
    this.#targets.set(key, target)
    this.#table = undefined
  }

  delete({ address, selector, inputs }: Omit<Replacement, 'output'>): void {
    const key = address + selector
    const target = this.#targets.get(key)
    if (!target) return
    if (inputs) target.exact.delete(hexFromBytes(inputs))
    else target.wildcard = undefined
    if (target.exact.size === 0 && !target.wildcard) this.#targets.delete(key)
    this.#table = undefined
  }

  #replacements(): Replacement[] {
    return [...this.#targets.values()].flatMap(({ address, selector, exact, wildcard }) => [
      ...[...exact].map(([inputs, output]) => ({ address, selector, inputs: bytesFromHex(inputs), output })),
      ...(wildcard ? [{ address, selector, inputs: undefined, output: wildcard }] : []),
    ])
  }

  #resolve(address: Address, input: Uint8Array): Uint8Array | undefined {
    const target = this.#targets.get(address + hexFromBytes(input.subarray(0, 4)))
    if (!target) return undefined
    const exact = target.exact.size > 0 ? target.exact.get(hexFromBytes(input.subarray(4))) : undefined
    return exact ?? target.wildcard
  }
}

/** Maximum number of cached past tables. */
const tableLimit = 4

/** Returns the overrides as of a change of the network. */
export function createPastOverrides(queries: Queries): (seq: number) => Promise<OverrideTable | undefined> {
  /** By the change that produced them. */
  const tables = new Map<number, OverrideTable | undefined>()
  return async (seq) => {
    const change = await loadOverrideChange(queries, seq)
    if (tables.has(change)) return tables.get(change)
    const index = new OverrideIndex()
    for (const span of await loadOverrideSpans(queries, change)) index.set(span)
    tables.set(change, index.table)
    const [oldest] = tables.keys()
    if (tables.size > tableLimit && oldest !== undefined) tables.delete(oldest)
    return index.table
  }
}
