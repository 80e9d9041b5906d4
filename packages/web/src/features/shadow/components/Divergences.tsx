import { useState } from 'react'
import { Account } from '../../../components/Account.tsx'
import { BlockLink, TransactionLink } from '../../../components/HashLink.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { PagedList } from '../../../ui/PagedList.tsx'
import { type Divergence, useDivergences } from '../api/shadow.ts'

/** The transactions that came out otherwise, each with both sides. */
export function Divergences() {
  const [hidesCascades, setHidden] = useState(false)
  const query = useDivergences(hidesCascades ? false : undefined)
  return (
    <PagedList
      title="Divergences"
      query={query}
      keyOf={({ hash }) => hash}
      empty="No divergences"
      actions={
        <Button onClick={() => setHidden(!hidesCascades)}>{hidesCascades ? 'Show cascades' : 'Hide cascades'}</Button>
      }
    >
      {(found) => <Row found={found} />}
    </PagedList>
  )
}

function Row({ found }: { found: Divergence }) {
  const [isOpen, setOpen] = useState(false)
  const { hash, block, kind, isCascade, to, contract, function: signature, unexpected } = found
  return (
    <div className="px-3 py-1.5 text-sm">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <TransactionLink hash={hash} />
        <BlockLink number={block} />
        <span className="min-w-0 max-w-full truncate text-soft text-xs" title={signature ?? undefined}>
          {contract ?? (to && <Account address={to} />)} {signature?.split('(')[0]}
        </span>
        <Badge tone={kind === 'unreproducible' ? 'neutral' : 'bad'}>
          {kind === 'diverged' ? unexpected.join(', ') : kind}
        </Badge>
        {isCascade && <Badge title="It comes out as on the live chain without earlier divergences">cascade</Badge>}
        <span className="ml-auto">
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Compare'}
          </Button>
        </span>
      </div>
      {isOpen && <Sides found={found} />}
    </div>
  )
}

function Sides({ found: { reason, live, shadow, logs, balances, storage, because } }: { found: Divergence }) {
  const eventOf = (log: Divergence['logs'][number]['live']) =>
    log && `${log.event?.name ?? log.topics[0] ?? 'log'}(${valuesOf(log)})`
  const rows: [name: string, live: string | null, shadow: string | null][] = [
    ['Status', withReason(live), shadow && withReason(shadow)],
    ['Gas', live.gasUsed, shadow?.gasUsed ?? null],
    ...logs.map((pair): [string, string | null, string | null] => ['Log', eventOf(pair.live), eventOf(pair.shadow)]),
    ...balances.map((each): [string, string | null, string | null] => [
      `Wei of ${each.address}`,
      each.live,
      each.shadow,
    ]),
    ...storage.map((each): [string, string | null, string | null] => [
      `Slot ${each.slot} of ${each.address}`,
      each.live,
      each.shadow,
    ]),
  ]
  return (
    <div className="space-y-2 py-2 text-xs">
      {reason !== null && <p className="break-words text-warn">{reason}</p>}
      {because.length > 0 && (
        <p className="flex flex-wrap items-center gap-2 text-soft">
          Because of
          {because.map((hash) => (
            <TransactionLink key={hash} hash={hash} />
          ))}
        </p>
      )}
      <table className="w-full table-fixed border-collapse">
        <thead>
          <tr className="text-left text-soft">
            <th className="w-1/4 py-1 pr-2 font-medium">What</th>
            <th className="py-1 pr-2 font-medium">Live chain</th>
            <th className="py-1 font-medium">Here</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, there, here], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a divergence never change places
            <tr key={index} className="border-line border-t align-top">
              <th scope="row" className="break-all py-1 pr-2 text-left font-normal text-soft">
                {name}
              </th>
              <td className="hex break-all py-1 pr-2">{there ?? '—'}</td>
              <td className="hex break-all py-1">{here ?? '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const withReason = ({ status, reason }: Divergence['live']) => (reason === null ? status : `${status}: ${reason}`)

const valuesOf = ({ event, data }: NonNullable<Divergence['logs'][number]['live']>) =>
  event?.args
    ?.map(({ name, value }) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ') ?? data
