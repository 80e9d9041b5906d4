import type { Address, Hex } from 'viem'
import { useWorkspaceOf } from '../names/names.ts'
import type { SlotVariable } from './slotVariable.ts'
import { type StorageEntry, useStorage } from './storage.ts'

/** The variables in each slot of a contract, if a workspace has its storage layout. */
export function useSlotVariables(address: Address): ReadonlyMap<Hex, SlotVariable[]> {
  const workspace = useWorkspaceOf(address)
  const { data: storage } = useStorage(workspace?.id, undefined, address)
  const variables = new Map<Hex, SlotVariable[]>()
  if (!storage?.layout) return variables
  const add = (entry: StorageEntry) => {
    if (entry.value !== null) variables.set(entry.slot, [...(variables.get(entry.slot) ?? []), entry])
    for (const part of entry.parts?.entries ?? []) add(part)
  }
  for (const entry of storage.entries) add(entry)
  return variables
}
