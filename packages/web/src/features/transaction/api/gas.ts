import { useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type GasProfile = Result<'dev_getGasProfile'>
export type LineGas = GasProfile['lines'][number]
export type CallGas = GasProfile['calls'][number]

/** A line of a contract's source, or a contract of which the lines are not known. */
export type GasLocation = Pick<LineGas, 'address' | 'contract' | 'file' | 'line' | 'function'>

/** Where the gas of a sealed transaction went. */
export function useGasProfile(hash: Hex) {
  return useQuery({
    queryKey: ['fixed', 'gasProfile', hash],
    queryFn: () => rpc('dev_getGasProfile', hash),
  })
}

/** How the gas of two transactions differs. */
export function useGasComparison(hash: Hex, other: Hex) {
  return useQuery({
    queryKey: ['fixed', 'gasComparison', hash, other],
    queryFn: () => rpc('dev_compareGas', hash, other),
  })
}
