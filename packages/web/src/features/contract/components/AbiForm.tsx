import { useState } from 'react'
import { type Abi, type Address, parseAbi } from 'viem'
import { shorten } from '../../../format/hash.ts'
import { useName, useWorkspaceOf } from '../../../lib/names/names.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextArea, TextField } from '../../../ui/forms/Field.tsx'
import { useSaveAbi } from '../api/abi.ts'

/** Gives a contract its ABI, in its workspace. */
export function AbiForm({ address, onSaved }: { address: Address; onSaved?: () => void }) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const known = useName(address)
  const workspace = useWorkspaceOf(address)
  const [entered, setEntered] = useState<string>()
  const name = entered ?? workspace?.name ?? known ?? ''
  const save = useSaveAbi()
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        try {
          setProblem(undefined)
          const abi = JSON.stringify(readAbi(text))
          save.mutate(
            { name: name.trim() || shorten(address), address, abi, before: workspace?.id },
            { onSuccess: onSaved },
          )
        } catch (error) {
          setProblem((error as Error).message)
        }
      }}
    >
      <TextField
        label="Workspace name"
        placeholder={shorten(address)}
        value={name}
        onChange={(event) => setEntered(event.target.value)}
      />
      <TextArea
        label="ABI"
        hint="JSON, or one signature per line"
        placeholder={'function getReserves() view returns (uint112, uint112, uint32)'}
        value={text}
        error={problem}
        onChange={(event) => setText(event.target.value)}
      />
      <Button needs="admin" type="submit" tone="primary" busy={save.isPending} disabled={!text.trim()}>
        Save ABI
      </Button>
    </form>
  )
}

/** An ABI from a JSON array, an artifact with an ABI, or signatures. */
function readAbi(text: string): Abi {
  const trimmed = text.trim()
  if (/^[[{]/.test(trimmed)) {
    const json = JSON.parse(trimmed)
    const abi = Array.isArray(json) ? json : json.abi
    if (!Array.isArray(abi)) throw new Error('No ABI in this JSON. Enter an array, or an artifact with an "abi" field.')
    return abi
  }
  return parseAbi(trimmed.split('\n').filter((line) => line.trim())) as Abi
}
