import type { ReactNode } from 'react'
import { Button } from './Button.tsx'

type Props = {
  /** On the button. */
  submit: string
  busy?: boolean
  disabled?: boolean
  tone?: 'plain' | 'primary'
  onSubmit: () => void
  className?: string
  children: ReactNode
}

/** Fields in one line with the button that takes them. */
export function InlineForm({ submit, busy, disabled, tone = 'plain', onSubmit, className = '', children }: Props) {
  return (
    <form
      className={`flex items-end gap-2 ${className}`}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <Button type="submit" tone={tone} className="h-8" busy={busy} disabled={disabled}>
        {submit}
      </Button>
    </form>
  )
}
