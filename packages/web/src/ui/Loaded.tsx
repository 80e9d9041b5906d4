import type { ReactNode } from 'react'
import { Problem } from './Problem.tsx'
import { Skeleton } from './Skeleton.tsx'

type Props<T> = {
  /** What `useQuery` answers. */
  query: { data: T | undefined; isError: boolean; error: unknown; refetch: () => unknown }
  /** What is loaded, in words: "block". */
  what: string
  rows?: number
  children: (data: T) => ReactNode
}

/** Renders the data of a query, a placeholder while it loads, or its error. */
export function Loaded<T>({ query, what, rows, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Problem error={query.error} onRetry={() => void query.refetch()} />
  return <Skeleton what={what} rows={rows} />
}
