import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

type Props = {
  title: string
  /** What it does, before one does it. */
  explanation?: ReactNode
  /** On the button that does it. */
  submit: string
  tone?: 'primary' | 'danger'
  busy: boolean
  onSubmit: () => void
  onClose: () => void
  children?: ReactNode
}

/** A few fields over the page, and a button that does what they say. */
export function FormDialog({ title, explanation, submit, tone = 'primary', busy, onSubmit, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {explanation !== undefined && <p className="text-soft text-sm">{explanation}</p>}
        {children}
        <div className="flex justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone={tone} busy={busy}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
