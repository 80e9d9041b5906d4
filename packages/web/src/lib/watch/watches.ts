import { useSyncExternalStore } from 'react'
import type { Address } from 'viem'
import { isAnyAddress } from '../../format/hash.ts'
import { networkPath } from '../../location/networkUrl.ts'

/** What this browser is notified of. */
export type Watches = {
  /** Lowercase. */
  accounts: readonly Address[]
  /** Tracked items. */
  items: readonly { id: string; name: string }[]
  /** Whether the network stops responding. */
  outages: boolean
  /** Whether the system shows notifications while the page is not visible. */
  system: boolean
}

/** Accounts and items that can be watched, at most. */
export const watchLimit = 50

const none: Watches = { accounts: [], items: [], outages: false, system: false }

/** What was stored. Anything that is not a watch is left out. */
export function readWatches(text: string | null): Watches {
  const { accounts, items, outages, system } = fieldsOf(parsed(text))
  return {
    accounts: listOf(accounts).flatMap((one) =>
      typeof one === 'string' && isAnyAddress(one) ? [one.toLowerCase() as Address] : [],
    ),
    items: listOf(items).flatMap((item) => {
      const { id, name } = fieldsOf(item)
      return typeof id === 'string' && typeof name === 'string' ? [{ id, name }] : []
    }),
    outages: outages === true,
    system: system === true,
  }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const fieldsOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, watchLimit) : [])

const storedName = `understudy.watches${networkPath}`
const listeners = new Set<() => void>()
let last: { text: string | null; watches: Watches } = { text: null, watches: none }

export const watchStore = {
  get(): Watches {
    const text = localStorage.getItem(storedName)
    if (text !== last.text) last = { text, watches: readWatches(text) }
    return last.watches
  },
  change(part: Partial<Watches>): void {
    localStorage.setItem(storedName, JSON.stringify({ ...watchStore.get(), ...part }))
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export const useWatches = (): Watches => useSyncExternalStore(watchStore.subscribe, watchStore.get)

/** Whether an account is watched, and a function that changes that; it does nothing once so many are. */
export function useWatchAccount(address: Address): [isWatched: boolean, toggle: () => void] {
  const { accounts } = useWatches()
  const key = address.toLowerCase() as Address
  const isWatched = accounts.includes(key)
  return [isWatched, () => watchStore.change({ accounts: toggled(accounts, key, isWatched) })]
}

/** The same of a tracked item. */
export function useWatchItem({ id, name }: { id: string; name: string }): [isWatched: boolean, toggle: () => void] {
  const { items } = useWatches()
  const found = items.find((item) => item.id === id)
  return [
    found !== undefined,
    () => watchStore.change({ items: toggled(items, found ?? { id, name }, Boolean(found)) }),
  ]
}

const toggled = <T>(list: readonly T[], one: T, isIn: boolean): readonly T[] =>
  isIn ? list.filter((other) => other !== one) : [...list, one].slice(0, watchLimit)
