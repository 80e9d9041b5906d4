import type { Address, Hex } from 'viem'
import { useWorkspaceOf } from '../names/names.ts'
import type { SlotVariable } from './slotVariable.ts'
import { type StorageEntry, useStorage } from './storage.ts'

type Variables = ReadonlyMap<Hex, SlotVariable[]>
type Storage = NonNullable<ReturnType<typeof useStorage>['data']>

const unknown: Variables = new Map()
/** Made once for each answer: a trace asks for every write in it. */
const known = new WeakMap<Storage, Variables>()

/** The variables in each slot of a contract, if a workspace has its storage layout. */
export function useSlotVariables(address: Address): Variables {
  const workspace = useWorkspaceOf(address)
  const { data: storage } = useStorage(workspace?.id, undefined, address)
  if (!storage?.layout) return unknown
  const variables = known.get(storage) ?? variablesOf(storage)
  known.set(storage, variables)
  return variables
}

function variablesOf(storage: Storage): Variables {
  const variables = new Map<Hex, SlotVariable[]>()
  const add = (entry: StorageEntry) => {
    if (entry.value !== null) variables.set(entry.slot, [...(variables.get(entry.slot) ?? []), entry])
    for (const part of entry.parts?.entries ?? []) add(part)
  }
  for (const entry of storage.entries) add(entry)
  return variables
}
