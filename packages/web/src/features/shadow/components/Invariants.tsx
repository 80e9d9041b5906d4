import { BlockLink, TransactionLink } from '../../../components/HashLink.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type Invariant, useInvariants } from '../api/shadow.ts'

/** What must hold after every block, and where it last did not. */
export function Invariants() {
  const query = useInvariants()
  return (
    <Panel title="Invariants" note={query.data && String(query.data.length)}>
      <Loaded query={query} what="invariants" rows={2}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No invariants">dev_addInvariant adds a check that must hold after every block.</Empty>
          ) : (
            <ul aria-label="Invariants" className="divide-y divide-line">
              {all.map((invariant) => (
                <Row key={invariant.id} invariant={invariant} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

function Row({ invariant: { name, check, holds, pause, failures } }: { invariant: Invariant }) {
  const [last] = failures
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
      <span className="min-w-0 max-w-full truncate font-medium" title={name}>
        {name}
      </span>
      <Badge tone={holds ? 'good' : 'bad'}>{holds ? 'holds' : 'broken'}</Badge>
      {pause && <Badge title="Pauses block production when violated">pauses</Badge>}
      {last && (
        <span className="flex flex-wrap items-center gap-2 text-soft text-xs">
          {holds ? 'last broken in' : 'since'} block <BlockLink number={last.block} />
          {last.transaction && <TransactionLink hash={last.transaction} />}
          <span className="break-words">
            {last.error ?? ('holds' in check ? last.left : `${last.left}, expected ${check.is} ${last.right}`)}
          </span>
          {last.line?.file && (
            <span className="break-all">
              by {last.line.file}:{last.line.line}
            </span>
          )}
          {last.branch && <span className="break-all">branch {last.branch}</span>}
        </span>
      )}
    </li>
  )
}
