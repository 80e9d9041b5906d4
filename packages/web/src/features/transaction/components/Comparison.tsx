import { useState } from 'react'
import { type Hex, isHash } from 'viem'
import { TransactionLink } from '../../../components/HashLink.tsx'
import { RunComparison } from '../../../components/RunComparison.tsx'
import { formatInteger } from '../../../format/amount.ts'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { isBlockNumber, useOtherRun } from '../api/comparison.ts'

type Props = { hash: Hex; against: string; onAgainst(against: string): void }

const names: Record<string, string> = { live: 'On the live chain', plain: 'Without function overrides' }

/** A transaction beside another run: where they differ, and the values that made it. */
export function Comparison({ hash, against, onAgainst }: Props) {
  const kind = kindOf(against)
  const [other, setOther] = useState(isOther(kind, against) ? against : '')
  const { data: network } = useNetworkInfo()
  const isNamed = against in names
  return (
    <div className="space-y-3">
      <Panel padded>
        <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
          <Choice
            label="Compare with"
            chosen={kind}
            onChoose={(id = 'live') => {
              if (!isOther(id, other)) setOther('')
              onAgainst(isOther(id, other) ? other : id)
            }}
            options={[
              ...(network?.upstream === null ? [] : [{ id: 'live', name: 'Live chain' }]),
              { id: 'plain', name: 'No overrides' },
              { id: 'block', name: 'Another block' },
              { id: 'transaction', name: 'Another transaction' },
            ]}
          />
          {!isNamed && (
            <form
              className="flex min-w-0 flex-1 items-end gap-2"
              onSubmit={(event) => {
                event.preventDefault()
                const text = other.trim()
                if (kind !== 'block' || isBlockNumber(text)) onAgainst(text)
              }}
            >
              <div className="min-w-0 flex-1">
                <TextField
                  label={
                    kind === 'block'
                      ? 'Number of the block on whose state its call runs'
                      : 'Hash of the other transaction'
                  }
                  className="hex"
                  value={other}
                  error={problemOf(kind, against, other)}
                  onChange={(event) => setOther(event.target.value)}
                />
              </div>
              <Button type="submit">Compare</Button>
            </form>
          )}
        </div>
      </Panel>
      {(isNamed || isOther(kind, against)) && <Difference hash={hash} against={against} />}
    </div>
  )
}

function kindOf(against: string): string {
  if (against in names || against === 'block') return against
  return isBlockNumber(against) ? 'block' : 'transaction'
}

function problemOf(kind: string, against: string, typed: string): string | undefined {
  if (kind === 'block')
    return typed === '' || isBlockNumber(typed.trim()) ? undefined : 'Expected the number of a block'
  return against === kind || isHash(against) ? undefined : 'Expected the hash of a transaction'
}

/** Whether a text says which other transaction or block it is. */
const isOther = (kind: string, text: string) =>
  (kind === 'transaction' && isHash(text)) || (kind === 'block' && isBlockNumber(text))

function Difference({ hash, against }: { hash: Hex; against: string }) {
  const other = useOtherRun(hash, against)
  const title = isBlockNumber(against) ? (
    `Its call on block ${formatInteger(Number(against))}`
  ) : (
    <TransactionLink key="other" hash={against as Hex} />
  )
  return (
    <Loaded query={other} what="transaction" rows={6}>
      {(run) => (
        <RunComparison a={hash} b={run} titles={['This transaction', names[against] ?? title]} own="transaction" />
      )}
    </Loaded>
  )
}
