import { type ReactNode, useState } from 'react'
import { formatInteger } from '../../../format/amount.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Pager } from '../../../ui/Pager.tsx'

/** How a value differs from the live chain, in the order of the groups. */
export type Kind = 'drifted' | 'overridden' | 'followed' | 'frozen'

/** A group shows its first entries, or all of them, page by page. */
export type GroupView = { isOnly: boolean; onOnly: () => void }

const names: Record<Kind, string> = {
  drifted: 'Drifted',
  overridden: 'Overridden',
  followed: 'Followed',
  frozen: 'Frozen',
}

const edges: Record<Kind, string> = {
  drifted: 'border-drifted',
  overridden: 'border-overridden',
  followed: 'border-followed',
  frozen: 'border-frozen',
}

export const nameOf = (kind: Kind): string => names[kind]

type FrameProps = {
  kind: Kind
  /** What it means. */
  note: string
  /** `undefined` until it is known. */
  count?: string | undefined
  actions?: ReactNode
  children: ReactNode
}

/** The heading of a group in its color, and its content. */
export function GroupFrame({ kind, note, count, actions, children }: FrameProps) {
  return (
    <section aria-label={names[kind]} className="border-line border-b last:border-b-0">
      <div className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 bg-page/60 px-3 py-1">
        <Badge tone={kind}>
          {names[kind]}
          {count && <span className="number">{count}</span>}
        </Badge>
        <span className="min-w-0 truncate text-soft text-xs">{note}</span>
        {actions && <span className="ml-auto flex items-center gap-1.5">{actions}</span>}
      </div>
      {children}
    </section>
  )
}

type EntriesProps<Item> = GroupView & {
  kind: Kind
  items: readonly Item[]
  keyOf: (item: Item) => string
  /** Whether more exist than `items`, which then has its own pages. */
  hasMore?: boolean
  /** Shown instead of an empty list. */
  empty: string
  children: (item: Item) => ReactNode
}

const firstEntries = 4
const pageSize = 20

/** The first entries with a button for the rest, or a page of them. */
export function GroupEntries<Item>({
  kind,
  items,
  keyOf,
  hasMore = false,
  empty,
  isOnly,
  onOnly,
  children,
}: EntriesProps<Item>) {
  const [page, setPage] = useState(0)
  const current = Math.min(page, Math.max(0, Math.ceil(items.length / pageSize) - 1))
  const shown = isOnly ? items.slice(current * pageSize, (current + 1) * pageSize) : items.slice(0, firstEntries)
  if (shown.length === 0) return <p className="px-3 py-2 text-soft text-xs">{empty}</p>
  const count = `${formatInteger(items.length)}${hasMore ? '+' : ''}`
  return (
    <>
      <ul className={`divide-y divide-line border-l-2 ${edges[kind]}`}>
        {shown.map((item) => (
          <li key={keyOf(item)} className="px-3 py-1.5">
            {children(item)}
          </li>
        ))}
      </ul>
      {!isOnly && (items.length > firstEntries || hasMore) && (
        <Button tone="quiet" className="mx-1 my-1" onClick={onOnly}>
          Show all {count}
        </Button>
      )}
      {isOnly && (
        <Pager
          page={current}
          hasNext={(current + 1) * pageSize < items.length}
          what={`${kind} values`}
          onPage={setPage}
        />
      )}
    </>
  )
}
