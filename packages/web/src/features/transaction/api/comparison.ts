import { useQuery } from '@tanstack/react-query'
import { type Hex, numberToHex, type RpcTransaction } from 'viem'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type Comparison = Result<'dev_compareTransactions'>
export type ComparedStep = NonNullable<NonNullable<Comparison['parting']>['a']>

/**
 * Runs a transaction and what it is compared with: the same on the live chain (`live`), the same without function overrides
 * (`plain`), its call on the state of a block (a number), or the transaction with another hash.
 */
export function useComparison(hash: Hex, against: string) {
  return useQuery({
    queryKey: ['local', 'comparison', hash, against],
    queryFn: async () => rpc('dev_compareTransactions', hash, await otherRun(hash, against)),
    retry: false,
  })
}

export const isBlockNumber = (text: string) => /^\d{1,15}$/.test(text)

async function otherRun(hash: Hex, against: string) {
  if (against === 'live') return { transaction: hash, live: true }
  if (against === 'plain') return { transaction: hash, functionOverrides: false }
  if (!isBlockNumber(against)) return against as Hex
  const { from, to, input, value, gas } = await rpc<RpcTransaction>('eth_getTransactionByHash', hash)
  return { call: { from, ...(to && { to }), data: input, value, gas }, block: numberToHex(Number(against)) }
}
