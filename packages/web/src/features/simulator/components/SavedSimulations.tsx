import { Link } from '@tanstack/react-router'
import { Account } from '../../../components/Account.tsx'
import { formatInteger } from '../../../format/amount.ts'
import { Age } from '../../../ui/Age.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { PagedList } from '../../../ui/PagedList.tsx'
import { type SimulationEntry, useSavedSimulations } from '../api/stored.ts'

/** The simulations that were saved, newest first. */
export function SavedSimulations() {
  const query = useSavedSimulations()
  return (
    <PagedList
      title="Saved simulations"
      query={query}
      keyOf={({ id }) => id}
      empty="Save a result to keep it here, with a link of its own"
    >
      {(entry) => <Entry entry={entry} />}
    </PagedList>
  )
}

function Entry({
  entry: { id, status, from, to, input, function: fn, error, blockNumber, createdAt, isShared },
}: {
  entry: SimulationEntry
}) {
  const name = fn ?? (to === null ? 'contract creation' : input === '0x' ? 'transfer' : input.slice(0, 10))
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
      <Badge tone={status === 'succeeded' ? 'good' : 'bad'}>{status === 'succeeded' ? 'succeeds' : 'reverts'}</Badge>
      <Link to="/simulation/$id" params={{ id }} className="hex rounded font-medium text-accent hover:underline">
        {name}
      </Link>
      {to && <Account address={to} />}
      <span className="flex items-center gap-1 text-soft">
        by <Account address={from} />
      </span>
      {error !== null && <span className="max-w-md truncate text-bad text-xs">{error}</span>}
      <span className="ml-auto flex items-center gap-3 text-xs">
        {isShared && <Badge tone="accent">shared</Badge>}
        <span className="number text-soft">block {formatInteger(blockNumber)}</span>
        <Age at={Date.parse(createdAt)} />
      </span>
    </div>
  )
}
