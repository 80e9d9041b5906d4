import type { ReactNode } from 'react'

type Props = {
  title?: ReactNode
  /** A count or a hint beside the title. */
  note?: ReactNode
  actions?: ReactNode
  /** Adds padding around the content. */
  padded?: boolean
  className?: string
  children: ReactNode
}

export function Panel({ title, note, actions, padded = false, className = '', children }: Props) {
  return (
    <section className={`min-w-0 rounded-lg border border-line bg-panel ${className}`}>
      {title !== undefined && (
        <header className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b px-3 py-1.5">
          <h2 className="font-semibold text-sm">{title}</h2>
          {note !== undefined && <span className="text-soft text-xs">{note}</span>}
          {actions !== undefined && <div className="ml-auto flex flex-wrap items-center gap-1.5">{actions}</div>}
        </header>
      )}
      <div className={padded ? 'p-3' : ''}>{children}</div>
    </section>
  )
}
