import { Account } from '../../../components/Account.tsx'
import { BlockLink, TransactionLink } from '../../../components/HashLink.tsx'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { type Bar, Bars } from '../../../ui/charts/Bars.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type Counts, useDivergenceCounts } from '../api/shadow.ts'

/** What diverged over the blocks, and by function and cause. */
export function DivergenceCounts() {
  const query = useDivergenceCounts()
  if (query.data?.spans.length === 0) return null
  return (
    <Panel title="By function and cause" note={query.data?.truncated ? 'the newest only' : undefined}>
      <Loaded query={query} what="counts" rows={6}>
        {({ groups, spans }) => (
          <>
            <Timeline spans={spans} />
            {groups.length > 0 && (
              <ul aria-label="Divergences by function and cause" className="divide-y divide-line border-line border-t">
                {groups.map((group) => (
                  <Group key={JSON.stringify(group)} group={group} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function Timeline({ spans }: { spans: Counts['spans'] }) {
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) return null
  const sum = (read: (span: (typeof spans)[number]) => number) => spans.reduce((total, span) => total + read(span), 0)
  const total = sum(({ same, diverged, refused }) => same + diverged + refused)
  return (
    <Bars
      label="Shadowed transactions over the blocks"
      bars={spans.map(barOf)}
      summary={`${formatCount(total, 'transaction')} ran here, ${formatInteger(sum(differing))} came out otherwise`}
      from={`Block ${formatInteger(first.from)}`}
      to={`Block ${formatInteger(last.to)}`}
    />
  )
}

const differing = ({ diverged, refused }: Counts['spans'][number]) => diverged + refused

function barOf(span: Counts['spans'][number]): Bar {
  const { from, to, same } = span
  const where = from === to ? `Block ${formatInteger(from)}` : `Blocks ${formatInteger(from)}–${formatInteger(to)}`
  const value = same + differing(span)
  const text = `${where}: ${formatCount(value, 'transaction')}, ${formatInteger(differing(span))} came out otherwise`
  return { text, value, bad: differing(span) }
}

function Group({
  group: { to, contract, function: signature, selector, kind, isCascade, cause, count, newest },
}: {
  group: Counts['groups'][number]
}) {
  const name = signature?.split('(')[0] ?? selector ?? 'transfer of ether'
  return (
    <li className="grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-2 px-3 py-2 text-sm">
      <span className="number font-medium leading-6">{formatInteger(count)}</span>
      <div className="min-w-0 space-y-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 break-words" title={signature ?? undefined}>
            {contract ?? (to ? <Account address={to} /> : 'a creation')} <span className="font-medium">{name}</span>
          </span>
          {kind !== 'diverged' && <Badge tone={kind === 'refused' ? 'bad' : 'neutral'}>{kind}</Badge>}
          {isCascade && <Badge title="Caused by an earlier divergence">cascade</Badge>}
        </div>
        <p className="flex flex-wrap items-center gap-x-2 text-soft text-xs">
          <span className="min-w-0 break-words">{cause}</span>
          <span className="flex items-center gap-1">
            newest in <BlockLink number={newest.block} /> <TransactionLink hash={newest.hash} />
          </span>
        </p>
      </div>
    </li>
  )
}
