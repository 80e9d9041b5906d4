import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useNetworkInfo } from '../chain/networkInfo.ts'
import { useToken } from '../contracts/token.ts'
import { type Result, rpc } from '../rpc/rpc.ts'
import { type Deployed, deployedAt, type GivenNames, givenNames } from './givenNames.ts'

const workspacesQuery = { queryKey: ['network', 'workspaces'], queryFn: () => rpc('dev_getWorkspaces') }
export const importsQuery = { queryKey: ['network', 'imports'], queryFn: () => rpc('dev_getImportedContracts') }

/** Every workspace with its name and address. */
export function useWorkspaceNames() {
  return useQuery(workspacesQuery)
}

const noWorkspaces: Result<'dev_getWorkspaces'> = []
const noImports: Result<'dev_getImportedContracts'> = []
const noAccounts: Address[] = []

function useGivenNames(): GivenNames {
  const { data: info } = useNetworkInfo()
  const { data: workspaces = noWorkspaces } = useWorkspaceNames()
  const { data: imports = noImports } = useQuery(importsQuery)
  return givenNames(info?.accounts ?? noAccounts, workspaces, imports)
}

/** The workspace of an address: its own, or that of the imported contract which is deployed there. */
export function useWorkspaceOf(address: Address | null | undefined): Deployed | undefined {
  const { data: workspaces = noWorkspaces } = useWorkspaceNames()
  const { data: imports = noImports } = useQuery(importsQuery)
  return address ? deployedAt(address, workspaces, imports) : undefined
}

/** Whether it is known which addresses have a workspace. */
export function useAreWorkspacesKnown(): boolean {
  const workspaces = useWorkspaceNames()
  const imports = useQuery(importsQuery)
  return !workspaces.isPending && !imports.isPending
}

/** The name of an address: a workspace, a funded account, a well-known contract, a token or an imported contract. */
export function useName(address: Address): string | undefined {
  const { own, shared } = useGivenNames()
  const key = address.toLowerCase()
  const given = own.get(key)
  const { data: token } = useToken(given === undefined ? address : undefined)
  return given ?? token?.name ?? shared.get(key)
}

/** Every named address with its name. */
export function useAddressBook(): [address: string, name: string][] {
  const { own, shared } = useGivenNames()
  return [...own, ...shared]
}
