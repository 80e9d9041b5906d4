import { useSyncExternalStore } from 'react'

/** Set once the tour was ended: it starts by itself on the first visit alone. */
const name = 'understudy.tour'
const listeners = new Set<() => void>()
let isOpen = localStorage.getItem(name) === null
let wasAsked = false

function set(open: boolean): void {
  isOpen = open
  for (const listener of listeners) listener()
}

export const tour = {
  /** Whether a person asked for it, who then has the focus moved there. */
  wasAsked: () => wasAsked,
  start(): void {
    wasAsked = true
    set(true)
  },
  end(): void {
    localStorage.setItem(name, 'ended')
    set(false)
  },
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useIsTourOpen(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen)
}
