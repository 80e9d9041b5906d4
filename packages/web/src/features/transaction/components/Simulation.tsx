import { useState } from 'react'
import { formatEther } from 'viem'
import { decodeRevert } from '../../../lib/abi/decode.ts'
import type { Transaction } from '../../../lib/chain/transaction.ts'
import { useAbi } from '../../../lib/contracts/abi.ts'
import { parseAmount } from '../../../lib/format/amount.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { SelectField, TextArea, TextField } from '../../../ui/Field.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { useSimulation } from '../api/simulation.ts'
import { CallFrames } from './CallTree.tsx'

/** The same transaction again with other input, on the state of any block; nothing is kept. */
export function Simulation({ transaction }: { transaction: Transaction }) {
  const before = transaction.blockNumber === undefined ? 'latest' : `0x${(transaction.blockNumber - 1n).toString(16)}`
  const [from, setFrom] = useState<string>(transaction.from)
  const [to, setTo] = useState<string>(transaction.to ?? '')
  const [value, setValue] = useState(formatEther(transaction.value))
  const [input, setInput] = useState<string>(transaction.input)
  const [block, setBlock] = useState(before)
  const [problem, setProblem] = useState<unknown>()
  const simulation = useSimulation()
  const { data: known } = useAbi(transaction.to)
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
          hint="empty: creates a contract"
          className="hex"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
        <TextField label="Value" hint="ETH" value={value} onChange={(event) => setValue(event.target.value)} />
        <SelectField label="On the state of" value={block} onChange={(event) => setBlock(event.target.value)}>
          {before !== 'latest' && <option value={before}>the block before it</option>}
          <option value="latest">the newest block</option>
        </SelectField>
        <div className="md:col-span-2">
          <TextArea label="Input" value={input} onChange={(event) => setInput(event.target.value)} />
        </div>
        <div className="flex items-center gap-3 md:col-span-2">
          <Button type="submit" tone="primary" busy={simulation.isPending}>
            Simulate
          </Button>
          {result && (
            <Badge tone={result.succeeded ? 'good' : 'bad'}>
              {result.succeeded
                ? 'would succeed'
                : `would revert: ${decodeRevert(known ? [known.abi] : [], result.output)}`}
            </Badge>
          )}
        </div>
      </form>
      {(problem ?? simulation.error) !== undefined && (problem ?? simulation.error) !== null && (
        <Problem error={problem ?? simulation.error} />
      )}
      {result && (
        <div className="mt-3 space-y-3 border-line border-t pt-3">
          <p className="hex break-all text-xs">
            <span className="text-soft">answers</span> {result.output === '0x' ? 'nothing' : result.output}
          </p>
          <CallFrames root={result.trace} />
        </div>
      )}
    </Panel>
  )
}
