import { useState } from 'react'
import { PeriodChoice } from '../../../components/PeriodChoice.tsx'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import { formatDateTime, formatSpan } from '../../../format/time.ts'
import type { Period } from '../../../lib/period/period.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { type Bar, Bars } from '../../../ui/charts/Bars.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type Activity, useActivity } from '../api/details.ts'
import type { Subject } from '../api/workspaces.ts'

type Part = Activity['parts'][number]
type Kind = 'transactions' | 'callsTo' | 'callsBy' | 'events'

const kinds: readonly { id: Kind; name: string; count: (part: number) => string }[] = [
  { id: 'transactions', name: 'Transactions', count: (count) => formatCount(count, 'transaction') },
  { id: 'callsTo', name: 'Incoming calls', count: (count) => formatCount(count, 'incoming call') },
  { id: 'callsBy', name: 'Outgoing calls', count: (count) => formatCount(count, 'outgoing call') },
  { id: 'events', name: 'Events', count: (count) => formatCount(count, 'event') },
]

type Props = { subject: Subject; period: Period | undefined; onPeriod: (period: Period | undefined) => void }

/** Activity over time. */
export function ActivityChart({ subject, period, onPeriod }: Props) {
  const query = useActivity(subject, period)
  const [kind, setKind] = useState<Kind>('transactions')
  return (
    <Panel
      title="Activity"
      note={query.data && `${formatSpan(query.data.seconds * 1000)} per bar`}
      actions={
        <>
          <Choice label="Activity type" options={kinds} chosen={kind} onChoose={(next) => setKind(next ?? kind)} />
          <PeriodChoice period={period} onPeriod={onPeriod} />
        </>
      }
    >
      <Loaded query={query} what="activity" rows={5}>
        {({ parts, seconds, truncated }) => {
          const [first, last] = [parts[0], parts.at(-1)]
          if (!first || !last) return <Empty title="No activity yet" />
          const total = parts.reduce((sum, part) => sum + part[kind], 0)
          const { name, count } = kinds.find((one) => one.id === kind) as (typeof kinds)[number]
          return (
            <Bars
              label={`Activity over time: ${name.toLowerCase()}`}
              bars={parts.map((part) => barOf(part, kind, seconds))}
              summary={`${count(total)}${truncated ? '; counts stop at the latest 20,000 of each type' : ''}`}
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
  const where = blocks ? `blocks ${formatInteger(blocks.first)}–${formatInteger(blocks.last)}` : 'no blocks'
  return {
    text: `${timeOf(from)}, ${formatSpan(seconds * 1000)}, ${where}: ${counts.join(' · ')}`,
    value: part[kind],
    bad: kind === 'callsTo' ? failedCallsTo : 0,
  }
}
