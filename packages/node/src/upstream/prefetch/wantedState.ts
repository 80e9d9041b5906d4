import type { Address, Hex, ReadSet, StateView, Word } from '@understudy/evm'
import type { WantedState } from '../wantedState.ts'

/** The union of these keys. */
export function mergeWanted(all: readonly (WantedState | undefined)[]): WantedState {
  const accounts = new Set<Address>()
  const codes = new Set<Address>()
  const slots = new Map<string, readonly [Address, Word]>()
  const blockHashes = new Set<bigint>()
  const calls = new Map<string, readonly [Address, Hex]>()
  for (const wanted of all) {
    for (const address of wanted?.accounts ?? []) accounts.add(address)
    for (const address of wanted?.codes ?? []) codes.add(address)
    for (const key of wanted?.slots ?? []) slots.set(key[0] + key[1], key)
    for (const number of wanted?.blockHashes ?? []) blockHashes.add(number)
    for (const call of wanted?.calls ?? []) calls.set(call[0] + call[1], call)
  }
  return {
    accounts: [...accounts],
    codes: [...codes],
    slots: [...slots.values()],
    blockHashes: [...blockHashes],
    calls: [...calls.values()],
  }
}

export const isEmptyWanted = ({ accounts, codes, slots, blockHashes, calls = [] }: WantedState): boolean =>
  accounts.length + codes.length + slots.length + blockHashes.length + calls.length === 0

/** The keys that are not among `others`. */
export function withoutKeys(wanted: WantedState, others: WantedState): WantedState {
  const isOther = <Key>(keys: readonly Key[]) => {
    const known = new Set(keys)
    return (key: Key) => !known.has(key)
  }
  const isOtherSlot = isOther(others.slots.map(([address, slot]) => address + slot))
  const isOtherCall = isOther((others.calls ?? []).map(([address, input]) => address + input))
  return {
    accounts: wanted.accounts.filter(isOther(others.accounts)),
    codes: wanted.codes.filter(isOther(others.codes)),
    slots: wanted.slots.filter(([address, slot]) => isOtherSlot(address + slot)),
    blockHashes: wanted.blockHashes.filter(isOther(others.blockHashes)),
    calls: (wanted.calls ?? []).filter(([address, input]) => isOtherCall(address + input)),
  }
}

/** The keys that a view does not have. */
export function notLoaded(
  { accounts, codes, slots, blockHashes, calls = [] }: WantedState,
  view: Pick<StateView, 'account' | 'code' | 'storage' | 'blockHash' | 'liveAnswer'>,
): WantedState {
  const lacksCode = (address: Address) => {
    const account = view.account(address)
    return !account || !view.code(address, account.codeHash)
  }
  return {
    accounts: accounts.filter((address) => !view.account(address)),
    codes: codes.filter(lacksCode),
    slots: slots.filter(([address, slot]) => view.storage(address, slot) === undefined),
    blockHashes: blockHashes.filter((number) => view.blockHash(number) === undefined),
    calls: calls.filter(([address, input]) => view.liveAnswer?.(address, input) === undefined),
  }
}

/** Whether a view has all of these keys. */
export function isLoaded(
  { accounts, codes, slots, blockHashes, calls = [] }: WantedState,
  view: Parameters<typeof notLoaded>[1],
): boolean {
  if (codes.length + blockHashes.length + calls.length > 0)
    return isEmptyWanted(notLoaded({ accounts, codes, slots, blockHashes, calls }, view))
  for (const address of accounts) if (!view.account(address)) return false
  for (const key of slots) if (view.storage(key[0], key[1]) === undefined) return false
  return true
}

export function wantedFrom({ accounts, slots }: Pick<ReadSet, 'accounts' | 'slots'>): WantedState {
  const keys = [...slots].flatMap(([address, words]) => [...words].map((slot) => [address, slot] as const))
  return { accounts: [...accounts], codes: [], slots: keys, blockHashes: [] }
}

export const sizeOf = ({ accounts, slots }: WantedState) => accounts.length + slots.length
