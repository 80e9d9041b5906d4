import type { ReactNode } from 'react'

/** Shown instead of an empty list, with a way to fill it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="px-3 py-6 text-center text-sm">
      <p className="text-ink">{title}</p>
      {children !== undefined && <div className="mx-auto mt-1 max-w-md text-soft text-xs">{children}</div>}
    </div>
  )
}
