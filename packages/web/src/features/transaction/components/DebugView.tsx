import { useState } from 'react'
import type { Hex } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { SourceWindow } from '../../../components/source/SourceWindow.tsx'
import { Values } from '../../../components/Values.tsx'
import { formatInteger } from '../../../format/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { type DebugPosition, type Move, useDebugSession } from '../api/debugSession.ts'
import { DebugVariables } from './DebugVariables.tsx'

const moves: readonly { name: string; to: Move; back?: boolean }[] = [
  { name: 'Back', to: 'over', back: true },
  { name: 'Step over', to: 'over' },
  { name: 'Step in', to: 'in' },
  { name: 'Step out', to: 'out' },
  { name: 'Next write', to: 'write' },
  { name: 'Next call', to: 'call' },
  { name: 'Next revert', to: 'revert' },
  { name: 'End', to: 'end' },
]

/** Goes through the lines of a transaction, forwards and back. */
export function DebugView({ hash }: { hash: Hex }) {
  const { session, problem, step } = useDebugSession(hash)
  /** The function of the stack that was selected, at an operation. */
  const [selected, setSelected] = useState({ step: -1, level: 0 })
  if (!session)
    return <Panel padded>{problem ? <Problem error={problem} /> : <Skeleton what="debugger" rows={12} />}</Panel>
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
        <SourceWindow
          location={position.stack[level]}
          label="Source"
          current="step"
          margin={(line, file) => (
            <button
              type="button"
              className="number w-12 shrink-0 pr-3 text-right text-soft hover:underline"
              aria-label={`Run to line ${line}`}
              onClick={() => step.mutate({ to: { lines: [{ file, line }] } })}
            >
              {line}
            </button>
          )}
        />
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
