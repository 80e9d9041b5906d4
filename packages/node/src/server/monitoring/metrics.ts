import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { AnsweredCall } from '../../rpc/dispatch/envelope.ts'
import type { Services } from '../../rpc/services.ts'
import { maskUrl } from '../../shared/urls.ts'
import { createCallFigures } from './callFigures.ts'

export type Metrics = {
  /** Counts a call and its duration. */
  observe(call: AnsweredCall): void
  /** All metrics in the format of Prometheus. */
  text(sockets: { connections: number; subscriptions: number }): Promise<string>
  readonly contentType: string
}

/** Process metrics: memory, CPU, event loop, garbage collection. They are shared by all networks in the process. */
let processRegistry: Registry | undefined

function requireProcessRegistry(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry })
  }
  return processRegistry
}

/** Metrics of a process that has several networks: of the process, and how many networks are in which state. */
export function createHostMetrics(counts: () => Record<string, number>): Pick<Metrics, 'contentType'> & {
  text(): Promise<string>
} {
  const registry = new Registry()
  new Gauge({
    name: 'understudy_networks',
    help: 'Networks that are not asleep: awake or waking.',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(counts())) this.set({ state }, count)
    },
  })
  return { contentType: registry.contentType, text: () => withProcess(registry) }
}

const withProcess = async (registry: Registry) =>
  `${await registry.metrics()}\n${await requireProcessRegistry().metrics()}`

/** Counts requests, and reads the state of the network on each scrape. */
export function createMetrics(services: Services): Metrics {
  const registry = new Registry()
  const note = createCallFigures(registry)
  const fetched = new Counter({
    name: 'understudy_request_upstream_values_total',
    help: 'Values of the live chain fetched for requests, by API key.',
    labelNames: ['key'] as const,
    registers: [registry],
  })
  const seen = { connections: 0, subscriptions: 0 }
  addNetworkMetrics(registry, services, seen)
  addChangeMetrics(registry, services)
  addUpstreamMetrics(registry, services)

  return {
    observe({ method, error, ms, caller: { key = '', budget } }) {
      note(method?.name ?? 'unknown', error ?? 'ok', ms / 1000)
      const values = budget.countKeys()
      if (values > 0) fetched.inc({ key }, values)
    },
    async text(sockets) {
      Object.assign(seen, sockets)
      return withProcess(registry)
    },
    contentType: registry.contentType,
  }
}

type Sockets = Parameters<Metrics['text']>[0]

function addGauge(registry: Registry, name: string, help: string, read: () => number | undefined): void {
  new Gauge({
    name: `understudy_${name}`,
    help,
    registers: [registry],
    collect() {
      const value = read()
      if (value === undefined) this.remove()
      else this.set(value)
    },
  })
}

/** Its blocks, what clients hold, and what they asked for. */
function addNetworkMetrics(registry: Registry, services: Services, seen: Sockets): void {
  const gauge = (name: string, help: string, read: () => number) => addGauge(registry, name, help, read)
  gauge(
    'tracked_items_skipped',
    'Tracked items that the latest blocks had no time for.',
    () => services.tracking.slow().length,
  )
  gauge('head_block', 'Number of the latest block.', () => Number(services.history.head().header.number))
  gauge('base_block', 'Block of the live chain from which untouched state is read.', () =>
    Number(services.history.head().base.number),
  )
  gauge('pool_transactions', 'Transactions in the pool.', () => services.submission.poolSize())
  gauge('filters', 'Filters of clients that poll.', () => services.filters.count())
  gauge('websocket_connections', 'Open WebSocket connections.', () => seen.connections)
  gauge('subscriptions', 'Subscriptions of all WebSocket connections.', () => seen.subscriptions)
  gauge('worker_threads', 'Worker threads that run.', () => services.workers().threads)
  new Counter({
    name: 'understudy_key_requests_total',
    help: 'Requests by API key.',
    labelNames: ['key', 'role'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const { id, role, requests } of services.apiKeys.usage()) this.inc({ key: id, role }, requests)
    },
  })
  new Counter({
    name: 'understudy_worker_runs_total',
    help: 'Runs of messages in worker threads.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(services.workers().runs)
    },
  })
}

