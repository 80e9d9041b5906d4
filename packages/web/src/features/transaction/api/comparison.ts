import { useQuery } from '@tanstack/react-query'
import { type Hex, numberToHex, type RpcTransaction } from 'viem'
import type { ComparedRun } from '../../../lib/chain/comparison.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

/**
 * What a transaction is compared with: the same on the live chain (`live`), the same without function overrides (`plain`),
 * its call on the state of a block (a number), or the transaction with another hash.
 */
export function useOtherRun(hash: Hex, against: string) {
  return useQuery({
    queryKey: ['local', 'otherRun', hash, against],
    queryFn: () => otherRun(hash, against),
    retry: false,
  })
}

export const isBlockNumber = (text: string) => /^\d{1,15}$/.test(text)

async function otherRun(hash: Hex, against: string): Promise<ComparedRun> {
  if (against === 'live') return { transaction: hash, live: true }
  if (against === 'plain') return { transaction: hash, functionOverrides: false }
  if (!isBlockNumber(against)) return against as Hex
  const { from, to, input, value, gas } = await rpc<RpcTransaction>('eth_getTransactionByHash', hash)
  return { call: { from, ...(to && { to }), data: input, value, gas }, block: numberToHex(Number(against)) }
}
