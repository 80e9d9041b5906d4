import { useEffect, useState } from 'react'
import { formatAge, formatDateTime } from '../format/time.ts'

/** The time since a moment, kept up to date, with the date and time as a tooltip. */
export function Age({ at }: { at: number }) {
  const now = useNow()
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={formatDateTime(at)}
      className="number whitespace-nowrap text-soft"
    >
      {formatAge(at, now)} ago
    </time>
  )
}

/** The current time in milliseconds, updated each second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
