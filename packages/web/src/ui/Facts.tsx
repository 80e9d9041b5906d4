import type { ReactNode } from 'react'

/** Names and values, one row each. Empty rows are left out. */
export function Facts({
  rows,
}: {
  rows: readonly (readonly [name: ReactNode, value: ReactNode] | undefined | null | false)[]
}) {
  return (
    <dl className="divide-y divide-line">
      {rows.map(
        (row, index) =>
          row && (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a page never change their order
            <div key={index} className="grid gap-x-4 px-3 py-1.5 sm:grid-cols-[9.5rem_minmax(0,1fr)]">
              <dt className="text-soft text-xs leading-5">{row[0]}</dt>
              <dd className="min-w-0 break-words text-sm leading-5">{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
