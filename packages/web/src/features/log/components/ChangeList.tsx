import { useState } from 'react'
import { Age } from '../../../ui/Age.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { PagedList } from '../../../ui/PagedList.tsx'
import { type Change, useChanges } from '../api/log.ts'

type Props = { method: string | undefined; onMethod: (method: string | undefined) => void }

/** The calls that changed the network, and those that it refused. */
export function ChangeList({ method, onMethod }: Props) {
  const query = useChanges(method)
  return (
    <PagedList
      title="Requests"
      query={query}
      keyOf={({ id }) => String(id)}
      empty="No changes yet"
      actions={method && <Button onClick={() => onMethod(undefined)}>Show all methods</Button>}
    >
      {(change) => <ChangeRow change={change} onMethod={onMethod} />}
    </PagedList>
  )
}

function ChangeRow({ change, onMethod }: { change: Change } & Pick<Props, 'onMethod'>) {
  const { at, key, method, params, error } = change
  const [isOpen, setOpen] = useState(false)
  const values = unfold(params)
  const text = isOpen ? JSON.stringify(values, null, 2) : JSON.stringify(values)
  return (
    <div className="px-3 py-1.5 text-sm">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          title="Show only this method"
          onClick={() => onMethod(method)}
          className="hex rounded font-medium text-xs hover:underline"
        >
          {method}
        </button>
        {error !== null && (
          <Badge tone="bad" title={error}>
            refused
          </Badge>
        )}
        <button
          type="button"
          aria-expanded={isOpen}
          title={isOpen ? 'Collapse parameters' : 'Expand parameters'}
          onClick={() => setOpen(!isOpen)}
          className={`hex min-w-0 rounded text-left text-soft text-xs hover:text-ink ${isOpen ? 'max-h-96 basis-full overflow-y-auto whitespace-pre-wrap break-all' : 'max-w-xl truncate'}`}
        >
          {text}
        </button>
        <span className="ml-auto flex items-center gap-3 text-xs">
          {key !== null && <Badge title="The first digits of the SHA-256 of the API key">key {key}</Badge>}
          <Age at={Date.parse(at)} />
        </span>
      </div>
      {error !== null && <p className="break-words text-bad text-xs">{error}</p>}
    </div>
  )
}

/** Parameters whose texts are JSON themselves, such as ABIs, as what they describe. */
function unfold(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unfold)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unfold(one)]))
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
