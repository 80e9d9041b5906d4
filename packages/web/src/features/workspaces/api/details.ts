import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { rpc } from '../../../lib/rpc/rpc.ts'

export type Asset = {
  token: Address
  kind: 'erc20' | 'erc721' | 'erc1155'
  name: string | null
  symbol: string | null
  decimals: number | null
  balance: string | null
  items: { tokenId: string; amount: string }[]
}

export function useAssets(id: string) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'assets'],
    queryFn: () => rpc<{ ether: string; items: Asset[] }>('dev_getWorkspaceAssets', id, { limit: 200 }),
  })
}

export type MethodStatistics = {
  selector: Hex | null
  name: string | null
  signature: string | null
  stateMutability: string | null
  calls: number
  reverts: number
  gas: { p50: string; p95: string; max: string } | null
  lastBlock: number | null
  overridden: boolean
}

export function useMethods(id: string) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'methods'],
    queryFn: () => rpc<MethodStatistics[]>('dev_getWorkspaceMethods', id),
  })
}

export type History = {
  versions: {
    id: string
    number: number
    createdAt: string
    sourcePath: string | null
    hasBytecode: boolean
    hasStorageLayout: boolean
    added: string[]
    removed: string[]
  }[]
  deployments: { id: string; versionId: string; address: Address; blockNumber: number | null; createdAt: string }[]
}

export function useHistory(id: string) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'history'],
    queryFn: () => rpc<History>('dev_getWorkspaceHistory', id, { limit: 200 }),
  })
}

export type StorageEntry = {
  path: string
  name: string
  type: string
  slot: Hex
  /** Bytes from the low end of the slot. */
  offset: number
  bytes: number
  value: string | null
  origin: 'upstream' | 'local' | 'followed'
  upstreamValue: string | null
  length: string | null
  parts: { entries: StorageEntry[]; next: string | null } | null
}

export type Storage = { layout: { contract: string } | null; entry: StorageEntry | null; entries: StorageEntry[] }

/** All variables of a contract, or the one at a path. */
export function useStorage(id: string, path?: string) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'storage', path],
    queryFn: () => rpc<Storage>('dev_getWorkspaceStorage', id, { limit: 200, ...(path && { path }) }),
    placeholderData: (before: Storage | undefined) => before,
  })
}
