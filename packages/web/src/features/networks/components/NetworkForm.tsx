import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { useMay } from '../../../ui/role.ts'
import { useCreateNetwork } from '../api/networks.ts'

/** Makes a network: a fork of a chain, or one that forks nothing. */
export function NetworkForm() {
  const create = useCreateNetwork()
  const [name, setName] = useState('')
  const [forkUrl, setForkUrl] = useState('')
  if (!useMay('admin')) return null
  return (
    <form
      aria-label="New network"
      className="border-line border-b p-3"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate(
          { name: name.trim(), forkUrl: forkUrl.trim() },
          {
            onSuccess() {
              setName('')
              setForkUrl('')
            },
          },
        )
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-48 max-w-full">
          <TextField
            label="Name"
            required
            maxLength={40}
            pattern="[a-z][a-z0-9_]*"
            title="Lower-case letters, digits and underscores, beginning with a letter"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <div className="w-96 max-w-full">
          <TextField
            label="Fork URL"
            hint="that of the server, or none, if it is empty"
            type="url"
            maxLength={2048}
            value={forkUrl}
            onChange={(event) => setForkUrl(event.target.value)}
          />
        </div>
        <Button type="submit" tone="primary" className="h-8" busy={create.isPending}>
          Make network
        </Button>
      </div>
      {create.error && <Problem error={create.error} />}
    </form>
  )
}
