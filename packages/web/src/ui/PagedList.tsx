import type { ReactNode } from 'react'
import { formatInteger } from '../format/amount.ts'
import { Empty } from './Empty.tsx'
import { Panel } from './Panel.tsx'
import { Problem } from './Problem.tsx'
import { Skeleton } from './Skeleton.tsx'
import { VirtualList } from './VirtualList.tsx'

type Query<Item> = {
  data: { pages: { items: Item[]; next: string | null }[] } | undefined
  error: unknown
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
  refetch: () => unknown
}

type Props<Item> = {
  title: string
  query: Query<Item>
  keyOf: (item: Item) => string
  actions?: ReactNode
  /** Shown when the list is empty. */
  empty?: string
  children: (item: Item) => ReactNode
}

/** A list that loads page by page as it scrolls. */
export function PagedList<Item>({
  title,
  query,
  keyOf,
  actions,
  empty = 'None on this network',
  children,
}: Props<Item>) {
  const items = query.data?.pages.flatMap((page) => page.items)
  const onEnd = query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined
  const note = items && `${formatInteger(items.length)}${query.hasNextPage ? '+' : ''}`
  return (
    <Panel title={title} note={note} actions={actions}>
      {query.error ? (
        <Problem error={query.error} onRetry={() => void query.refetch()} />
      ) : !items ? (
        <Skeleton what={title.toLowerCase()} rows={8} />
      ) : items.length === 0 ? (
        <Empty title={empty} />
      ) : (
        <VirtualList items={items} rowHeight={41} keyOf={keyOf} onEnd={onEnd} label={title}>
          {children}
        </VirtualList>
      )}
    </Panel>
  )
}
