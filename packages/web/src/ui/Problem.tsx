import { useEffect } from 'react'
import { describeError } from '../errors/rpcError.ts'
import { markShown } from '../errors/shownErrors.ts'
import { Button } from './Button.tsx'

/** An error: what happened, and what to do. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, advice } = describeError(error)
  useEffect(() => markShown(error), [error])
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-3 py-2.5 text-sm">
      <span className="font-medium text-bad">{title}.</span>
      {advice && <span className="min-w-0 break-words text-soft">{advice}</span>}
      {onRetry && (
        <Button className="ml-auto" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
