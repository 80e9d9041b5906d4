import type { Address } from '@understudy/evm'
import type { Logger } from '../../shared/logger.ts'
import type { ChangeSources } from '../changes/sources.ts'
import type { UpstreamHead } from '../head/head.ts'
import type { FetchedFields, WantedFields } from '../stateReader.ts'
import type { Upstream } from '../upstream.ts'
import type { CanonicalChain } from './canonicalChain.ts'
import { type Field, isSlot, type StateStore } from './store.ts'

/** The first heads are all checked; later, one in this many. */
const firstHeads = 16
const everyHead = 16
/** Number of values that are read again, in one batch. */
const sampleSize = 12

type Needs = {
  upstream: Pick<Upstream, 'readFields'>
  chain: CanonicalChain
  store: StateStore
  sources: ChangeSources
  logger: Logger
  random: () => number
}

/**
 * Creates a check that reads again some values that upstream did not report as changed. If one differs, its source is
 * no longer used and every value is dropped, because it is unknown since when it was wrong.
 */
export function createSpotCheck({ upstream, chain, store, sources, logger, random }: Needs) {
  let heads = 0

  /** Some recently read keys whose values hold at the head. */
  function sample(block: number): [Address, Field][] {
    const recent = [...store.accounts].sort(([, a], [, b]) => b.usedAt - a.usedAt).slice(0, 64)
    const keys = recent.flatMap(([address, { values }]) => {
      const start = Math.floor(random() * values.size)
      const fields = [...values.keys()].slice(start, start + 64)
      const known = fields.filter((field) => store.peek(address, field, block) !== undefined)
      return known.slice(0, 8).map((field): [Address, Field] => [address, field])
    })
    return keys
      .map((key) => ({ key, order: random() }))
      .sort((a, b) => a.order - b.order)
      .slice(0, sampleSize)
      .map(({ key }) => key)
  }

  return async ({ number, hash }: UpstreamHead): Promise<void> => {
    if (sources.current() === undefined) return
    heads++
    if (heads > firstHeads && heads % everyHead !== 0) return
    const block = Number(number)
    const { reorgs } = chain
    const keys = sample(block)
    const expected = keys.map(([address, field]) => store.peek(address, field, block))
    try {
      const fetched = await upstream.readFields({ number, hash }, wanted(keys))
      if (chain.reorgs !== reorgs) return
      const wrong = keys.findIndex((key, index) => {
        const value = fetchedValue(fetched, key)
        return value !== undefined && value !== expected[index]
      })
      if (wrong === -1) return
      const [address, field] = keys[wrong] ?? []
      logger.error({ source: sources.current(), address, field, block }, 'Upstream did not report a change')
      sources.distrust()
      store.clear()
    } catch (error) {
      logger.debug({ err: error, block }, 'Could not read values again')
    }
  }
}

function wanted(keys: readonly [Address, Field][]): WantedFields {
  const of = (wantedField: Field) => keys.filter(([, field]) => field === wantedField).map(([address]) => address)
  return {
    balances: of('balance'),
    nonces: of('nonce'),
    // Code is long, and a change of code also changes the nonce.
    codes: [],
    slots: keys.filter(([, field]) => isSlot(field)) as WantedFields['slots'],
    blockHashes: [],
  }
}

function fetchedValue({ balances, nonces, slots }: FetchedFields, [address, field]: [Address, Field]) {
  if (field === 'balance') return balances.get(address)
  if (field === 'nonce') return nonces.get(address)
  return isSlot(field) ? slots.get(address)?.get(field as `0x${string}`) : undefined
}
