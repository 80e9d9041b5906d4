import { useMemo, useState } from 'react'
import type { Hex } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { CodeLine } from '../../../components/CodeView.tsx'
import { Values } from '../../../components/Values.tsx'
import { formatInteger } from '../../../format/amount.ts'
import { useSources } from '../../../lib/contracts/sources.ts'
import { highlight } from '../../../lib/highlight/highlight.ts'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { type DebugPosition, type Move, useDebugSession } from '../api/debugSession.ts'
import { DebugVariables } from './DebugVariables.tsx'

const moves: readonly { name: string; to: Move; back?: boolean }[] = [
  { name: 'Back', to: 'over', back: true },
  { name: 'Step over', to: 'over' },
  { name: 'Step in', to: 'in' },
  { name: 'Step out', to: 'out' },
  { name: 'Next write', to: 'write' },
  { name: 'Next revert', to: 'revert' },
  { name: 'End', to: 'end' },
]

/** Goes through the lines of a transaction, forwards and back. */
export function DebugView({ hash }: { hash: Hex }) {
  const { session, problem, step } = useDebugSession(hash)
  /** The function of the stack that was selected, at an operation. */
  const [selected, setSelected] = useState({ step: -1, level: 0 })
  if (!session)
    return (
      <Panel padded>
        {problem ? <Problem error={problem} /> : <p className="text-soft text-sm">Running it again…</p>}
      </Panel>
    )
  const { position, steps } = session
  const level = selected.step === position.step ? selected.level : 0
  return (
    <div className="space-y-4">
      <Panel padded>
        <div role="toolbar" aria-label="Debugger" className="flex flex-wrap items-center gap-2">
          <Button busy={step.isPending} onClick={() => step.mutate({ to: { step: session.first } })}>
            Start
          </Button>
          {moves.map(({ name, ...move }) => (
            <Button key={name} busy={step.isPending} onClick={() => step.mutate(move)}>
              {name}
            </Button>
          ))}
          <span className="number text-soft text-xs" role="status">
            Operation {formatInteger(position.step + 1)} of {formatInteger(steps)}
          </span>
        </div>
        {problem !== null && problem !== undefined && <Problem error={problem} />}
      </Panel>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Source entry={position.stack[level]} onLine={(lines) => step.mutate({ to: { lines } })} />
        <div className="space-y-4">
          <CallStack
            position={position}
            level={level}
            onLevel={(wanted) => setSelected({ step: position.step, level: wanted })}
          />
          <DebugVariables session={session} level={level} />
          <Machine position={position} />
        </div>
      </div>
    </div>
  )
}

/** How many lines are shown before and after the current one. */
const around = 14

function Source({
  entry: top,
  onLine,
}: {
  entry: DebugPosition['stack'][number] | undefined
  onLine: (lines: { file: string; line: number }[]) => void
}) {
  const { data: sources = [] } = useSources(top?.address)
  const { file, line } = top ?? { file: null, line: null }
  const content = sources.flatMap(({ files }) => files).find(({ path }) => path === file)?.content
  const lines = useMemo(() => (content && file ? highlight(content, file) : []), [content, file])
  if (!file || line === null)
    return (
      <Panel title="Source">
        <Empty title="No source line here">Push the contract with its sources, and open the page again.</Empty>
      </Panel>
    )
  const first = Math.max(0, line - 1 - around)
  return (
    <Panel title={file} note={`Line ${line}`}>
      {lines.length === 0 ? (
        <Empty title={`${top?.function ?? 'Unknown function'}, line ${line}`}>
          The source of this file is not known.
        </Empty>
      ) : (
        <ol className="py-2">
          {lines.slice(first, line + around).map((tokens, index) => {
            const number = first + index + 1
            return (
              <li
                key={number}
                aria-current={number === line ? 'step' : undefined}
                className={`hex flex min-h-6 items-baseline px-3 text-xs leading-6 ${number === line ? 'bg-warn-wash' : ''}`}
              >
                <button
                  type="button"
                  className="number w-12 shrink-0 pr-4 text-right text-soft hover:underline"
                  aria-label={`Run to line ${number}`}
                  onClick={() => onLine([{ file, line: number }])}
                >
                  {number}
                </button>
                <CodeLine tokens={tokens} />
              </li>
            )
          })}
        </ol>
      )}
    </Panel>
  )
}

function CallStack({
  position: { stack, message },
  level,
  onLevel,
}: {
  position: DebugPosition
  level: number
  onLevel: (level: number) => void
}) {
  return (
    <Panel title="Call stack">
      {message !== null && <p className="px-3 py-2 text-bad text-sm">Fails here: {message}</p>}
      <ol aria-label="Call stack" className="divide-y divide-line text-sm">
        {stack.map(({ function: name, file, line, address, call, arguments: args }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the stack of a position has a fixed order
          <li key={index} className="space-y-1 px-3 py-1.5">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <button
                type="button"
                aria-pressed={index === level}
                className={`break-all text-left font-medium font-mono hover:underline ${index === level ? '' : 'text-soft'}`}
                onClick={() => onLevel(index)}
              >
                {name ?? `Call ${call + 1}`}
              </button>
              {file ? (
                <code className="break-all text-soft text-xs">
                  {file}:{line}
                </code>
              ) : (
                <span className="text-xs">
                  <Account address={address as Hex} />
                </span>
              )}
            </p>
            {args && args.length > 0 && <Values values={args} />}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Machine({ position: { operations, step, gas, machine, writes } }: { position: DebugPosition }) {
  return (
    <Panel title="Machine" note={`${formatInteger(gas)} gas left`}>
      <ol aria-label="Operations" className="py-1.5">
        {operations.map((operation) => (
          <li
            key={operation.step}
            aria-current={operation.step === step ? 'step' : undefined}
            className={`hex flex gap-4 px-3 text-xs leading-5 ${operation.step === step ? 'bg-warn-wash' : ''}`}
          >
            <span className="number w-12 text-right text-soft">{operation.pc}</span>
            <span>{operation.opcode}</span>
          </li>
        ))}
      </ol>
      <details className="border-line border-t text-xs">
        <summary className="min-h-8 cursor-pointer px-3 py-1.5 text-soft">
          Stack ({machine.stack.length}) and writes ({writes.length})
        </summary>
        <ol className="hex space-y-0.5 px-3 pb-2">
          {machine.stack.toReversed().map((word, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the words of a stack have a fixed order
            <li key={index} className="break-all">
              {word}
            </li>
          ))}
        </ol>
        <ol className="hex space-y-0.5 px-3 pb-2">
          {writes.map(({ address, slot, value }) => (
            <li key={address + slot} className="break-all">
              {slot} = {value}
            </li>
          ))}
        </ol>
      </details>
    </Panel>
  )
}
