import type { ReactNode } from 'react'
import { Button } from '../Button.tsx'

type Props = {
  /** The text of the submit button. */
  submit: string
  busy?: boolean
  disabled?: boolean
  tone?: 'plain' | 'primary'
  onSubmit: () => void
  className?: string
  children: ReactNode
}

/** A form in one line. */
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
