import { type Address, type Fork, type PrecompilePrice, type Prices, pricesOf, requireRules } from '@understudy/evm'
import { areForkReadings } from './forkReadings.ts'
import { aroundPrecompile, measured } from './measures.ts'
import type { Readings } from './readings.ts'
import type { PriceName, Shown } from './shown.ts'

/** The prices that a chain has, of what it was seen to take. */
export type MeasuredPrices = {
  /** Those that are not the fork's. */
  prices: Partial<Prices>
  /** Names that nothing showed. */
  unknown: string[]
  /** What does not come out by any prices: the chain has no plain number for it. In words. */
  odd: string[]
}

/** Each round leaves fewer prices that hide behind others; a chain of them is shorter. */
const rounds = 24

type Precompile = { address: Address; small: number; large: number; smallWords: number; largeWords: number }

/**
 * Finds the prices by which the same code takes here what it took on the chain. `run` takes the measures here, by prices that are
 * not those of the fork. Each measure shows one price, if those that it also pays are right: each round mends what it can.
 */
export async function findPrices(
  answered: Readings,
  { fork, precompiles: moved = new Map() }: { fork: Fork; precompiles?: ReadonlyMap<Address, number> },
  run: (prices: Partial<Prices>) => Promise<Readings>,
): Promise<MeasuredPrices> {
  const own = pricesOf(fork)
  const live = withoutMissing(answered, fork, moved)
  if (areForkReadings(live, fork))
    return { prices: {}, unknown: unknownNames(own, (index) => live[index] !== undefined), odd: [] }
  let prices: Partial<Prices> = {}
  let here = await run(prices)
  const builtIn = here
  const known = (index: number) => live[index] !== undefined && here[index] !== undefined
  for (let round = 0; round < rounds; round++) {
    const next = mended(live, here, { ...own, ...prices })
    if (next === undefined) break
    const taken = await run(differing(next, own))
    const losesSome = live.some(
      (there, index) => there !== undefined && here[index] !== undefined && taken[index] === undefined,
    )
    // Prices that hide behind one another were all raised by the same, and what pays all of them ran out of gas.
    prices = differing(losesSome ? (mended(live, here, { ...own, ...prices }, 1) ?? next) : next, own)
    here = losesSome ? await run(prices) : taken
  }
  const precompiles = otherPrecompiles(live, builtIn, { ...own, ...prices }, own)
  if (Object.keys(precompiles).length > 0) {
    prices = { ...prices, precompiles: { ...own.precompiles, ...precompiles } }
    here = await run(prices)
  }
  const odd = measured.flatMap((shown, index) =>
    live[index] !== undefined && live[index] !== here[index] ? [nameOf(shown)] : [],
  )
  return { prices, unknown: unknownNames(own, known), odd: [...new Set(odd)] }
}

/** Readings without those of precompiles that do not run here, and of what the fork has not. */
export const withoutMissing = (
  readings: Readings,
  fork: Fork,
  moved: ReadonlyMap<Address, number> = new Map(),
): Readings =>
  readings.map((reading, index) => {
    const shown = measured[index] as Shown
    if ('precompile' in shown && !hasPrecompile(shown.precompile, fork, moved)) return undefined
    const { hasStateGas } = 'price' in shown ? shown : {}
    return hasStateGas !== undefined && hasStateGas !== requireRules(fork).stateGas ? undefined : reading
  })

/** Whether it runs here: elsewhere, an account without code would be measured. */
function hasPrecompile(address: Address, fork: Fork, moved: ReadonlyMap<Address, number>): boolean {
  const other = moved.get(address)
  if (other !== undefined) return other !== 0
  const { lastPrecompile, p256 } = requireRules(fork)
  const number = Number(address)
  return number === 0x100 ? p256 : number <= lastPrecompile
}

/** Names of prices that no measure reached. */
function unknownNames(own: Prices, known: (index: number) => boolean): string[] {
  const shown = new Set<string>()
  for (const [index, each] of measured.entries()) {
    if (!known(index) || !('price' in each)) continue
    shown.add(each.price)
    if (each.otherwise) shown.add(each.otherwise)
    if (each.also) shown.add(each.also[0])
  }
  return Object.keys(own).filter((name) => name !== 'precompiles' && !shown.has(name))
}

