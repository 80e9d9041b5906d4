import type { ReactNode } from 'react'
import { formatCount } from '../../../format/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import type { useBlockRange } from '../api/range.ts'

type Props = { range: ReturnType<typeof useBlockRange>; what: string; note: string; children: ReactNode }

/** A list over a range of blocks, with a way to newer ones above and to older ones below. */
export function RangeFrame({ range, what, note, children }: Props) {
  const { blocks, error, retry, newer, showNewest, isLoadingMore, continueBeforeFork } = range
  return (
    <Panel
      title={what}
      note={note}
      actions={
        newer > 0 && (
          <Button tone="quiet" onClick={showNewest}>
            Show {formatCount(newer, 'new block')}
          </Button>
        )
      }
    >
      {blocks ? children : error ? <Problem error={error} onRetry={retry} /> : <Skeleton what={what} rows={12} />}
      {isLoadingMore && <Skeleton what={`older ${what.toLowerCase()}`} rows={2} />}
      {blocks && continueBeforeFork && (
        <div className="flex justify-center p-3">
          <Button onClick={continueBeforeFork}>Show live-chain blocks from before the fork</Button>
        </div>
      )}
    </Panel>
  )
}
