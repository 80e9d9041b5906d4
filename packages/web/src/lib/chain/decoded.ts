import { useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { type Result, rpc } from '../rpc/rpc.ts'

/** What a transaction did, with the names that imports, workspaces and explorers give. */
export type DecodedTransaction = Result<'dev_decodeTransaction'>

export function useDecoded(hash: Hex) {
  return useQuery({
    queryKey: ['head', 'decoded', hash],
    queryFn: () => rpc('dev_decodeTransaction', hash),
  })
}
