import type { Address, PrecompilePrice } from '@understudy/evm'
import { addressFromNumber } from '../../../shared/hex.ts'
import type { Header } from '../../header.ts'
import type { ProfilePrices, TabledPrices } from './chainPrices.ts'

/** What is known of the prices of chains before they are asked. It stands in for what cannot be measured. */
export type PriceRow = {
  chainIds: readonly number[]
  /** The first block, or the first second. */
  since: { block: bigint } | { time: bigint }
  prices?: ProfilePrices
  /** What no plain numbers say, in words. */
  odd?: readonly string[]
  source: string
}

const precompiles = (rows: readonly (readonly [number, PrecompilePrice])[]): Record<Address, PrecompilePrice> =>
  Object.fromEntries(rows.map(([number, price]) => [addressFromNumber(number), price]))
const fixed = (number: number, base: number) => [number, { base, perWord: 0 }] as const
/** So many times what Ethereum charges. */
const times = (number: number, factor: number) => [number, { base: 0, perWord: 0, factor }] as const

const polygon: Pick<PriceRow, 'prices' | 'source'> = {
  prices: {
    coldSload: 5460,
    coldSstore: 2940,
    sstoreReset: 2060,
    refundClear: 3960,
    precompiles: precompiles([
      fixed(0x06, 540),
      fixed(0x07, 12_600),
      [0x08, { base: 67_500, perWord: 51_000 / 6 }],
      times(0x09, 22),
      fixed(0x0b, 1050),
      times(0x0c, 6.1),
      fixed(0x0d, 1620),
      times(0x0e, 6.4),
      [0x0f, { base: 109_330, perWord: 94_540 / 12 }],
      fixed(0x10, 15_400),
      fixed(0x11, 66_640),
    ]),
  },
  source: 'PIP-88 (Chicago)',
}

export const priceRows: readonly PriceRow[] = [
  { chainIds: [137], since: { block: 87_218_600n }, ...polygon },
  { chainIds: [80_002], since: { block: 38_358_000n }, ...polygon },
  {
    chainIds: [143],
    since: { time: 0n },
    prices: {
      coldSload: 8100,
      coldSstore: 8100,
      coldAccount: 10_100,
      precompiles: precompiles([
        fixed(0x01, 6000),
        fixed(0x06, 300),
        fixed(0x07, 30_000),
        [0x08, { base: 225_000, perWord: 170_000 / 6 }],
        times(0x09, 2),
        fixed(0x0a, 200_000),
      ]),
    },
    source: 'docs.monad.xyz, opcode pricing',
  },
  {
    chainIds: [143],
    since: { time: 1_773_930_600n },
    odd: ['memory costs half a word, without the square (MIP-3)'],
    source: 'MIP-3 (MONAD_NINE)',
  },
  {
    chainIds: [143],
    since: { time: 1_788_359_400n },
    prices: { sstoreSet: 19_900, sstoreReset: 2900 },
    odd: ['128 slots share the price of their first access and of their first write (MIP-8)'],
    source: 'MIP-8 (MONAD_TEN)',
  },
  {
    chainIds: [4217],
    since: { time: 0n },
    prices: { sstoreSet: 250_000, newAccount: 250_000, create: 500_000, codeByte: 1000 },
    odd: ['the first transaction of an account costs 250000 more, and fees are paid in tokens (TIP-1000)'],
    source: 'TIP-1000',
  },
  {
    chainIds: [4326],
    since: { time: 0n },
    prices: { transaction: 60_000 },
    odd: [
      'there are two kinds of gas, for computing and for storage, and the second depends on how full the state is (SALT)',
    ],
    source: 'docs.megaeth.com, mega-evm',
  },
]

/** What is known of the prices of a chain at a block, before it is asked. */
export function tabledPrices(
  chainId: bigint,
  { number, timestamp }: Pick<Header, 'number' | 'timestamp'>,
): TabledPrices {
  const rows = priceRows.filter(({ chainIds, since }) => {
    if (!chainIds.includes(Number(chainId))) return false
    return 'block' in since ? number >= since.block : timestamp >= since.time
  })
  return {
    prices: Object.assign({}, ...rows.map(({ prices }) => prices)),
    odd: rows.flatMap(({ odd }) => odd ?? []),
  }
}
