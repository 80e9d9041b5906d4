import { useState } from 'react'
import { formatEther, isAddress, numberToHex } from 'viem'
import { parseAmount } from '../../../format/amount.ts'
import { decodeRevert } from '../../../lib/abi/decode.ts'
import type { Transaction } from '../../../lib/chain/block.ts'
import { useAbi } from '../../../lib/contracts/abi.ts'
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
  const { data: known } = useAbi(isAddress(to) ? to : undefined)
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
          {!result.succeeded && (
            <p className="break-words text-bad text-sm">{decodeRevert(known ? [known.abi] : [], result.output)}</p>
          )}
          <p className="hex break-all text-xs">
            <span className="text-soft">Return data</span> {result.output === '0x' ? 'none' : result.output}
          </p>
          <CallFrames root={result.trace} />
        </div>
      )}
    </Panel>
  )
}
