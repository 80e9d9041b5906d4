import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useNetworkInfo } from '../chain/networkInfo.ts'
import { useToken } from '../contracts/token.ts'
import { rpc } from '../rpc/rpc.ts'
import { wellKnownNames } from './wellKnown.ts'

/** Every workspace with its name and address. */
export function useWorkspaceNames() {
  return useQuery({ queryKey: ['network', 'workspaces'], queryFn: () => rpc('dev_getWorkspaces') })
}

/** The names of the accounts, workspaces and well-known contracts. Keys are lowercase. */
function useGivenNames(): ReadonlyMap<string, string> {
  const { data: info } = useNetworkInfo()
  const { data: workspaces = [] } = useWorkspaceNames()
  const names = new Map<string, string>(Object.entries(wellKnownNames))
  for (const [index, account] of (info?.accounts ?? []).entries()) names.set(account.toLowerCase(), `Account ${index}`)
  for (const { address, name } of workspaces) if (address) names.set(address.toLowerCase(), name)
  return names
}

/** The name of an address: a workspace, a funded account, a well-known contract or a token. */
export function useName(address: Address): string | undefined {
  const given = useGivenNames().get(address.toLowerCase())
  const { data: token } = useToken(given === undefined ? address : undefined)
  return given ?? token?.name
}
