import type { Address, Hex } from 'viem'
import { sameAddress } from '../format/hash.ts'
import { useWorkspaceNames } from '../names/names.ts'
import { type StorageEntry, useStorage } from './storage.ts'

/** What a contract's storage layout calls its slots, where a workspace knows the layout; several names share a packed slot. */
export function useSlotNames(address: Address): ReadonlyMap<Hex, string> {
  const { data: workspaces } = useWorkspaceNames()
  const workspace = workspaces?.find((one) => sameAddress(one.address, address))
  const { data: storage } = useStorage(workspace?.id)
  const names = new Map<Hex, string>()
  if (!storage?.layout) return names
  const add = ({ slot, path, parts, value }: StorageEntry) => {
    const before = names.get(slot)
    if (value !== null) names.set(slot, before === undefined ? path : `${before}, ${path}`)
    for (const part of parts?.entries ?? []) add(part)
  }
  for (const entry of storage.entries) add(entry)
  return names
}
