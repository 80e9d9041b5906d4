import type { ReactNode } from 'react'

/** What stands where nothing is yet, and how to change that. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="px-3 py-6 text-center text-sm">
      <p className="text-ink">{title}</p>
      {children !== undefined && <div className="mx-auto mt-1 max-w-md text-soft text-xs">{children}</div>}
    </div>
  )
}
