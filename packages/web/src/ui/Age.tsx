import { useEffect, useState } from 'react'
import { formatAge, formatDateTime } from '../lib/format/time.ts'

/** How long ago something was, kept up to date; the moment itself on hover. */
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

/** The time, in milliseconds, that moves on each second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
