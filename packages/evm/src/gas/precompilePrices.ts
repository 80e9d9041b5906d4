import type { Address, BlockContext } from '../port.ts'
import type { PrecompilePrice, Prices } from './prices.ts'

const identityAddress: Address = `0x${'00'.repeat(19)}04`
const identityBase = 15
const identityWord = 3

/** What a precompile costs, at least nothing. `builtIn` is what it costs where a chain has no other price. */
export function priceOf(price: PrecompilePrice, length: number, builtIn: bigint): bigint {
  const { base, perWord, perByte = 0, factor = 0 } = price
  const linear = BigInt(Math.max(0, Math.round(base + perWord * Math.ceil(length / 32) + perByte * length)))
  return factor === 0 ? linear : linear + BigInt(Math.floor(Number(builtIn) * factor))
}

/** The price of the identity, which the engine itself has: in whole numbers. */
export function identityPrice({ precompiles }: Prices): Required<Omit<PrecompilePrice, 'factor'>> {
  const { base, perWord, perByte = 0, factor = 0 } = precompiles[identityAddress] ?? { base: 0, perWord: 0, factor: 1 }
  return {
    base: Math.max(0, Math.round(base + factor * identityBase)),
    perWord: Math.round(perWord + factor * identityWord),
    perByte: Math.round(perByte),
  }
}

/** The prices of a block by the numbers of precompiles, which are elsewhere on some chains. */
export function pricesByNumber(
  { precompiles, chainPrecompiles = precompiles }: Pick<BlockContext, 'precompiles' | 'chainPrecompiles'>,
  prices: Prices,
): ReadonlyMap<number, PrecompilePrice> {
  const entries = Object.entries(prices.precompiles) as [Address, PrecompilePrice][]
  return new Map(entries.map(([address, price]) => [chainPrecompiles?.get(address) ?? Number(address), price]))
}
