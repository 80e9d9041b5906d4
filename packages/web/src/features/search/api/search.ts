import { useQuery } from '@tanstack/react-query'
import { isAnyAddress, isHash } from '../../../format/hash.ts'
import { wellKnownNames } from '../../../lib/names/wellKnown.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

export type Found =
  | { kind: 'block'; id: string }
  | { kind: 'transaction'; hash: string }
  | { kind: 'address'; address: string; name?: string }
  | { kind: 'workspace'; id: string; name: string; address?: string }
  | { kind: 'tracked'; id: string; name: string; address: string }

/** Everything that a text can refer to. */
export function useFound(text: string) {
  return useQuery({
    queryKey: ['head', 'search', text],
    queryFn: () => find(text.trim()),
    enabled: text.trim() !== '',
    staleTime: 0,
  })
}

async function find(text: string): Promise<Found[]> {
  if (isHash(text)) return findHash(text)
  if (isAnyAddress(text)) return [{ kind: 'address', address: text }]
  const number = text.replaceAll(/[,_ #]/g, '')
  if (/^\d+$/.test(number)) {
    const block = await rpc('eth_getBlockByNumber', `0x${BigInt(number).toString(16)}`, false)
    return block ? [{ kind: 'block', id: number }] : []
  }
  return findName(text.toLowerCase())
}

async function findHash(hash: string): Promise<Found[]> {
  const [transaction, block] = await Promise.all([
    rpc('eth_getTransactionByHash', hash),
    rpc('eth_getBlockByHash', hash, false),
  ])
  return [
    ...(transaction ? [{ kind: 'transaction' as const, hash }] : []),
    ...(block ? [{ kind: 'block' as const, id: hash }] : []),
  ]
}

async function findName(name: string): Promise<Found[]> {
  const [workspaces, imported, tracked, accounts] = await Promise.all([
    rpc('dev_getWorkspaces'),
    rpc('dev_getImportedContracts'),
    rpc('dev_getTrackedData'),
    rpc<string[]>('eth_accounts'),
  ])
  const matches = (text: string) => text.toLowerCase().includes(name)
  const named: Found[] = [
    ...accounts.map((address, index) => ({ kind: 'address' as const, address, name: `Account ${index}` })),
    ...Object.entries(wellKnownNames).map(([address, known]) => ({ kind: 'address' as const, address, name: known })),
  ].filter((found) => matches(found.name))
  return [
    ...workspaces
      .filter((one) => matches(one.name))
      .map(({ id, name: given, address }) => ({
        kind: 'workspace' as const,
        id,
        name: given,
        address: address ?? undefined,
      })),
    // Deployed ones are among the workspaces.
    ...imported
      .filter((one) => one.deployments.length === 0 && matches(one.name))
      .map((one) => ({ kind: 'workspace' as const, id: one.projectContractId, name: one.name })),
    ...tracked
      .filter((one) => matches(one.name))
      .map(({ id, name: given, address }) => ({ kind: 'tracked' as const, id, name: given, address })),
    ...named,
  ]
}
