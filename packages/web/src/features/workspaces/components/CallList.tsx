import { Account } from '../../../components/Account.tsx'
import { DecodedArgs } from '../../../components/DecodedArgs.tsx'
import { Values } from '../../../components/Values.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { PagedList } from '../../../ui/PagedList.tsx'
import { type Entry, type Subject, useWorkspaceList } from '../api/workspaces.ts'
import { ActivityRow } from './ActivityRow.tsx'

const outcomes = { '': 'All', failed: 'Failed', reverted: 'Reverted by an outer call', succeeded: 'Succeeded' }

type Props = {
  subject: Subject
  isWallet: boolean
  outcome: string | undefined
  onOutcome: (outcome: string | undefined) => void
}

/** Calls to a contract or by a wallet, direct and internal. */
export function CallList({ subject, isWallet, outcome = '', onOutcome }: Props) {
  const query = useWorkspaceList(subject, 'Calls', outcome ? { outcome } : {})
  return (
    <PagedList
      title={isWallet ? 'Outgoing calls' : 'Incoming calls'}
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
  const { depth, type, from, to, function: fn, input, outcome, halt, revert, returned } = call
  const details = () => (
    <div className="grid gap-3 p-2.5 lg:grid-cols-2">
      <div>
        <p className="mb-1 text-soft">Arguments</p>
        {fn ? <DecodedArgs item={fn} /> : <span className="hex break-all">{input}</span>}
      </div>
      <div>
        <p className="mb-1 text-soft">Return value</p>
        {returned && returned.length > 0 ? <Values values={returned} /> : <span className="text-soft">None</span>}
      </div>
    </div>
  )
  return (
    <ActivityRow name={fn?.name ?? input.slice(0, 10)} title={fn?.signature} entry={call} details={details}>
      <Badge tone={depth === 0 ? 'accent' : 'neutral'}>{depth === 0 ? 'direct' : `${type} at depth ${depth}`}</Badge>
      {outcome === 'failed' && <Badge tone="bad">{revert?.reason ?? halt ?? 'reverted'}</Badge>}
      {outcome === 'reverted' && <Badge tone="warn">reverted by an outer call</Badge>}
      <span className="text-soft text-xs">from</span>
      <Account address={from} />
      <span className="text-soft text-xs">to</span>
      <Account address={to} />
    </ActivityRow>
  )
}
