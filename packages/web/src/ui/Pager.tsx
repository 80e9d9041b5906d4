import { formatInteger } from '../format/amount.ts'
import { Button } from './Button.tsx'

type Props = {
  /** From 0. */
  page: number
  hasNext: boolean
  /** What is listed: "frozen accounts". */
  what: string
  onPage: (page: number) => void
}

/** Moves between the pages of a list; nothing if it has one page. */
export function Pager({ page, hasNext, what, onPage }: Props) {
  if (page === 0 && !hasNext) return null
  return (
    <nav aria-label={`Pages of ${what}`} className="flex items-center gap-2 border-line border-t px-3 py-1.5">
      <Button tone="quiet" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span className="text-soft text-xs">Page {formatInteger(page + 1)}</span>
      <Button tone="quiet" disabled={!hasNext} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
}
