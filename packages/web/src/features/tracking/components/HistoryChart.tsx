import { lazy, Suspense, useMemo } from 'react'
import { PeriodChoice } from '../../../components/PeriodChoice.tsx'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import type { Period } from '../../../lib/period/period.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Series } from '../../../ui/charts/Chart.tsx'
import { download } from '../../../ui/download.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { csvOf } from '../api/csv.ts'
import { chartLimit, type History, type TrackedItem, useHistories } from '../api/tracked.ts'
import { numberFrom, type Unit, useUnits } from '../api/units.ts'

const Chart = lazy(() => import('../../../ui/charts/Chart.tsx').then((module) => ({ default: module.Chart })))

type Props = {
  items: readonly TrackedItem[]
  period: Period | undefined
  onPeriod: (period: Period | undefined) => void
}

/** The recorded values of some items, over one period. */
export function HistoryChart({ items, period, onPeriod }: Props) {
  const histories = useHistories(
    items.map(({ id }) => id),
    period,
  )
  const units = useUnits(items)
  const loaded = histories.flatMap(({ data }, index) => {
    const item = items[index]
    return data && item ? [{ item, history: data, unit: units[index] as Unit }] : []
  })
  const error = histories.find((one) => one.error)?.error
  const count = loaded.reduce((sum, { history }) => sum + history.values.length, 0)
  const signature = loaded
    .map(
      ({ item, history, unit }) =>
        `${item.id}${item.name}${history.values.length}${history.values.at(-1)?.timestamp}${history.periodEnd}${unit.symbol}`,
    )
    .join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature changes with the drawn values
  const drawn = useMemo(() => drawingOf(loaded), [signature])
  return (
    <Panel
      title={items.length === 1 ? items[0]?.name : formatCount(items.length, 'tracked value')}
      note={
        count >= chartLimit
          ? `Latest ${formatInteger(chartLimit)} recorded values`
          : formatCount(count, 'recorded value')
      }
      actions={
        <>
          <PeriodChoice period={period} onPeriod={onPeriod} />
          <Button
            disabled={count === 0}
            onClick={() => download(`${items.map(({ name }) => name).join('-') || 'tracked'}.csv`, csvOf(loaded))}
          >
            CSV
          </Button>
        </>
      }
    >
      {error ? (
        <Problem error={error} />
      ) : loaded.length < items.length ? (
        <Skeleton what="recorded values" rows={8} />
      ) : drawn.series.length === 0 ? (
        <Empty title="No values to chart in this period">
          Recording starts with the next block. Text and lists are in the table below.
        </Empty>
      ) : (
        <div className="pt-2">
          <Suspense fallback={<Skeleton what="chart" rows={8} />}>
            <Chart {...drawn} label={`Recorded values of ${items.map(({ name }) => name).join(', ')}`} />
          </Suspense>
        </div>
      )}
    </Panel>
  )
}

type Loaded = { item: TrackedItem; history: History; unit: Unit }

const seconds = (timestamp: string) => Date.parse(timestamp) / 1000

function drawingOf(loaded: readonly Loaded[]): { series: Series[]; from: number; to: number } {
  const series = loaded.flatMap(({ item, history, unit }): Series[] => {
    const xs: number[] = []
    const ys: number[] = []
    for (const { value, timestamp } of history.values) {
      const y = numberFrom(value, unit)
      if (y === undefined) continue
      xs.push(seconds(timestamp))
      ys.push(y)
    }
    const anchor = history.anchor ? numberFrom(history.anchor.value, unit) : undefined
    return xs.length === 0 && anchor === undefined ? [] : [{ name: item.name, unit: unit.symbol, xs, ys, anchor }]
  })
  const starts = loaded.map(({ history }) => seconds(history.periodStart))
  const ends = loaded.map(({ history }) => seconds(history.periodEnd))
  const from = Math.min(...starts)
  return { series, from, to: Math.max(...ends, from + 1) }
}
