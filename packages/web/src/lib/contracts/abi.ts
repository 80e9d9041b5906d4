import { useQuery } from '@tanstack/react-query'
import { type Abi, type Address, erc20Abi } from 'viem'
import { sameAddress } from '../format/hash.ts'
import { rpc, rpcIfKnown } from '../rpc/rpc.ts'
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

type Overview = { contract: { abi: Abi; source: string | null } | null }

/** A workspace knows best, as it asks imports and explorers; else the contract is asked what it is. */
async function loadAbi(address: Address): Promise<KnownAbi | null> {
  const workspaces = await rpcIfKnown<{ id: string; address: Address | null }[]>('dev_getWorkspaces')
  const workspace = workspaces?.find((one) => sameAddress(one.address, address))
  if (workspace) {
    const { contract } = await rpc<Overview>('dev_getWorkspaceOverview', workspace.id)
    if (contract && contract.abi.length > 0) return { abi: contract.abi, source: contract.source ?? 'the workspace' }
  }
  return (await loadToken(address)) ? { abi: erc20Abi, source: 'it answers as an ERC-20 token' } : null
}
