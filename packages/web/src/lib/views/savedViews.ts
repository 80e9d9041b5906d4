import { useSyncExternalStore } from 'react'

/** The search parameters of a page under a name. */
export type SavedView = { name: string; search: Readonly<Record<string, string>> }

/** Views of a page that this browser keeps, at most. */
export const viewLimit = 30
export const viewNameLimit = 60

/** What was stored. Anything that is not a view is left out. */
export function readViews(text: string | null): SavedView[] {
  const list = parsed(text)
  if (!Array.isArray(list)) return []
  return list.slice(0, viewLimit).flatMap((one) => {
    const { name, search } = (one ?? {}) as { name?: unknown; search?: unknown }
    if (typeof name !== 'string' || typeof search !== 'object' || search === null) return []
    const entries = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return [{ name: name.slice(0, viewNameLimit), search: Object.fromEntries(entries) }]
  })
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const storedName = (page: string) => `understudy.views.${page}`
const listeners = new Set<() => void>()
const cache = new Map<string, { text: string | null; views: readonly SavedView[] }>()

function get(page: string): readonly SavedView[] {
  const text = localStorage.getItem(storedName(page))
  const before = cache.get(page)
  if (before && before.text === text) return before.views
  const views = readViews(text)
  cache.set(page, { text, views })
  return views
}

function set(page: string, views: readonly SavedView[]): void {
  localStorage.setItem(storedName(page), JSON.stringify(views))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The saved views of a page, and what changes them. A view that is saved under a name that exists replaces that one. */
export function useSavedViews(page: string) {
  const views = useSyncExternalStore(subscribe, () => get(page))
  const without = (name: string) => views.filter((view) => view.name !== name)
  return {
    views,
    save: (view: SavedView) => set(page, [...without(view.name), view].slice(-viewLimit)),
    remove: (name: string) => set(page, without(name)),
  }
}
