import { useQuery } from '@tanstack/react-query'
import { type Abi, type Address, erc20Abi } from 'viem'
import { sameAddress } from '../format/hash.ts'
import { rpc } from '../rpc/rpc.ts'
import { loadToken } from './token.ts'

/** Where an ABI is from. */
export type KnownAbi = { abi: Abi; source: string }

/** The best ABI known for a contract; `null` when none is. */
export function useAbi(address: Address | null | undefined) {
  return useQuery({
    queryKey: ['network', 'abi', address?.toLowerCase()],
    queryFn: () => loadAbi(address as Address),
    enabled: Boolean(address),
  })
}

/** A workspace knows best, as it asks imports and explorers; else the contract is asked what it is. */
async function loadAbi(address: Address): Promise<KnownAbi | null> {
  const workspaces = await rpc('dev_getWorkspaces')
  const workspace = workspaces.find((one) => sameAddress(one.address, address))
  if (workspace) {
    const { contract } = await rpc('dev_getWorkspaceOverview', workspace.id)
    if (contract && contract.abi.length > 0)
      return { abi: contract.abi as unknown as Abi, source: contract.source ?? 'the workspace' }
  }
  return (await loadToken(address)) ? { abi: erc20Abi, source: 'it answers as an ERC-20 token' } : null
}
