import { useState } from 'react'
import { type Hex, isHash, numberToHex } from 'viem'
import { TransactionLink } from '../../../components/HashLink.tsx'
import { RunComparison } from '../../../components/RunComparison.tsx'
import { formatInteger } from '../../../format/amount.ts'
import type { ComparedRun } from '../../../lib/chain/comparison.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import type { SimulatedRun } from '../api/runs.ts'

type Against = { kind: 'plain' } | { kind: 'block'; block: number } | { kind: 'transaction'; hash: Hex }

/** A simulated call beside itself without overrides, itself on another block, or a transaction. */
export function SimulationComparison({ run }: { run: SimulatedRun }) {
  const { call, block, stateOverrides, blockOverrides } = run
  const [kind, setKind] = useState<Against['kind']>()
  const [text, setText] = useState('')
  const [against, setAgainst] = useState<Against>()
  const [isWrong, setWrong] = useState(false)
  return (
    <div className="space-y-3">
      <Choice
        label="Compare with"
        chosen={kind}
        onChoose={(id) => {
          const chosen = id as Against['kind'] | undefined
          setKind(chosen)
          setText('')
          setWrong(false)
          setAgainst(chosen === 'plain' ? { kind: chosen } : undefined)
        }}
        options={[
          { id: 'plain', name: 'No overrides' },
          { id: 'block', name: 'Another block' },
          { id: 'transaction', name: 'A transaction' },
        ]}
      />
      {kind !== undefined && kind !== 'plain' && (
        <form
          className="flex min-w-0 items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            const found = readAgainst(kind, text.trim())
            setAgainst(found)
            setWrong(found === undefined)
          }}
        >
          <div className="min-w-0 flex-1">
            <TextField
              label={kind === 'block' ? 'Number of the block on whose state it runs' : 'Hash of the transaction'}
              className="hex"
              value={text}
              error={
                isWrong ? `Expected ${kind === 'block' ? 'the number of a block' : 'a transaction hash'}` : undefined
              }
              onChange={(event) => setText(event.target.value)}
            />
          </div>
          <Button type="submit">Compare</Button>
        </form>
      )}
      {against && (
        <RunComparison
          a={{ call, block, stateOverrides, blockOverrides }}
          b={otherRun(run, against)}
          titles={['This call', titleOf(against)]}
          own="call"
        />
      )}
    </div>
  )
}

function readAgainst(kind: Against['kind'], text: string): Against | undefined {
  if (kind === 'block') return /^\d{1,15}$/.test(text) ? { kind, block: Number(text) } : undefined
  return kind === 'transaction' && isHash(text) ? { kind, hash: text } : undefined
}

function titleOf(against: Against) {
  if (against.kind === 'plain') return 'Alone, without overrides'
  if (against.kind === 'block') return `On block ${formatInteger(against.block)}`
  return <TransactionLink hash={against.hash} />
}

/** On another block, the header is that block's too. */
function otherRun({ call, block, stateOverrides }: SimulatedRun, against: Against): ComparedRun {
  if (against.kind === 'transaction') return against.hash
  if (against.kind === 'block') return { call, block: numberToHex(against.block), stateOverrides }
  return { call, block, functionOverrides: false }
}
