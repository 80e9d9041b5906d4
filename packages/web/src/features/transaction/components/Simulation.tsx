import { useState } from 'react'
import { formatEther, numberToHex } from 'viem'
import { Values } from '../../../components/Values.tsx'
import { parseAmount } from '../../../format/amount.ts'
import type { Transaction } from '../../../lib/chain/block.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { useCurrency } from '../../../ui/currency.ts'
import { SelectField, TextArea, TextField } from '../../../ui/forms/Field.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { useSimulation } from '../api/simulation.ts'
import { CallFrames } from './CallTree.tsx'

/** Runs the transaction again with other input, without changing the network. */
export function Simulation({ transaction }: { transaction: Transaction }) {
  const before = transaction.blockNumber === null ? 'latest' : numberToHex(transaction.blockNumber - 1n)
  const [from, setFrom] = useState<string>(transaction.from)
  const [to, setTo] = useState<string>(transaction.to ?? '')
  const [value, setValue] = useState(formatEther(transaction.value))
  const [input, setInput] = useState<string>(transaction.input)
  const [block, setBlock] = useState(before)
  const [problem, setProblem] = useState<unknown>()
  const simulation = useSimulation()
  const currency = useCurrency()
  const run = () => {
    setProblem(undefined)
    try {
      simulation.mutate({ from, to: to || null, value: parseAmount(value, 18), input, block })
    } catch (error) {
      setProblem(error)
    }
  }
  const result = simulation.data
  return (
    <Panel padded>
      <form
        className="grid gap-3 md:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <TextField label="From" className="hex" value={from} onChange={(event) => setFrom(event.target.value)} />
        <TextField
          label="To"
          hint="leave empty to create a contract"
          className="hex"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
        <TextField label="Value" hint={currency} value={value} onChange={(event) => setValue(event.target.value)} />
        <SelectField label="State" value={block} onChange={(event) => setBlock(event.target.value)}>
          {before !== 'latest' && <option value={before}>Before the transaction's block</option>}
          <option value="latest">Latest block</option>
        </SelectField>
        <div className="md:col-span-2">
          <TextArea label="Input" value={input} onChange={(event) => setInput(event.target.value)} />
        </div>
        <div className="flex items-center gap-3 md:col-span-2">
          <Button type="submit" tone="primary" busy={simulation.isPending}>
            Simulate
          </Button>
          {result && (
            <Badge tone={result.succeeded ? 'good' : 'bad'}>{result.succeeded ? 'succeeds' : 'reverts'}</Badge>
          )}
        </div>
      </form>
      {(problem ?? simulation.error) !== undefined && (problem ?? simulation.error) !== null && (
        <Problem error={problem ?? simulation.error} />
      )}
      {result && (
        <div className="mt-3 space-y-3 border-line border-t pt-3">
          {result.reason !== undefined && <p className="break-words text-bad text-sm">{result.reason}</p>}
          {result.values && result.values.length > 0 && <Values values={result.values} />}
          {result.output !== '0x' && (
            <details className="text-xs">
              <summary className="min-h-6 cursor-pointer text-soft">Return data</summary>
              <p className="hex max-h-48 overflow-y-auto break-all">{result.output}</p>
            </details>
          )}
          <CallFrames root={result.trace} />
        </div>
      )}
    </Panel>
  )
}
