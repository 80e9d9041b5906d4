import { useQuery } from '@tanstack/react-query'
import type { DecodedTransaction } from '@understudy/client'
import type { Hex } from 'viem'
import { rpc } from '../rpc/rpc.ts'

export type Decoded = DecodedTransaction

/** A decoded transaction, with names from imports, workspaces and explorers. */
export function useDecoded(hash: Hex) {
  return useQuery({
    queryKey: ['head', 'decoded', hash],
    queryFn: () => rpc('dev_decodeTransaction', hash),
  })
}
