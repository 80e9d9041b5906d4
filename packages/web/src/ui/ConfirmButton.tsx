import { type ReactNode, useState } from 'react'
import { Button, type ButtonTone } from './Button.tsx'
import { FormDialog } from './forms/FormDialog.tsx'

type Props = {
  /** The text of the button, and of the one that confirms. */
  children: string
  tone?: ButtonTone
  /** The question, as the title of the dialog. */
  title: string
  /** What will be lost. */
  explanation: ReactNode
  busy: boolean
  onConfirm: () => void
}

/** A button of an action that cannot be undone: it first says what will be lost. */
export function ConfirmButton({ children, tone, title, explanation, busy, onConfirm }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button needs="admin" tone={tone} busy={busy} onClick={() => setOpen(true)}>
        {children}
      </Button>
      {isOpen && (
        <FormDialog
          title={title}
          explanation={explanation}
          submit={children}
          tone="danger"
          action={{ isPending: busy, error: null }}
          onSubmit={() => {
            setOpen(false)
            onConfirm()
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
