import { useSyncExternalStore } from 'react'
import { formatDateTime, formatWhen } from '../format/time.ts'

/** The time since or until a moment, kept up to date, with the date and time as a tooltip. */
export function Age({ at }: { at: number }) {
  // Rendered again only when its text changes: a page has hundreds.
  const text = useSyncExternalStore(eachSecond, () => formatWhen(at, now))
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={formatDateTime(at)}
      className="number whitespace-nowrap text-soft"
    >
      {text}
    </time>
  )
}

/** The current time in milliseconds, updated each second. */
export function useNow(): number {
  return useSyncExternalStore(eachSecond, () => now)
}

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function eachSecond(listener: () => void): () => void {
  if (timer === undefined) now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, 1000)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
