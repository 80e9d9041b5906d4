import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useIsDark } from '../../theme/theme.ts'

export type Series = {
  name: string
  /** Values of one unit share an axis. */
  unit: string
  /** Seconds since 1970, ascending. */
  xs: readonly number[]
  ys: readonly number[]
  /** The value at the start of the period, drawn as a dashed line. */
  anchor?: number
}

type Props = { series: readonly Series[]; from: number; to: number; height?: number; label: string }

/** Line colors, which differ in brightness too. */
const lineColors = {
  light: ['#4a41d4', '#c2410c', '#0c7043', '#a21caf', '#0369a1', '#854d0e'],
  dark: ['#a5a1ff', '#fb923c', '#5bd699', '#f0abfc', '#7dd3fc', '#facc15'],
} as const

/** Values over time as steps: each holds until the next. Drag to zoom, double-click to reset. */
export function Chart({ series, from, to, height = 300, label }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const isDark = useIsDark()
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const plot = new uPlot(
      optionsFor(series, { isDark, from, to, width: element.clientWidth, height }),
      dataOf(series, from, to),
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [series, from, to, height, isDark])
  return (
    <div
      ref={ref}
      role="img"
      aria-label={label}
      className="chart min-w-0 overflow-hidden"
      style={{ minHeight: height + 30 }}
    />
  )
}

/** One table of times with a column per series. The last value of each holds until the end. */
function dataOf(series: readonly Series[], from: number, to: number): uPlot.AlignedData {
  const tables = series.map(({ xs, ys, anchor }): uPlot.AlignedData => {
    const times = [...xs]
    const values: (number | null)[] = [...ys]
    if (anchor !== undefined && (times[0] ?? to) > from) {
      times.unshift(from)
      values.unshift(anchor)
    }
    const last = values.at(-1)
    if (last !== undefined && (times.at(-1) ?? to) < to) {
      times.push(to)
      values.push(last)
    }
    return [times, values]
  })
  const first = tables[0]
  if (!first) return [[from, to]]
  return tables.length === 1
    ? first
    : uPlot.join(
        tables,
        tables.map((table) => table.map(() => 2 as const)),
      )
}

type Look = { isDark: boolean; from: number; to: number; width: number; height: number }

function optionsFor(series: readonly Series[], { isDark, from, to, width, height }: Look): uPlot.Options {
  const colors = lineColors[isDark ? 'dark' : 'light']
  const ink = isDark ? '#a2a2b0' : '#5c5c69'
  const grid = isDark ? '#26262f' : '#e4e4ea'
  const stepped = uPlot.paths.stepped?.({ align: 1 })
  const units = [...new Set(series.map(({ unit }) => unit))]
  const font = '11px Inter Variable, sans-serif'
  return {
    width,
    height,
    scales: { x: { time: true, min: from, max: to } },
    cursor: { points: { size: 6 } },
    legend: { live: true },
    series: [
      { value: (plot, value, _, index) => formatMoment(value ?? lastOf(plot, 0, index)) },
      ...series.map(({ name, unit }, index) => ({
        label: name,
        scale: unit || 'plain',
        stroke: colors[index % colors.length],
        width: 1.5,
        paths: stepped,
        points: { show: false },
        spanGaps: true,
        value: (plot: uPlot, value: number | null, position: number, index: number | null) => {
          const shown = value ?? lastOf(plot, position, index)
          return shown === null ? '–' : `${format(shown)}${unit && ` ${unit}`}`
        },
      })),
    ],
    axes: [
      { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font, values: timeLabels },
      ...units.slice(0, 2).map((unit, index) => ({
        scale: unit || 'plain',
        side: (index === 0 ? 3 : 1) as uPlot.Axis.Side,
        stroke: ink,
        grid: { show: index === 0, stroke: grid, width: 1 },
        ticks: { show: false },
        size: (_: uPlot, labels: string[] | null) =>
          Math.max(44, ...(labels ?? []).map(({ length }) => length * 7 + 14)),
        font,
        values: (_: uPlot, ticks: number[]) => ticks.map(format),
      })),
    ],
    hooks: { draw: [(plot) => drawAnchors(plot, series, colors)] },
  }
}

/** The latest value of a series, for the legend while no point is selected. */
function lastOf(plot: uPlot, position: number, pointed: number | null): number | null {
  if (pointed !== null) return null
  const values = plot.data[position] ?? []
  for (let index = values.length - 1; index >= 0; index--) {
    const value = values[index]
    if (value !== null && value !== undefined) return value
  }
  return null
}

const moment = uPlot.fmtDate('{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}')
const formatMoment = (seconds: number | null) => (seconds === null ? '–' : moment(new Date(seconds * 1000)))

/** Labels of the time axis by the distance of its ticks in seconds: the usual ones, and a second line where a day begins. */
const day = '\n{YYYY}-{MM}-{DD}'
const timeLabels: uPlot.Axis.Values = [
  [31_536_000, '{YYYY}', null, null, null, null, null, null, 1],
  [2_419_200, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400, '{MMM} {D}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', day, null, day, null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', day, null, day, null, null, null, 1],
  [0.001, ':{ss}.{fff}', day, null, day, null, null, null, 1],
]

function drawAnchors(plot: uPlot, series: readonly Series[], colors: readonly string[]): void {
  const { ctx, bbox } = plot
  for (const [index, { anchor, unit }] of series.entries()) {
    if (anchor === undefined || plot.series[index + 1]?.show === false) continue
    const y = Math.round(plot.valToPos(anchor, unit || 'plain', true))
    if (y < bbox.top || y > bbox.top + bbox.height) continue
    ctx.save()
    ctx.strokeStyle = colors[index % colors.length] ?? '#888'
    ctx.globalAlpha = 0.55
    ctx.setLineDash([5, 5])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    ctx.restore()
  }
}

const wide = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 7 })
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 5 })

function format(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e15) return value.toExponential(5)
  return size >= 1e7 ? compact.format(value) : wide.format(value)
}