/** What the network finds of its changes: shadowed transactions and invariants. */
function addChangeMetrics(registry: Registry, services: Services): void {
  new Gauge({
    name: 'understudy_shadowed_transactions',
    help: 'Transactions of the live chain that ran here, of the blocks that are kept: same, diverged, refused or unreproducible.',
    labelNames: ['outcome'] as const,
    registers: [registry],
    async collect() {
      const { counts } = await services.shadow.status()
      for (const [outcome, count] of Object.entries(counts)) this.set({ outcome }, count)
    },
  })
  new Gauge({
    name: 'understudy_broken_invariants',
    help: 'Invariants that do not hold.',
    registers: [registry],
    async collect() {
      this.set(await services.invariants.countBroken())
    },
  })
}

/** The live chain, and what is asked of it. */
function addUpstreamMetrics(registry: Registry, services: Services): void {
  const gauge = (name: string, help: string, read: () => number | undefined) => addGauge(registry, name, help, read)
  gauge('upstream_head_block', "Number of the live chain's latest block.", () => numberOf(services.upstream()?.head))
  gauge('upstream_lag_blocks', 'Blocks by which the base lags behind the live chain.', () => {
    const live = services.upstream()
    return live && Number(live.head - services.history.head().base.number)
  })
  gauge('upstream_reachable', '1 when the live chain answers.', () => numberOf(services.upstream()?.reachable))
  gauge('upstream_cache_bytes', "Size of the cache of the live chain's state.", () => services.upstream()?.cacheBytes)
  new Gauge({
    name: 'understudy_upstream_profile',
    help: 'What each URL of the live chain was found to take in the last hour: calls and bytes of a batch, blocks of state, blocks and rows of logs, methods that it lacks, calls and compute units a second at which it limited them, and whether it reads state by hash, by number or of the newest block only.',
    labelNames: ['upstream', 'kind'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [url, found] of Object.entries(services.upstream()?.profiles ?? {})) {
        const upstream = maskUrl(url)
        this.set({ upstream, kind: 'batch' }, found.batch)
        this.set({ upstream, kind: 'missing methods' }, found.missingMethods.length)
        this.set({ upstream, kind: `state by ${found.stateNames}` }, 1)
        for (const [kind, value] of Object.entries({
          'refused batch bytes': found.refusedBatchBytes,
          'blocks of state': found.stateBlocks,
          'limited at rate': found.limitedAtRate,
          'limited at compute units': found.limitedAtUnits,
          'blocks of logs': found.logBlocks,
          'rows of logs': found.logRows,
        }))
          if (value !== undefined) this.set({ upstream, kind }, value)
      }
    },
  })
  new Counter({
    name: 'understudy_upstream_requests_total',
    help: 'Requests to the live chain by method: requests needed, calls sent, retries, errors.',
    labelNames: ['method', 'kind'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [method, counts] of Object.entries(services.upstreamUsage()?.methods ?? {}))
        for (const [kind, count] of Object.entries(counts)) this.inc({ method, kind }, count)
    },
  })
  gauge(
    'upstream_http_requests_last_minute',
    'HTTP requests to the live chain in the last minute.',
    () => services.upstreamUsage()?.httpRequestsLastMinute,
  )
  new Counter({
    name: 'understudy_upstream_http_total',
    help: 'HTTP requests to the live chain, failures, and bytes.',
    labelNames: ['kind'] as const,
    registers: [registry],
    collect() {
      this.reset()
      const { methods, httpRequestsLastMinute, ...counts } = services.upstreamUsage() ?? { methods: {} }
      for (const [kind, count] of Object.entries(counts)) this.inc({ kind }, count)
    },
  })
}

function numberOf(value: bigint | boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value)
}
