import { useState } from 'react'
import { describeError } from '../../../errors/rpcError.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { InlineForm } from '../../../ui/forms/InlineForm.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type DebugVariable, type Session, useDebugVariables, useWatched } from '../api/debugSession.ts'

/** The variables of a function of the stack, and those that are watched. */
export function DebugVariables({ session, level }: { session: Session; level: number }) {
  const { data } = useDebugVariables(session, level)
  const { locals, entries = [] } = data ?? {}
  return (
    <>
      {locals && (
        <Panel title="Local variables">
          {locals.problem !== null && <p className="px-3 py-2 text-soft text-xs">{sentence(locals.problem)}</p>}
          {locals.problem === null && locals.entries.length === 0 && (
            <p className="px-3 py-2 text-soft text-xs">None here.</p>
          )}
          <List name="Local variables" entries={locals.entries} />
        </Panel>
      )}
      {entries.length > 0 && (
        <Panel title="State variables">
          <List name="State variables" entries={entries} />
        </Panel>
      )}
      <Watches session={session} level={level} />
    </>
  )
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function List({ name, entries }: { name?: string; entries: readonly DebugVariable[] }) {
  if (entries.length === 0) return null
  return (
    <ul aria-label={name} className="divide-y divide-line text-xs">
      {entries.map((entry) => (
        <li key={entry.path}>
          <Variable {...entry} />
        </li>
      ))}
    </ul>
  )
}

function Variable({ name, type, value, problem, parts }: DebugVariable) {
  const label = (
    <span className="hex min-w-0 break-all" title={type}>
      {name}
    </span>
  )
  if (parts)
    return (
      <details className="px-3 py-1">
        <summary className="min-h-6 cursor-pointer">
          {label} <span className="text-2xs text-soft">{type}</span>
        </summary>
        <List entries={parts.entries} />
        {parts.next !== null && <p className="px-3 py-1 text-soft">More: watch {name}[…]</p>}
      </details>
    )
  return (
    <p className="grid grid-cols-2 gap-3 px-3 py-1.5">
      {label}
      {problem ? (
        <span className="min-w-0 break-words text-soft">{problem}</span>
      ) : (
        <span className="hex min-w-0 break-all">{value || <span className="text-soft">empty</span>}</span>
      )}
    </p>
  )
}

/** Variables and paths, such as `slot0.tick`, with their values in the function. */
function Watches({ session, level }: { session: Session; level: number }) {
  const [paths, setPaths] = useState<readonly string[]>([])
  const [text, setText] = useState('')
  const watched = useWatched(session, level, paths)
  const path = text.trim()
  return (
    <Panel title="Watches">
      <InlineForm
        className="p-3"
        submit="Watch"
        disabled={path === ''}
        onSubmit={() => {
          setPaths((known) => [...known.filter((each) => each !== path), path].slice(-watchLimit))
          setText('')
        }}
      >
        <div className="grow">
          <TextField
            label="Variable"
            hint="slot0.tick, balances[0x…]"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      </InlineForm>
      {paths.length > 0 && (
        <ul aria-label="Watches" className="divide-y divide-line border-line border-t text-xs">
          {paths.map((each, index) => {
            const { data, error } = watched[index] ?? {}
            const shown = data ?? { type: '', value: null, parts: null, problem: '…' }
            return (
              <li key={each} className="flex items-start">
                <div className="min-w-0 grow">
                  <Variable
                    {...shown}
                    path={each}
                    name={each}
                    problem={error ? describeError(error).title : shown.problem}
                  />
                </div>
                <Button
                  tone="quiet"
                  aria-label={`Remove ${each}`}
                  onClick={() => setPaths((known) => known.filter((other) => other !== each))}
                >
                  ×
                </Button>
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}

const watchLimit = 20
