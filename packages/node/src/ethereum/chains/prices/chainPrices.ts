import { type Address, type Fork, type Prices, pricesOf } from '@understudy/evm'
import type { MeasuredPrices } from './foundPrices.ts'
import { measuredPrecompiles } from './measures.ts'
import { builtInPrice, pointEvaluation, pointEvaluationName } from './pointEvaluation.ts'

/**
 * How prices are known: the live chain was seen to take them; a profile names them; or they are those of the hardfork, because the
 * chain did not show them or the option `--prices` says so.
 */
export type PricesSource = 'measured' | 'profile' | 'fork'

/** The prices of a chain, as they are stored: JSON. */
export type ChainPrices = {
  source: PricesSource
  /** Those that are not the fork's, by name. */
  values: Partial<Prices>
  /** Names of `values` that a profile says, whatever else was measured; of a precompile: `precompiles.` and its address. */
  ofProfile: string[]
  /** Names that were not measured. */
  unknown: string[]
  /** What no plain numbers explain, in words. */
  odd: string[]
}

/** Prices that a profile has. */
export type ProfilePrices = Partial<Prices>

type Sources = {
  measured?: MeasuredPrices | undefined
  /** Those that were measured before: they stand in for what is not measured this time. */
  before?: Partial<Prices> | undefined
  /** Of the user's file: they are in force whatever is measured. */
  named?: ProfilePrices | undefined
  /** Of the table of chains: they stand in for what is not measured. */
  tabled?: TabledPrices | undefined
}

/** What the table of chains has of prices. */
export type TabledPrices = { prices: ProfilePrices; odd: readonly string[] }

const nothing: TabledPrices = { prices: {}, odd: [] }

/** Puts together what is known of the prices of a chain. */
export function chainPrices(fork: Fork, { measured, before = {}, named = {}, tabled = nothing }: Sources): ChainPrices {
  const isOpen = (name: string) => name !== 'precompiles' && (!measured || measured.unknown.includes(name))
  const open = (prices: Partial<Prices>) =>
    Object.fromEntries(Object.entries(prices).filter(([name]) => isOpen(name))) as Partial<Prices>
  const [tables, kept] = [open(tabled.prices), open(before)]
  const isOpenPrecompile = (address: string) => {
    if (!measured) return true
    if (address === pointEvaluation) return measured.unknown.includes(pointEvaluationName)
    return !measuredPrecompiles.has(address as Address)
  }
  const tabledPrecompiles = Object.fromEntries(
    Object.entries(tabled.prices.precompiles ?? {}).filter(([address]) => isOpenPrecompile(address)),
  )
  const precompiles = { ...tabledPrecompiles, ...measured?.prices.precompiles, ...named.precompiles }
  const own = pricesOf(fork)
  const values = pricesUnlike({ ...tables, ...kept, ...measured?.prices, ...named, precompiles }, own)
  const isNamed = (name: string) =>
    name in named || (name === pointEvaluationName && pointEvaluation in (named.precompiles ?? {}))
  const isOfProfile = (name: string) => name in named || (name in tables && !(name in kept))
  const ofProfile = [
    ...Object.keys(values).filter((name) => name !== 'precompiles' && isOfProfile(name)),
    ...Object.keys({ ...tabledPrecompiles, ...named.precompiles }).map((address) => `precompiles.${address}`),
  ]
  return {
    source: measured ? 'measured' : ofProfile.length > 0 ? 'profile' : 'fork',
    values,
    ofProfile,
    unknown: measured?.unknown.filter((name) => !isNamed(name)) ?? [],
    odd: [...new Set([...tabled.odd, ...(measured?.odd ?? [])])],
  }
}

/** The price of point evaluation that was measured; `undefined` if none was. */
export function measuredPointEvaluation(prices: ChainPrices | undefined): number | undefined {
  if (prices?.source !== 'measured') return undefined
  const isOpen = prices.unknown.includes(pointEvaluationName) || prices.ofProfile.includes(pointEvaluationName)
  return isOpen ? undefined : (prices.values.precompiles?.[pointEvaluation]?.base ?? builtInPrice)
}

/** Those that are not the fork's, in one order. */
export function pricesUnlike(prices: Partial<Prices>, own: Prices): Partial<Prices> {
  const names = Object.keys(own) as (keyof Prices)[]
  const unlike = names.filter(
    (name) => name !== 'precompiles' && prices[name] !== undefined && prices[name] !== own[name],
  )
  const precompiles = Object.entries(prices.precompiles ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    ...Object.fromEntries(unlike.map((name) => [name, prices[name]])),
    ...(precompiles.length > 0 && { precompiles: Object.fromEntries(precompiles) }),
  }
}

/** A price before and after a change; `null` for a precompile whose price is built in. */
export type PriceChange = { name: string; before: unknown; after: unknown }

/** What differs between two sets of prices. */
export function priceChanges(before: Prices, after: Prices): PriceChange[] {
  const names = Object.keys(after).filter((name) => name !== 'precompiles') as (keyof Prices)[]
  const changes: PriceChange[] = names
    .filter((name) => before[name] !== after[name])
    .map((name) => ({ name, before: before[name], after: after[name] }))
  const addresses = new Set([...Object.keys(before.precompiles), ...Object.keys(after.precompiles)])
  for (const address of addresses as Set<keyof Prices['precompiles']>) {
    const [old, next] = [before.precompiles[address] ?? null, after.precompiles[address] ?? null]
    if (JSON.stringify(old) !== JSON.stringify(next))
      changes.push({ name: `precompiles.${address}`, before: old, after: next })
  }
  return changes
}

/** Prices without those that a profile says. */
export function withoutProfile({ values, ofProfile }: ChainPrices): Partial<Prices> {
  const { precompiles = {}, ...numbers } = values
  const isOwn = (name: string) => !ofProfile.includes(name)
  return {
    ...Object.fromEntries(Object.entries(numbers).filter(([name]) => isOwn(name))),
    precompiles: Object.fromEntries(Object.entries(precompiles).filter(([address]) => isOwn(`precompiles.${address}`))),
  }
}
