import { useQuery } from '@tanstack/react-query'
import { type Abi, type Address, erc20Abi } from 'viem'
import { sameAddress } from '../../format/hash.ts'
import { importsQuery, useWorkspaceOf } from '../names/names.ts'
import { queryClient } from '../rpc/queryClient.ts'
import { type Result, rpc } from '../rpc/rpc.ts'
import { loadToken, useToken } from './token.ts'

/** An ABI, its origin, and the name of the contract there. */
export type KnownAbi = { abi: Abi; source: string; name: string | undefined }

/** The ABI of a contract, also from explorers; `null` when it is unknown. */
export function useAbi(address: Address | null | undefined) {
  return useQuery({
    queryKey: ['network', 'abi', address?.toLowerCase()],
    queryFn: () => loadAbi(address as Address),
    enabled: Boolean(address),
  })
}

export async function loadAbi(address: Address): Promise<KnownAbi | null> {
  const { abi, source, name } = await rpc('dev_getContractAbi', address)
  // The network recognises contracts of the live chain when they are first looked at.
  if (source === 'import' && !isKnownDeployment(address)) void queryClient.invalidateQueries(importsQuery)
  if (abi.length > 0) return { abi: abi as unknown as Abi, source: source ?? 'workspace', name: name ?? undefined }
  return (await loadToken(address)) ? { abi: erc20Abi, source: 'detected as ERC-20', name: undefined } : null
}

function isKnownDeployment(address: Address): boolean {
  const imports = queryClient.getQueryData<Result<'dev_getImportedContracts'>>(importsQuery.queryKey) ?? []
  return imports.some(({ deployments }) => deployments.some((one) => sameAddress(one.address, address)))
}

/** The ABI of a contract in a list, from its workspace or as a token. Does not ask explorers. */
export function useFamiliarAbi(address: Address | null | undefined): Abi | undefined {
  const isWorkspace = useWorkspaceOf(address) !== undefined
  const { data: known } = useAbi(isWorkspace ? address : undefined)
  const { data: token } = useToken(isWorkspace || !address ? undefined : address)
  return known?.abi ?? (token ? erc20Abi : undefined)
}
