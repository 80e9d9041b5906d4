import { useState } from 'react'
import { type Abi, type Address, parseAbi } from 'viem'
import { useAddWorkspace } from '../../../lib/contracts/addWorkspace.ts'
import { useName } from '../../../lib/names/names.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextArea } from '../../../ui/forms/Field.tsx'

/** Gives a contract its ABI, by creating a workspace for it. */
export function AbiForm({ address }: { address: Address }) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const name = useName(address)
  const add = useAddWorkspace('ABI saved in a workspace for this contract')
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        try {
          setProblem(undefined)
          const abi = JSON.stringify(readAbi(text))
          add.mutate({ name: name ?? `${address.slice(0, 8)}…`, address, abi })
        } catch (error) {
          setProblem((error as Error).message)
        }
      }}
    >
      <TextArea
        label="ABI"
        hint="JSON, or one signature per line"
        placeholder={'function getReserves() view returns (uint112, uint112, uint32)'}
        value={text}
        error={problem}
        onChange={(event) => setText(event.target.value)}
      />
      {problem && <p className="text-bad text-xs">{problem}</p>}
      <Button type="submit" tone="primary" busy={add.isPending} disabled={!text.trim()}>
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
