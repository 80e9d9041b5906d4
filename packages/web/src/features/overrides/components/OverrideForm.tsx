import { useId, useState } from 'react'
import { type AbiFunction, type Address, parseAbiItem } from 'viem'
import { isAnyAddress } from '../../../format/hash.ts'
import { exampleOf } from '../../../lib/abi/argument.ts'
import { declarationOf, functionsOf } from '../../../lib/abi/functions.ts'
import { useAbi } from '../../../lib/contracts/abi.ts'
import { Button } from '../../../ui/Button.tsx'
import { AddressField } from '../../../ui/forms/AddressField.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { useAddOverride, useCurrentAnswer } from '../api/overrides.ts'

export type Prefilled = { contract: string; abi: string }

/** Selects a function, the input that it applies to, and the return values. */
export function OverrideForm({ prefilled, onClose }: { prefilled?: Prefilled; onClose: () => void }) {
  const [contract, setContract] = useState(prefilled?.contract ?? '')
  const [signature, setSignature] = useState(() => readable(prefilled?.abi ?? ''))
  const [inputs, setInputs] = useState<Record<number, string>>({})
  const [outputs, setOutputs] = useState<Record<number, string>>({})
  const [isExact, setExact] = useState(false)
  const { data: known } = useAbi(isAnyAddress(contract) ? (contract as Address) : undefined)
  const add = useAddOverride()
  const offeredId = useId()
  const functions = functionsOf(known?.abi ?? []).filter((one) => one.outputs.length > 0)
  const offered = new Map(functions.map((one) => [declarationOf(one), one]))
  const [named, ...others] = functions.filter(({ name }) => name === signature)
  const fn = offered.get(signature) ?? (named && others.length === 0 ? named : readFunction(signature))
  const { data: current = [] } = useCurrentAnswer(isAnyAddress(contract) ? (contract as Address) : undefined, fn)
  const outputAt = (index: number) => outputs[index] ?? current[index] ?? ''
  const problem = signature && !fn ? 'Enter a name, or function name(types) returns (types)' : undefined

  const submit = () => {
    if (!fn) return
    add.mutate(
      {
        contractAddress: contract as Address,
        functionAbi: JSON.stringify(fn),
        inputParams: isExact ? fn.inputs.map((_, index) => inputs[index] ?? '') : null,
        returnValues: fn.outputs.map((_, index) => outputAt(index)),
      },
      { onSuccess: onClose },
    )
  }

  return (
    <Panel padded title="Override function">
      <form
        className="grid gap-3 md:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <AddressField label="Contract" value={contract} onChange={setContract} />
        <TextField
          label="Function"
          hint="name, signature or ABI fragment"
          className="hex"
          list={offeredId}
          placeholder="function latestAnswer() view returns (int256)"
          value={signature}
          error={problem}
          onChange={(event) => setSignature(event.target.value)}
        />
        <datalist id={offeredId}>
          {[...offered.keys()].map((declaration) => (
            <option key={declaration}>{declaration}</option>
          ))}
        </datalist>
        {fn && fn.inputs.length > 0 && (
          <label className="flex items-center gap-2 text-sm md:col-span-2">
            <input type="checkbox" checked={isExact} onChange={(event) => setExact(event.target.checked)} />
            Only for specific arguments
          </label>
        )}
        {isExact &&
          fn?.inputs.map((input, index) => (
            <TextField
              // biome-ignore lint/suspicious/noArrayIndexKey: parameters have an order and may have no name
              key={`in${index}`}
              label={`When ${input.name || `argument ${index}`} is`}
              hint={input.type}
              placeholder={exampleOf(input)}
              className="hex"
              value={inputs[index] ?? ''}
              onChange={(event) => setInputs({ ...inputs, [index]: event.target.value })}
            />
          ))}
        {fn?.outputs.map((output, index) => (
          <TextField
            // biome-ignore lint/suspicious/noArrayIndexKey: outputs have an order and may have no name
            key={`out${index}`}
            label={`Return value ${output.name || (fn.outputs.length > 1 ? index : '')}`}
            hint={output.type}
            className="hex"
            value={outputAt(index)}
            onChange={(event) => setOutputs({ ...outputs, [index]: event.target.value })}
          />
        ))}
        {add.isError && (
          <div className="md:col-span-2">
            <Problem error={add.error} />
          </div>
        )}
        <div className="flex gap-2 md:col-span-2">
          <Button type="submit" tone="primary" busy={add.isPending} disabled={!fn || !contract}>
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Panel>
  )
}

/** The declaration of a function that is given as an ABI fragment; other text as it is. */
function readable(text: string): string {
  const fn = readFunction(text)
  return fn ? declarationOf(fn) : text
}

/** A function from its ABI fragment or its signature; `undefined` for any other text. */
function readFunction(text: string): AbiFunction | undefined {
  const trimmed = text.trim()
  if (!trimmed) return undefined
  try {
    const item: AbiFunction = trimmed.startsWith('{')
      ? JSON.parse(trimmed)
      : parseAbiItem(trimmed.startsWith('function ') ? trimmed : `function ${trimmed}`)
    // Throws where a part of it is missing: the text may be from a link.
    return item.type === 'function' && declarationOf(item) ? item : undefined
  } catch {
    return undefined
  }
}
