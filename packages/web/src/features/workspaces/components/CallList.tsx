import { useState } from 'react'
import { DecodedArgs } from '../../../lib/abi/DecodedArgs.tsx'
import { Values } from '../../../lib/abi/Values.tsx'
import { formatInteger } from '../../../lib/format/amount.ts'
import { Account } from '../../../lib/names/Account.tsx'
import { Age } from '../../../ui/Age.tsx'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { TransactionLink } from '../../../ui/HashLink.tsx'
import { PagedList } from '../../../ui/PagedList.tsx'
import { type Entry, useWorkspaceList } from '../api/workspaces.ts'

const outcomes = { '': 'All', failed: 'Reverted', undone: 'Undone', lived: 'Succeeded' }

type Props = {
  id: string
  isWallet: boolean
  outcome: string | undefined
  onOutcome: (outcome: string | undefined) => void
}

/** Calls to a contract, or those that a wallet made: direct ones and inner ones. */
export function CallList({ id, isWallet, outcome = '', onOutcome }: Props) {
  const query = useWorkspaceList(id, 'Calls', outcome ? { outcome } : {})
  return (
    <PagedList
      title={isWallet ? 'Calls by it' : 'Calls to it'}
      query={query}
      keyOf={(call) => JSON.stringify(call)}
      actions={
        <select
          aria-label="Outcome"
          value={outcome}
          onChange={(event) => onOutcome(event.target.value || undefined)}
          className="h-7 rounded-md border border-line bg-panel px-1.5 text-xs"
        >
          {Object.entries(outcomes).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      }
    >
      {(call) => <CallRow call={call} />}
    </PagedList>
  )
}

function CallRow({ call }: { call: Entry<'Calls'> }) {
  const [isOpen, setOpen] = useState(false)
  const { transactionHash, timestamp, depth, type, from, to, function: fn, value, gasUsed, input } = call
  const { outcome, halt, revert, returned } = call
  return (
    <div className="px-3 py-1.5 text-sm">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="hex rounded font-medium hover:underline"
        >
          {fn?.name ?? input.slice(0, 10)}
        </button>
        <Badge tone={depth === 0 ? 'accent' : 'neutral'}>{depth === 0 ? 'direct' : `${type} at depth ${depth}`}</Badge>
        {outcome === 'failed' && <Badge tone="bad">{revert?.reason ?? halt ?? 'reverted'}</Badge>}
        {outcome === 'undone' && <Badge tone="warn">undone by an outer revert</Badge>}
        <span className="text-soft text-xs">by</span>
        <Account address={from} />
        <span className="text-soft text-xs">to</span>
        <Account address={to} />
        <span className="ml-auto flex items-center gap-3">
          {BigInt(value) > 0n && <Amount value={BigInt(value)} />}
          <span className="number hidden text-soft text-xs sm:block">{formatInteger(BigInt(gasUsed))} gas</span>
          <TransactionLink hash={transactionHash} />
          <span className="w-16 text-right text-xs">
            <Age at={Date.parse(timestamp)} />
          </span>
        </span>
      </div>
      {isOpen && (
        <div className="my-1.5 grid gap-3 rounded-md border border-line bg-page p-2.5 text-xs lg:grid-cols-2">
          <div>
            <p className="mb-1 text-soft">Arguments</p>
            {fn ? <DecodedArgs item={fn} /> : <span className="hex break-all">{input}</span>}
          </div>
          <div>
            <p className="mb-1 text-soft">Answer</p>
            {returned && returned.length > 0 ? <Values values={returned} /> : <span className="text-soft">none</span>}
          </div>
        </div>
      )}
    </div>
  )
}
