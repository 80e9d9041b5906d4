import type { ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { Problem } from '../Problem.tsx'
import { Dialog } from './Dialog.tsx'

type Props = {
  title: string
  /** What submitting does. */
  explanation?: ReactNode
  /** The text of the submit button. */
  submit: string
  tone?: 'primary' | 'danger'
  /** What submitting starts: whether it runs, and why it failed. */
  action: { isPending: boolean; error: unknown }
  onSubmit: () => void
  onClose: () => void
  children?: ReactNode
}

/** A form in a dialog. */
export function FormDialog({
  title,
  explanation,
  submit,
  tone = 'primary',
  action: { isPending, error },
  onSubmit,
  onClose,
  children,
}: Props) {
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
        {error !== null && error !== undefined && <Problem error={error} />}
        <div className="flex justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone={tone} busy={isPending}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
