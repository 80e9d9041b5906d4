import type { Address, Word } from '@understudy/evm'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import type { Database } from '../storage/database.ts'
import { loadNewestBlockBefore } from '../storage/records/chain/blocks.ts'
import { type FrozenValue, loadFrozenState } from '../storage/records/state/frozenState.ts'
import type { BaseState } from '../upstream/cache/baseState.ts'
import type { Base } from '../upstream/wantedState.ts'

/** A local value whose upstream value has changed. */
export type Drifted = FrozenValue & {
  upstream: bigint | Word
  /** Upstream's value when it became local; `undefined` if upstream no longer has it. */
  upstreamWhenFrozen: bigint | Word | undefined
}

type Needs = {
  database: Database
  baseStates: (base: Base) => BaseState
  /** The block at which the network was forked. */
  origin: Base
  /** Upstream's latest block; `undefined` if nothing is forked. */
  live: () => Base | undefined
}

/** Maximum number of local values that are compared. */
const limit = 10_000

export type DriftReader = { load(address: Address | undefined): Promise<Drifted[]> }

/** Finds what a resync would change because upstream has moved on. */
export function createDriftReader({ database, baseStates, origin, live }: Needs): DriftReader {
  /** The base at the time of a change. */
  async function baseOf(seq: number): Promise<Base> {
    const block = await loadNewestBlockBefore(database.queries, seq)
    return block ? { number: block.baseNumber, hash: block.baseHash } : origin
  }

  return {
    /**
     * The local values of one account or of all that differ from upstream's current ones and whose upstream value has
     * changed since they became local. Throws `NOT_A_FORK`, `LIMIT_EXCEEDED`, `UPSTREAM_UNAVAILABLE`.
     */
    async load(address) {
      const head = live()
      if (!head) throw new NetworkError('NOT_A_FORK', { what: 'drift' })
      const frozen = await loadFrozenState(database.queries, address, limit + 1)
      if (frozen.length > limit)
        throw new NetworkError('LIMIT_EXCEEDED', { what: 'more values are local; pass an address', limit })
      const current = await loadValues(baseStates(head), frozen)
      const moved = frozen.flatMap((value, index) => {
        const upstream = current[index]
        return upstream === undefined || upstream === value.local ? [] : [{ ...value, upstream }]
      })
      const before = new Map<Word, { base: Base; values: typeof moved }>()
      for (const value of moved) {
        const base = await baseOf(value.since)
        const group = before.get(base.hash) ?? { base, values: [] }
        group.values.push(value)
        before.set(base.hash, group)
      }
      const groups = await Promise.all(
        [...before.values()].map(async ({ base, values }) => {
          const upstreamThen = await loadValues(baseStates(base), values).catch((error) => {
            if (isNetworkError(error, 'UPSTREAM_STATE_PRUNED')) return []
            throw error
          })
          return values.map((value, index): Drifted => ({ ...value, upstreamWhenFrozen: upstreamThen[index] }))
        }),
      )
      return groups.flat().filter(({ upstream, upstreamWhenFrozen }) => upstream !== upstreamWhenFrozen)
    },
  }
}

/** The values of these keys in an upstream state, fetched in one round trip. */
async function loadValues(state: BaseState, values: readonly FrozenValue[]): Promise<(bigint | Word | undefined)[]> {
  const slots = values.flatMap((value) => (value.field === 'storage' ? [[value.address, value.slot] as const] : []))
  const accounts = [...new Set(values.flatMap(({ field, address }) => (field === 'storage' ? [] : [address])))]
  const isMissing = ([address, slot]: readonly [Address, Word]) => state.storage(address, slot) === undefined
  await state.load({
    accounts: accounts.filter((address) => !state.account(address)),
    slots: slots.filter(isMissing),
    codes: [],
    blockHashes: [],
  })
  return values.map((value) => {
    if (value.field === 'storage') return state.storage(value.address, value.slot)
    const account = state.account(value.address)
    return value.field === 'code' ? account?.codeHash : account?.[value.field]
  })
}
