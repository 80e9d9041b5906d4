import { useState } from 'react'
import { formatCount, formatInteger } from '../../../lib/format/amount.ts'
import { formatDateTime, formatSpan } from '../../../lib/format/time.ts'
import { PeriodChoice } from '../../../lib/period/PeriodChoice.tsx'
import type { Period } from '../../../lib/period/period.ts'
import type { Result } from '../../../lib/rpc/rpc.ts'
import { type Bar, Bars } from '../../../ui/Bars.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useActivity } from '../api/details.ts'

type Part = Result<'dev_getWorkspaceActivity'>['parts'][number]
type Kind = 'transactions' | 'callsTo' | 'callsBy' | 'events'

const kinds: readonly { id: Kind; name: string; count: (part: number) => string }[] = [
  { id: 'transactions', name: 'Transactions', count: (count) => formatCount(count, 'transaction') },
  { id: 'callsTo', name: 'Calls to it', count: (count) => `${formatCount(count, 'call')} to it` },
  { id: 'callsBy', name: 'Calls by it', count: (count) => `${formatCount(count, 'call')} by it` },
  { id: 'events', name: 'Events', count: (count) => formatCount(count, 'event') },
]

type Props = { id: string; period: Period | undefined; onPeriod: (period: Period | undefined) => void }

/** How much happened when. */
export function ActivityChart({ id, period, onPeriod }: Props) {
  const query = useActivity(id, period)
  const [kind, setKind] = useState<Kind>('transactions')
  return (
    <Panel
      title="Activity"
      note={query.data && `each bar ${formatSpan(query.data.seconds * 1000)}`}
      actions={
        <>
          <Choice label="What is counted" options={kinds} chosen={kind} onChoose={(next) => setKind(next ?? kind)} />
          <PeriodChoice period={period} onPeriod={onPeriod} />
        </>
      }
    >
      <Loaded query={query} what="the activity" rows={5}>
        {({ parts, seconds, truncated }) => {
          const [first, last] = [parts[0], parts.at(-1)]
          if (!first || !last) return <Empty title="Nothing happened here yet" />
          const total = parts.reduce((sum, part) => sum + part[kind], 0)
          const { name, count } = kinds.find((one) => one.id === kind) as (typeof kinds)[number]
          return (
            <Bars
              label={`Activity over time: ${name.toLowerCase()}`}
              bars={parts.map((part) => barOf(part, kind, seconds))}
              summary={`${count(total)}${truncated ? '; of each kind the newest 20,000 are counted' : ''}`}
              from={timeOf(first.from)}
              to={timeOf(last.from, seconds)}
            />
          )
        }}
      </Loaded>
    </Panel>
  )
}

const timeOf = (from: string, seconds = 0) => formatDateTime(Date.parse(from) + seconds * 1000)

function barOf(part: Part, kind: Kind, seconds: number): Bar {
  const { from, blocks, failedCallsTo } = part
  const counts = kinds.map(({ id, count }) => count(part[id]))
  if (failedCallsTo > 0) counts.push(`${formatInteger(failedCallsTo)} reverted`)
  const where = blocks ? `blocks ${formatInteger(blocks.first)}–${formatInteger(blocks.last)}` : 'no block'
  return {
    text: `${timeOf(from)}, ${formatSpan(seconds * 1000)}, ${where}: ${counts.join(' · ')}`,
    value: part[kind],
    bad: kind === 'callsTo' ? failedCallsTo : 0,
  }
}
