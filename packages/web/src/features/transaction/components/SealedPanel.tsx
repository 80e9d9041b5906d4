import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

type Props<T> = {
  isSealed: boolean
  /** The beginning of a sentence, with its verb: "Calls appear". */
  appears: string
  query: UseQueryResult<T>
  what: string
  children: (data: T) => ReactNode
}

/** What is known of a transaction once it is in a block. */
export function SealedPanel<T>({ isSealed, appears, query, what, children }: Props<T>) {
  return (
    <Panel>
      {isSealed ? (
        <Loaded query={query} what={what} rows={6}>
          {children}
        </Loaded>
      ) : (
        <Empty title="This transaction is pending">{appears} when it is included in a block.</Empty>
      )}
    </Panel>
  )
}
