import { useQuery } from '@tanstack/react-query'
import type { AbiFunction, Address } from 'viem'
import { rpc } from '../rpc/rpc.ts'

/** As the network keeps it. `functionAbi` is the JSON of one fragment. */
export type FunctionOverride = {
  id: string
  contractAddress: Address
  functionAbi: string
  /** `null` matches any input. */
  inputParams: string[] | null
  returnValues: string[]
  enabled: boolean
  createdAt: string
}

export function useOverrides(contract?: Address) {
  return useQuery({
    queryKey: ['network', 'overrides', contract?.toLowerCase() ?? 'all'],
    queryFn: () =>
      contract
        ? rpc<FunctionOverride[]>('dev_getFunctionOverridesByContract', contract)
        : rpc<FunctionOverride[]>('dev_getFunctionOverrides'),
  })
}

export function functionOf({ functionAbi }: Pick<FunctionOverride, 'functionAbi'>): AbiFunction {
  return JSON.parse(functionAbi)
}
