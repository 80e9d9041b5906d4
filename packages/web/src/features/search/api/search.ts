import { useQuery } from '@tanstack/react-query'
import { isAnyAddress, isHash } from '../../../format/hash.ts'
import { queryClient } from '../../../lib/rpc/queryClient.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { type Named, namedQuery } from './names.ts'
import { rank } from './rank.ts'

const resultLimit = 100

export type Found =
  | { kind: 'block'; id: string }
  | { kind: 'transaction'; hash: string }
  | { kind: 'address'; address: string; name?: string }
  | Named

/** Everything that a text can refer to. */
export function useFound(text: string) {
  return useQuery({
    queryKey: ['head', 'search', text],
    queryFn: () => find(text.trim()),
    enabled: text.trim() !== '',
    staleTime: 0,
  })
}

async function find(text: string): Promise<Found[]> {
  if (isHash(text)) return findHash(text)
  if (isAnyAddress(text)) return [{ kind: 'address', address: text }]
  const number = text.replaceAll(/[,_ #]/g, '')
  if (/^\d+$/.test(number)) {
    const block = await rpc('eth_getBlockByNumber', `0x${BigInt(number).toString(16)}`, false)
    return block ? [{ kind: 'block', id: number }] : []
  }
  return rank(text, await queryClient.fetchQuery(namedQuery), resultLimit)
}

async function findHash(hash: string): Promise<Found[]> {
  const [transaction, block] = await Promise.all([
    rpc('eth_getTransactionByHash', hash),
    rpc('eth_getBlockByHash', hash, false),
  ])
  return [
    ...(transaction ? [{ kind: 'transaction' as const, hash }] : []),
    ...(block ? [{ kind: 'block' as const, id: hash }] : []),
  ]
}
