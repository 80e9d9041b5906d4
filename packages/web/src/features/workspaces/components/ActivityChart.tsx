import { useState } from 'react'
import { formatInteger } from '../../../lib/format/amount.ts'
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

const kinds: readonly { id: Kind; name: string }[] = [
  { id: 'transactions', name: 'Transactions' },
  { id: 'callsTo', name: 'Calls to it' },
  { id: 'callsBy', name: 'Calls by it' },
  { id: 'events', name: 'Events' },
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
          const name = kinds.find((one) => one.id === kind)?.name.toLowerCase()
          return (
            <Bars
              label={`Activity over time: ${name}`}
              bars={parts.map((part) => barOf(part, kind, seconds))}
              summary={`${formatInteger(total)} ${name}${truncated ? '; of each kind the newest 20,000 are counted' : ''}`}
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
  const { from, blocks, transactions, callsTo, failedCallsTo, callsBy, events } = part
  const counts = [
    `${formatInteger(transactions)} transactions`,
    `${formatInteger(callsTo)} calls to it${failedCallsTo > 0 ? `, ${formatInteger(failedCallsTo)} reverted` : ''}`,
    `${formatInteger(callsBy)} calls by it`,
    `${formatInteger(events)} events`,
  ]
  const where = blocks ? `blocks ${formatInteger(blocks.first)}–${formatInteger(blocks.last)}` : 'no block'
  return {
    text: `${timeOf(from)}, ${formatSpan(seconds * 1000)}, ${where}: ${counts.join(' · ')}`,
    value: part[kind],
    bad: kind === 'callsTo' ? failedCallsTo : 0,
  }
}
