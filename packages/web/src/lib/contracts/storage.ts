import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { type Result, rpc } from '../rpc/rpc.ts'

type Answer = Result<'dev_getWorkspaceStorage'>

/** A variable; `offset` counts bytes from the low end of the slot, and its parts are entries too. */
export type StorageEntry = Omit<Answer['entries'][number], 'parts'> & {
  parts: { entries: StorageEntry[]; next: string | null } | null
}
export type Storage = Omit<Answer, 'entry' | 'entries'> & { entry: StorageEntry | null; entries: StorageEntry[] }

/** All variables of a contract, or the one at a path; of its latest deployment, or of the one at `address`. */
export function useStorage(id: string | undefined, path?: string, address?: Address) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'storage', path, address],
    enabled: id !== undefined,
    queryFn: () => rpc('dev_getWorkspaceStorage', id ?? '', { limit: 200, path, address }) as Promise<Storage>,
    placeholderData: (before: Storage | undefined) => before,
  })
}
