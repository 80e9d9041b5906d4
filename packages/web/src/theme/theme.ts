import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const name = 'understudy.theme'
const listeners = new Set<() => void>()
const dark = window.matchMedia('(prefers-color-scheme: dark)')

export const themeStore = {
  get(): Theme {
    const stored = localStorage.getItem(name)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  },
  set(theme: Theme): void {
    if (theme === 'system') {
      localStorage.removeItem(name)
      delete document.documentElement.dataset.theme
    } else {
      localStorage.setItem(name, theme)
      document.documentElement.dataset.theme = theme
    }
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    dark.addEventListener('change', listener)
    return () => {
      listeners.delete(listener)
      dark.removeEventListener('change', listener)
    }
  },
}

/** The selected theme. */
export function useTheme(): Theme {
  return useSyncExternalStore(themeStore.subscribe, themeStore.get)
}

/** Whether the page is dark now. Canvases cannot use style sheets. */
export function useIsDark(): boolean {
  return useSyncExternalStore(themeStore.subscribe, () => {
    const theme = themeStore.get()
    return theme === 'dark' || (theme === 'system' && dark.matches)
  })
}
