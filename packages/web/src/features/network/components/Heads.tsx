import { Link } from '@tanstack/react-router'
import { describeRules } from '@understudy/client/methods'
import type { ReactNode } from 'react'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import { formatAge, formatSpan } from '../../../format/time.ts'
import { type NetworkInfo, useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { useNow } from '../../../ui/Age.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

/** The heads of the network and of the live chain, and the distance between them. */
export function Heads() {
  const query = useNetworkInfo()
  return (
    <Panel>
      <Loaded query={query} what="network" rows={2}>
        {(info) => <HeadTiles info={info} />}
      </Loaded>
    </Panel>
  )
}

function HeadTiles({ info }: { info: NetworkInfo }) {
  const { head, base, origin, upstream, mode, startedAt, chain, rules } = info
  const lag = upstream ? Math.max(0, upstream.head - base.number) : 0
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg bg-line sm:grid-cols-3 xl:grid-cols-6">
      <Tile name="Head" note={<Old at={head.timestamp} />}>
        <Link
          key={head.number}
          to="/block/$id"
          params={{ id: String(head.number) }}
          className="arrives rounded hover:text-accent"
        >
          {formatInteger(head.number)}
        </Link>
      </Tile>
      <Tile name="Live chain" note={upstream && <Old at={upstream.headTimestamp} />}>
        {upstream ? (
          <span key={upstream.head} className="arrives rounded">
            {formatInteger(upstream.head)}
          </span>
        ) : (
          <span className="text-soft">none</span>
        )}
      </Tile>
      <Tile name="Base" note="Untouched state is read here">
        {formatInteger(base.number)}
      </Tile>
      <Tile name="Lag" note="Base behind the live chain">
        {upstream ? (
          <Badge tone={lag > 5 ? 'warn' : 'good'}>{lag === 0 ? 'none' : formatCount(lag, 'block')}</Badge>
        ) : (
          '–'
        )}
      </Tile>
      <Tile name="Forked at" note={upstream ? `${chain.name}, by the rules of ${describeRules(rules)}` : 'No fork'}>
        {formatInteger(origin.number)}
      </Tile>
      <Tile name="Local blocks" note={<Up since={startedAt} mode={mode} />}>
        {formatInteger(Math.max(0, head.number - origin.number))}
      </Tile>
    </dl>
  )
}

/** Times are rendered alone, each second. */
function Old({ at }: { at: string }) {
  return `${formatAge(Date.parse(at), useNow())} old`
}

function Up({ since, mode }: { since: string; mode: string }) {
  return `Up ${formatSpan(Math.max(1000, useNow() - Date.parse(since)))}, ${mode}`
}

function Tile({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0 bg-panel px-3 py-2.5">
      <dt className="text-soft text-xs">{name}</dt>
      <dd>
        <span className="number flex h-7 items-center font-semibold text-lg tracking-tight">{children}</span>
        <span className="block truncate text-soft text-xs" title={typeof note === 'string' ? note : undefined}>
          {note}
        </span>
      </dd>
    </div>
  )
}