const nameOf = (shown: Shown): string =>
  'price' in shown ? shown.price : 'check' in shown ? shown.check : `precompile ${shown.precompile}`

/** The prices after one round, of which at most so many change; `undefined` where all measures agree, or none can say more. */
function mended(live: Readings, here: Readings, prices: Prices, limit = Number.POSITIVE_INFINITY): Prices | undefined {
  const next = { ...prices }
  const changed = new Set<PriceName>()
  const change = (name: PriceName, by: number) => {
    const price = Math.max(0, next[name] + by)
    if (price === next[name] || changed.has(name)) return
    changed.add(name)
    next[name] = price
  }
  const isShown = (name: PriceName) =>
    measured.some((each, index) => 'price' in each && each.price === name && live[index] !== undefined)
  for (const [index, shown] of measured.entries()) {
    const [there, own] = [live[index], here[index]]
    if (changed.size >= limit) break
    if (!('price' in shown) || there === undefined || own === undefined) continue
    const by = there - own
    const name = shown.otherwise && !isShown(shown.otherwise) ? shown.otherwise : shown.price
    if (!shown.also) {
      change(name, Math.round(by / shown.count))
      continue
    }
    // The rarer price is what is left of both, whatever was tried before.
    const [rarer, times] = shown.also
    const both = Math.max(0, by + shown.count * next[name] + times * next[rarer])
    const price = Math.floor(both / shown.count)
    const rest = Math.floor((both - price * shown.count) / times)
    change(name, price - next[name])
    change(rarer, rest - next[rarer])
  }
  return changed.size > 0 ? next : undefined
}

const differing = (prices: Prices, own: Prices): Partial<Prices> =>
  Object.fromEntries(Object.entries(prices).filter(([name, price]) => price !== own[name as keyof Prices]))

/** Those whose built-in price is no line over the words of their input. */
const curved: ReadonlySet<number> = new Set([0x05, 0x09, 0x0c, 0x0e])

function otherPrecompiles(
  live: Readings,
  builtIn: Readings,
  prices: Prices,
  own: Prices,
): Record<Address, PrecompilePrice> {
  const there = precompilesOf(live, aroundPrecompile(prices))
  const here = precompilesOf(builtIn, aroundPrecompile(own))
  const found: Record<Address, PrecompilePrice> = {}
  for (const [address, price] of there) {
    const before = here.get(address)
    if (!before || (before.small === price.small && before.large === price.large)) continue
    found[address] = priceOf(price, before)
  }
  return found
}

/** What each took with little input, and with more. */
function precompilesOf(readings: Readings, around: number): Map<Address, Precompile> {
  const found = new Map<Address, Precompile>()
  for (const [index, small] of measured.entries()) {
    const large = measured[index + 1]
    const [first, second] = [readings[index], readings[index + 1]]
    if (!('precompile' in small) || small.isLarge || !large || !('precompile' in large)) continue
    if (first === undefined || second === undefined) continue
    found.set(small.precompile, {
      address: small.precompile,
      small: first - around,
      large: second - around,
      smallWords: small.words,
      largeWords: large.words,
    })
  }
  return found
}

function priceOf(
  { address, small, large, smallWords, largeWords }: Precompile,
  before: Pick<Precompile, 'small' | 'large'>,
): PrecompilePrice {
  if (curved.has(Number(address)) && before.small !== before.large) {
    const exact = (large - small) / (before.large - before.small)
    const short = Math.round(exact * 1000) / 1000
    const withFactor = (factor: number) => ({
      base: Math.max(0, small - Math.floor(factor * before.small)),
      perWord: 0,
      factor,
    })
    // A price is rounded down: what has few digits is meant.
    return withFactor(short).base + Math.floor(short * before.large) === large ? withFactor(short) : withFactor(exact)
  }
  const perWord = smallWords === largeWords ? 0 : (large - small) / (largeWords - smallWords)
  return { base: Math.max(0, Math.round(small - perWord * smallWords)), perWord }
}
