import { type ReactNode, useEffect } from 'react'

type Props = {
  /** The title of the browser tab. */
  tab: string
  title: ReactNode
  note?: ReactNode
  actions?: ReactNode
}

export function PageTitle({ tab, title, note, actions }: Props) {
  useEffect(() => {
    document.title = `${tab} · Understudy`
  }, [tab])
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h1 className="min-w-0 font-semibold text-lg tracking-tight">{title}</h1>
      {note !== undefined && <div className="flex min-w-0 flex-wrap items-center gap-2 text-soft text-sm">{note}</div>}
      {actions !== undefined && <div className="ml-auto flex flex-wrap items-center gap-1.5">{actions}</div>}
    </div>
  )
}
