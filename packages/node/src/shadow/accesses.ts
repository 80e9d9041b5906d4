import type { Address, Done, StateDiff, Word } from '@understudy/evm'
import type { Prestate } from '../fidelity/liveBlock.ts'
import { wordOf } from '../upstream/changes/accessLists.ts'

/** Keys of a state: accounts, and slots of accounts. */
export type Keys = { accounts: Set<Address>; slots: Map<Address, Set<Word>> }

export const noKeys = (): Keys => ({ accounts: new Set(), slots: new Map() })

/** What a transaction found, by the prestate tracer. */
export function keysOfPrestate(prestate: Prestate): Keys {
  const keys = noKeys()
  for (const [address, { storage = {} }] of Object.entries(prestate) as [Address, Prestate[Address]][]) {
    keys.accounts.add(address)
    const slots = Object.keys(storage).map((key) => wordOf(key as Word))
    if (slots.length > 0) keys.slots.set(address, new Set(slots))
  }
  return keys
}

export const keysOfRun = ({ readSet: { accounts, slots } }: Done): Keys => ({ accounts, slots })

export function keysOfDiff(diff: StateDiff): Keys {
  const keys = noKeys()
  addDiffKeys(keys, diff)
  return keys
}

export function addDiffKeys(keys: Keys, { accounts, cleared, slots }: StateDiff): void {
  for (const address of accounts.keys()) keys.accounts.add(address)
  for (const address of cleared) keys.accounts.add(address)
  for (const [address, values] of slots) for (const slot of values.keys()) addSlot(keys, address, slot)
}

export function addSlot({ slots }: Keys, address: Address, slot: Word): void {
  const known = slots.get(address)
  if (known) known.add(slot)
  else slots.set(address, new Set([slot]))
}

/** Keys as a view loads them. */
export const wantedOf = ({ accounts, slots }: Keys) => ({
  accounts: [...accounts],
  codes: [],
  slots: [...slots].flatMap(([address, words]) => [...words].map((slot): [Address, Word] => [address, slot])),
  blockHashes: [],
})
