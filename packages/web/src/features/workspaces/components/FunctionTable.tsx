import type { ReactNode } from 'react'

/** A table with a row for each function, and columns of numbers. */
export function FunctionTable({
  label,
  columns,
  children,
}: {
  label: string
  columns: readonly string[]
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section aria-label={label} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead className="text-left text-soft text-xs">
          <tr className="border-line border-b">
            <th className="px-3 py-1.5 font-medium">Function</th>
            {columns.map((name) => (
              <th key={name} className="px-3 py-1.5 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </section>
  )
}
