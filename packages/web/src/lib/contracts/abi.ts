import { useQuery } from '@tanstack/react-query'
import { type Abi, type Address, erc20Abi } from 'viem'
import { sameAddress } from '../../format/hash.ts'
import { useWorkspaceNames } from '../names/names.ts'
import { rpc } from '../rpc/rpc.ts'
import { loadToken, useToken } from './token.ts'

/** An ABI and its origin. */
export type KnownAbi = { abi: Abi; source: string }

/** The ABI of a contract, also from explorers; `null` when it is unknown. */
export function useAbi(address: Address | null | undefined) {
  return useQuery({
    queryKey: ['network', 'abi', address?.toLowerCase()],
    queryFn: () => loadAbi(address as Address),
    enabled: Boolean(address),
  })
}

async function loadAbi(address: Address): Promise<KnownAbi | null> {
  const { abi, source } = await rpc('dev_getContractAbi', address)
  if (abi.length > 0) return { abi: abi as unknown as Abi, source: source ?? 'workspace' }
  return (await loadToken(address)) ? { abi: erc20Abi, source: 'detected as ERC-20' } : null
}

/** The ABI of a contract in a list, from its workspace or as a token. Does not ask explorers. */
export function useFamiliarAbi(address: Address | null | undefined): Abi | undefined {
  const { data: workspaces } = useWorkspaceNames()
  const isWorkspace = workspaces?.some((one) => sameAddress(one.address, address)) ?? false
  const { data: known } = useAbi(isWorkspace ? address : undefined)
  const { data: token } = useToken(isWorkspace || !address ? undefined : address)
  return known?.abi ?? (token ? erc20Abi : undefined)
}
