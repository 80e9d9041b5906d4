import type { Address, Hex } from 'viem'
import { sameAddress } from '../../format/hash.ts'
import { useWorkspaceNames } from '../names/names.ts'
import type { SlotVariable } from './slotVariable.ts'
import { type StorageEntry, useStorage } from './storage.ts'

/** The variables in each slot of a contract, if a workspace has its storage layout. */
export function useSlotVariables(address: Address): ReadonlyMap<Hex, SlotVariable[]> {
  const { data: workspaces } = useWorkspaceNames()
  const workspace = workspaces?.find((one) => sameAddress(one.address, address))
  const { data: storage } = useStorage(workspace?.id)
  const variables = new Map<Hex, SlotVariable[]>()
  if (!storage?.layout) return variables
  const add = (entry: StorageEntry) => {
    if (entry.value !== null) variables.set(entry.slot, [...(variables.get(entry.slot) ?? []), entry])
    for (const part of entry.parts?.entries ?? []) add(part)
  }
  for (const entry of storage.entries) add(entry)
  return variables
}
