import type { Address, ReadSet, Word } from '@understudy/evm'
import type { WantedState } from '../wantedState.ts'

/** Everything that any of these want, each key once. */
export function mergeWanted(all: readonly (WantedState | undefined)[]): WantedState {
  const accounts = new Set<Address>()
  const codes = new Set<Address>()
  const slots = new Map<string, readonly [Address, Word]>()
  const blockHashes = new Set<bigint>()
  for (const wanted of all) {
    for (const address of wanted?.accounts ?? []) accounts.add(address)
    for (const address of wanted?.codes ?? []) codes.add(address)
    for (const key of wanted?.slots ?? []) slots.set(key[0] + key[1], key)
    for (const number of wanted?.blockHashes ?? []) blockHashes.add(number)
  }
  return { accounts: [...accounts], codes: [...codes], slots: [...slots.values()], blockHashes: [...blockHashes] }
}

export function wantedFrom({ accounts, slots }: Pick<ReadSet, 'accounts' | 'slots'>): WantedState {
  const keys = [...slots].flatMap(([address, words]) => [...words].map((slot) => [address, slot] as const))
  return { accounts: [...accounts], codes: [], slots: keys, blockHashes: [] }
}

export const sizeOf = ({ accounts, slots }: WantedState) => accounts.length + slots.length
