import { type Forecast, forecastAsMarkdown } from '@understudy/client/forecasts'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { download } from '../../../ui/download.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { type ForecastRange, useForecast } from '../api/forecast.ts'
import { ForecastReport } from './ForecastReport.tsx'

const ranges: readonly { id: ForecastRange; name: string }[] = [
  { id: 'newest', name: 'Newest blocks' },
  { id: 'day', name: 'A day' },
  { id: 'week', name: 'A week' },
]

/** Runs recent transactions by the rules of the next hardfork, and shows what breaks. */
export function ForecastPanel() {
  const [isOwn, setOwn] = useState(false)
  const [range, setRange] = useState<ForecastRange>('newest')
  const { report, addresses, progress, problem, start, stop } = useForecast()
  return (
    <>
      <Panel title="What Amsterdam breaks" note="Recent transactions, run by its rules" padded>
        <div className="flex flex-wrap items-center gap-2">
          <Choice
            label="Contracts"
            options={[
              { id: 'all', name: 'All contracts' },
              { id: 'own', name: 'Workspaces' },
            ]}
            chosen={isOwn ? 'own' : 'all'}
            onChoose={(id) => setOwn(id === 'own')}
          />
          <Choice label="Blocks" options={ranges} chosen={range} onChoose={(id) => setRange(id ?? 'newest')} />
          <Button tone="primary" busy={progress !== undefined} onClick={() => start({ isOwn, range })}>
            Forecast
          </Button>
          {progress && (
            <>
              <Button onClick={stop}>Stop</Button>
              <span role="status" className="text-soft text-xs">
                Part {progress.done + 1} of {progress.of}
              </span>
            </>
          )}
          {report && !progress && <Files report={report} addresses={addresses} />}
        </div>
        <p className="pt-2 text-soft text-xs">
          Of a day or a week, a sample of 96 blocks runs, first those in which the contracts logged something.
        </p>
      </Panel>
      {problem !== undefined && <Problem error={problem} />}
      {report ? (
        <ForecastReport report={report} addresses={addresses} />
      ) : (
        !progress &&
        problem === undefined && (
          <Panel>
            <Empty title="No forecast yet">
              A forecast names the functions that fail then or need a higher gas limit, with the line and the cause.
            </Empty>
          </Panel>
        )
      )}
    </>
  )
}

function Files({ report, addresses }: { report: Forecast; addresses: readonly string[] }) {
  return (
    <span className="flex gap-1.5">
      <Button onClick={() => download('forecast.md', forecastAsMarkdown(report, addresses), 'text/markdown')}>
        Markdown
      </Button>
      <Button onClick={() => download('forecast.json', JSON.stringify(report, null, 2), 'application/json')}>
        JSON
      </Button>
    </span>
  )
}
