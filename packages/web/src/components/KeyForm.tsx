import { useState } from 'react'
import { savedKey, useSaveKey } from '../lib/state/key.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/forms/Field.tsx'
import { Panel } from '../ui/Panel.tsx'

/** The API key of this browser. */
export function KeyForm({ title = 'API key' }: { title?: string }) {
  const [key, setKey] = useState(savedKey())
  const save = useSaveKey()
  return (
    <Panel padded title={title}>
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(key)
        }}
      >
        <p className="text-soft text-xs">
          Required if the network was started with --api-key. The key is stored in this browser and sent only to this
          network.
        </p>
        <TextField
          label="Key"
          hint="leave empty for none"
          type="password"
          className="hex"
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <Button type="submit" tone="primary" busy={save.isPending}>
          Save key
        </Button>
      </form>
    </Panel>
  )
}
