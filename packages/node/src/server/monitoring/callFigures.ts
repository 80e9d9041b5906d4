import type { Metric, Registry } from 'prom-client'

/** From half a millisecond, which a read of local state takes, to what a trace may take; in seconds. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

type Figures = { outcomes: Map<string, number>; inBucket: number[]; seconds: number; count: number }

/** Counts requests by method, and how long they took. There are ten thousands per second, so that a call allocates nothing. */
export function createCallFigures(registry: Registry): (method: string, outcome: string, seconds: number) => void {
  const byMethod = new Map<string, Figures>()

  function register(name: string, type: string, help: string, values: () => object[]): void {
    const metric = { name, type, help, aggregator: 'sum', get: async () => ({ name, type, help, values: values() }) }
    registry.registerMetric(metric as unknown as Metric)
  }

  const name = 'understudy_requests_total'
  register(name, 'counter', 'JSON-RPC requests by method and outcome: ok, or the kind of the error.', () =>
    [...byMethod].flatMap(([method, { outcomes }]) =>
      [...outcomes].map(([outcome, value]) => ({ labels: { method, outcome }, value })),
    ),
  )
  const histogram = 'understudy_request_seconds'
  register(histogram, 'histogram', 'How long JSON-RPC requests took, by method.', () =>
    [...byMethod].flatMap(([method, { inBucket, seconds, count }]) => {
      let sum = 0
      const upTo = buckets.map((le, index) => {
        sum += inBucket[index] as number
        return { labels: { le, method }, value: sum, metricName: `${histogram}_bucket` }
      })
      return [
        ...upTo,
        { labels: { le: '+Inf', method }, value: count, metricName: `${histogram}_bucket` },
        { labels: { method }, value: seconds, metricName: `${histogram}_sum` },
        { labels: { method }, value: count, metricName: `${histogram}_count` },
      ]
    }),
  )

  return (method, outcome, seconds) => {
    let figures = byMethod.get(method)
    if (!figures) {
      figures = { outcomes: new Map(), inBucket: buckets.map(() => 0), seconds: 0, count: 0 }
      byMethod.set(method, figures)
    }
    figures.outcomes.set(outcome, (figures.outcomes.get(outcome) ?? 0) + 1)
    figures.seconds += seconds
    figures.count++
    const index = buckets.findIndex((most) => seconds <= most)
    if (index >= 0) (figures.inBucket[index] as number) += 1
  }
}
