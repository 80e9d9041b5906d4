import { useSyncExternalStore } from 'react'
import type { Address } from 'viem'
import { networkPath } from '../../location/networkUrl.ts'
import { noWatches, readWatches, type Watches, watchLimit } from './readWatches.ts'

const storedName = `understudy.watches${networkPath}`
const listeners = new Set<() => void>()
let last: { text: string | null; watches: Watches } = { text: null, watches: noWatches }

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
