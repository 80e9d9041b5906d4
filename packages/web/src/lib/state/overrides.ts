import { useQuery } from '@tanstack/react-query'
import type { AbiFunction, Address } from 'viem'
import { type Result, rpc } from '../rpc/rpc.ts'

/** `functionAbi` is the JSON of one fragment; `inputParams` of `null` matches any arguments. */
export type FunctionOverride = Result<'dev_getFunctionOverrides'>[number]

export function useOverrides(contract?: Address) {
  return useQuery({
    queryKey: ['network', 'overrides', contract?.toLowerCase() ?? 'all'],
    queryFn: () => (contract ? rpc('dev_getFunctionOverridesByContract', contract) : rpc('dev_getFunctionOverrides')),
  })
}

export function functionOf({ functionAbi }: Pick<FunctionOverride, 'functionAbi'>): AbiFunction {
  return JSON.parse(functionAbi)
}
