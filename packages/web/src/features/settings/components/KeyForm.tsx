import { useState } from 'react'
import { apiKey } from '../../../lib/rpc/apiKey.ts'
import { live } from '../../../lib/rpc/live.ts'
import { queryClient } from '../../../lib/rpc/queryClient.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Panel } from '../../../ui/Panel.tsx'

/** The key with which this browser asks, where the network wants one. */
export function KeyForm() {
  const [key, setKey] = useState(apiKey.get())
  const save = useAction(
    async (next: string) => {
      const before = apiKey.get()
      apiKey.set(next.trim())
      try {
        await rpc('eth_chainId')
      } catch (error) {
        apiKey.set(before)
        throw error
      }
      live.start()
      await queryClient.resetQueries()
    },
    () => 'The network takes this key',
  )
  return (
    <Panel padded title="Key">
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(key)
        }}
      >
        <p className="text-soft text-xs">
          Needed when the network was started with --api-key. It is kept in this browser, and sent to this network
          alone.
        </p>
        <TextField
          label="Key"
          hint="empty: none"
          type="password"
          className="hex"
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <Button type="submit" tone="primary" busy={save.isPending}>
          Save the key
        </Button>
      </form>
    </Panel>
  )
}
