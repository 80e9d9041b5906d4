import type { ReactNode } from 'react'
import { Icon } from '../ui/Icon.tsx'

/** What a value was, what it is, and the difference. */
export function BeforeAfter({
  before,
  after,
  difference,
}: {
  before: ReactNode
  after: ReactNode
  difference?: ReactNode
}) {
  return (
    <>
      <span className="rounded bg-bad-wash px-1 text-bad">{before}</span>
      <Icon name="right" size={11} />
      <span className="rounded bg-good-wash px-1 text-good">{after}</span>
      {difference && <span className="text-soft text-xs">{difference}</span>}
    </>
  )
}
