import { useState } from 'react'
import { Account } from '../../../components/Account.tsx'
import { signatureOf } from '../../../lib/abi/functions.ts'
import { type FunctionOverride, functionOf } from '../../../lib/state/overrides.ts'
import { Age } from '../../../ui/Age.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { useRemoveOverride, useToggleOverride, useUpdateOverride } from '../api/overrides.ts'

/** One override, with its actions. */
export function OverrideRow({
  override,
  showContract = false,
}: {
  override: FunctionOverride
  showContract?: boolean
}) {
  const { id, contractAddress, inputParams, returnValues, enabled, createdAt } = override
  const fn = functionOf(override)
  const [isEditing, setEditing] = useState(false)
  const toggle = useToggleOverride()
  const remove = useRemoveOverride()
  return (
    <li className={`px-3 py-2.5 ${enabled ? '' : 'opacity-75'}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        {showContract && <Account address={contractAddress} className="min-w-0" />}
        <span className="hex min-w-0 break-words font-medium text-xs">{signatureOf(fn)}</span>
        {inputParams ? (
          <Badge title={inputParams.join(', ')}>arguments: {inputParams.join(', ') || 'none'}</Badge>
        ) : (
          <Badge>any arguments</Badge>
        )}
        {!enabled && <Badge tone="warn">disabled</Badge>}
        <span className="ml-auto flex flex-wrap items-center gap-1.5">
          <span className="mr-1 hidden text-xs sm:block">
            <Age at={Date.parse(createdAt)} />
          </span>
          <Button needs="admin" onClick={() => setEditing(!isEditing)}>
            Edit
          </Button>
          <Button needs="admin" busy={toggle.isPending} onClick={() => toggle.mutate(override)}>
            {enabled ? 'Disable' : 'Enable'}
          </Button>
          <Button needs="admin" tone="danger" busy={remove.isPending} onClick={() => remove.mutate(override)}>
            Remove
          </Button>
        </span>
      </div>
      {isEditing ? (
        <Values key={id} override={override} onClose={() => setEditing(false)} />
      ) : (
        <p className="mt-1 flex flex-wrap gap-x-4 text-xs">
          {returnValues.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: outputs have an order and may have no name
            <span key={index} className="min-w-0 break-all">
              <span className="text-soft">{fn.outputs[index]?.name || fn.outputs[index]?.type} </span>
              <span className="hex">{value}</span>
            </span>
          ))}
        </p>
      )}
    </li>
  )
}

function Values({ override, onClose }: { override: FunctionOverride; onClose: () => void }) {
  const fn = functionOf(override)
  const [values, setValues] = useState<readonly string[]>(override.returnValues)
  const update = useUpdateOverride()
  return (
    <form
      className="mt-2 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate({ id: override.id, returnValues: [...values] }, { onSuccess: onClose })
      }}
    >
      {fn.outputs.map((output, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outputs have an order and may have no name
        <div key={index} className="w-60 min-w-0">
          <TextField
            label={output.name || `Return value ${index}`}
            hint={output.type}
            className="hex"
            value={values[index] ?? ''}
            onChange={(event) => setValues(values.map((value, at) => (at === index ? event.target.value : value)))}
          />
        </div>
      ))}
      <Button type="submit" tone="primary" className="h-8" busy={update.isPending}>
        Save
      </Button>
    </form>
  )
}
