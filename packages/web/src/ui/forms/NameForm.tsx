import { useState } from 'react'
import { Button } from '../Button.tsx'
import { useMay } from '../role.ts'
import { TextField } from './Field.tsx'

type Props = {
  /** The text of the button. */
  submit: string
  label?: string
  action: { isPending: boolean; mutate(name: string, options: { onError: () => void }): void }
}

/** Makes something that may have a name. */
export function NameForm({ submit, label = 'Name', action }: Props) {
  const [name, setName] = useState('')
  if (!useMay('admin')) return null
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        action.mutate(name.trim(), { onError: () => setName(name) })
        setName('')
      }}
    >
      <div className="w-72 max-w-full">
        <TextField
          label={label}
          hint="optional"
          maxLength={256}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <Button type="submit" tone="primary" className="h-8" busy={action.isPending}>
        {submit}
      </Button>
    </form>
  )
}
