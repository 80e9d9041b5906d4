import { useQueries } from '@tanstack/react-query'
import { formatUnits } from 'viem'
import { readableAmount } from '../../../format/amount.ts'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { tokenQuery } from '../../../lib/contracts/token.ts'
import type { TrackedItem } from './tracked.ts'

/** The unit in which the values of an item are shown. They are recorded in the smallest unit. */
export type Unit = { symbol: string; decimals: number }

const plain: Unit = { symbol: '', decimals: 0 }

/** The unit of each item, in order. Tokens report theirs. */
export function useUnits(items: readonly TrackedItem[]): Unit[] {
  const currency = useNetworkInfo().data?.chain.currency.symbol ?? 'ETH'
  const tokens = useQueries({
    queries: items.map(({ address, type }) => ({ ...tokenQuery(address), enabled: type === 'erc20-balance' })),
  })
  return items.map(({ type }, index) => {
    if (type === 'native-token-balance') return { symbol: currency, decimals: 18 }
    const token = type === 'erc20-balance' ? tokens[index]?.data : undefined
    return token ? { symbol: token.symbol, decimals: token.decimals } : plain
  })
}

/** A recorded value as a number for a chart; `undefined` for text and lists. */
export function numberFrom(value: string, { decimals }: Unit): number | undefined {
  if (value === 'true') return 1
  if (value === 'false') return 0
  if (!/^(-?\d+|0x[0-9a-f]{1,64})$/i.test(value)) return undefined
  return Number(formatUnits(BigInt(value), decimals))
}

/** A recorded value for reading. */
export function readableValue(value: string, { symbol, decimals }: Unit): string {
  if (!/^-?\d+$/.test(value)) return value
  return `${readableAmount(BigInt(value), decimals)}${symbol && ` ${symbol}`}`
}
