import { withoutBudget } from '../shared/budget/requestBudget.ts'
import { type Clock, systemClock, within } from '../shared/clock.ts'
import { isAnsweredError, isNetworkError, NetworkError } from '../shared/errors.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { type AtBlock, createAtBlock } from './blockAddress.ts'
import { type Capabilities, createCapabilityProbe } from './capabilities.ts'
import { createHeadWatcher, type HeadWatcher } from './head/head.ts'
import { createHeadSocket } from './head/headSocket.ts'
import { createFieldReader, createStateReader, type FieldReader } from './stateReader.ts'
import { Counters, type UpstreamCounters } from './transport/counters.ts'
import { createRequestScheduler } from './transport/dispatcher.ts'
import { createRequests, type Request } from './transport/requests.ts'
import { createRedactor } from './transport/secrets.ts'
import { createTransport } from './transport/transport.ts'
import type { Base, StateReader } from './wantedState.ts'

export type UpstreamOptions = {
  /** HTTP or HTTPS; the first that works serves. User and password in a URL go out as basic authentication. */
  urls: readonly [string, ...string[]]
  /** Sent with every HTTP request. */
  headers?: Readonly<Record<string, string>>
  /** The chain that upstream must be; whatever the first URL is when `undefined`. */
  known?: KnownChain | undefined
  /** The most calls in one HTTP request. 100 by default; upstreams that take fewer are found out. */
  maxBatch?: number
  /** The most HTTP requests under way at a time. 8 by default. */
  concurrency?: number
  /** Milliseconds after which a request is given up, all attempts together. 20 000 by default. */
  timeoutMs?: number
  /** Milliseconds after which one HTTP request is given up. Half of `timeoutMs` by default. */
  attemptTimeoutMs?: number
  /** Milliseconds after which the first contact is given up. 5 000 by default, and 1 500 with a chain that is known: it can be away. */
  startTimeoutMs?: number
  /** Milliseconds between two looks at upstream's head; derived from its block times when `undefined`. */
  pollIntervalMs?: number
  /** Whether upstream's heads are subscribed to by WebSocket, where its URLs offer it. False by default. */
  webSocket?: boolean
}

/** A chain that is known from before: its id, and blocks of which it has at least one, the one first that is asked for first. */
export type KnownChain = { chainId: bigint; blocks: readonly Base[] }

export type UpstreamStatus = {
  /** The URL that serves, without its secrets. */
  url: string
  /** When it last answered, in milliseconds since 1970. */
  lastContactAt: number | undefined
  /** Whether some URL is known to work now. */
  reachable: boolean
  /** Whether another chain answers in its place, which is not used. */
  isOtherChain: boolean
}

/** The live chain that is forked. */
export type Upstream = Service & {
  /**
   * Looks at upstream's head, then follows it. Throws `UPSTREAM_OF_OTHER_CHAIN`, `UPSTREAM_OF_OTHER_HISTORY`, and what else went
   * wrong when the chain was not known; that of a chain that is known may be away: then requests fail until it is back.
   */
  start(): Promise<void>
  /** Throws before the first contact when the chain was not known. */
  chainId(): bigint
  /** Says which blocks the chain has, of which whatever answers in its place must have one: from now on, each time it comes back. */
  useBases(blocks: () => readonly Base[]): void
  /**
   * Sends any call; JSON values go in and come out untouched.
   * Throws `UPSTREAM_UNAVAILABLE`, `UPSTREAM_STATE_PRUNED`, or `UPSTREAM_ERROR` with the `UpstreamRpcError` as its cause.
   */
  request: Request
  /** Reads state, everything in one round trip when it fits into one batch. */
  readState: StateReader
  /** Reads fields of accounts each on its own, in one round trip as well. */
  readFields: FieldReader
  /** For other calls that read the state of a block. */
  atBlock: AtBlock
  readonly head: HeadWatcher
  /** What upstream offers; asked once, when first wanted. */
  capabilities(): Promise<Capabilities>
  status(): UpstreamStatus
  counters(): UpstreamCounters
}

type Needs = {
  logger: Logger
  clock?: Clock
  /** Between 0 and 1, for the jitter. */
  random?: () => number
}

/** Makes the client of the live chain. Nothing is sent before `start` or the first request. */
export function createUpstream(options: UpstreamOptions, needs: Needs): Upstream {
  const { logger, clock = systemClock, random = Math.random } = needs
  const { maxBatch = 100, concurrency = 8, timeoutMs = 20_000, headers = {}, known } = options
  const { startTimeoutMs = known ? 1_500 : 5_000 } = options
  let standsOn = (): readonly Base[] => known?.blocks ?? []
  const urls = options.urls.map(parseUrl)
  const counters = new Counters()
  const transport = createTransport({ headers, connections: concurrency })
  const dispatcher = createRequestScheduler(
    {
      urls,
      chainId: known?.chainId,
      standsOn: () => standsOn(),
      maxBatch,
      concurrency,
      attemptTimeoutMs: options.attemptTimeoutMs ?? timeoutMs / 2,
    },
    { transport, clock, logger, random, counters, redact: createRedactor(urls, headers) },
  )
  const { endpoints } = dispatcher
  const requests = createRequests({ timeoutMs }, { dispatcher, clock, counters })
  const { request } = requests
  const head = createHeadWatcher({ pollIntervalMs: options.pollIntervalMs }, { request, verify, clock, logger })
  const atBlock = createAtBlock({
    request,
    onReorg: () => void withoutBudget(() => head.refresh()).catch(() => {}),
    clock,
    random,
    logger,
  })
  const readFields = createFieldReader(request, atBlock)
  const socket = createHeadSocket(
    { urls, headers },
    { clock, logger, random, onBlock: head.onBlock, onChange: head.onChange },
  )
  const serving = () => endpoints.all.find(({ state }) => state === 'ready')

  /** Another chain may be behind the same address before a connection failed. */
  async function verify(): Promise<void> {
    endpoints.doubt()
    await request('eth_chainId', [])
  }

  async function firstContact(): Promise<void> {
    const late = () => {
      const problem = dispatcher.problem() ?? 'it does not answer'
      throw new NetworkError('UPSTREAM_UNAVAILABLE', { problem: `${problem} (waited ${startTimeoutMs / 1000} s)` })
    }
    try {
      await within(clock, startTimeoutMs, head.refresh(), late)
    } catch (error) {
      const mayBeAway = isNetworkError(error, 'UPSTREAM_UNAVAILABLE') || isAnsweredError(error)
      if (!known || !mayBeAway) throw error
      logger.warn({ err: error }, 'Started without upstream: what is known of it is served until it is back')
    }
  }

  return {
    async start() {
      await firstContact()
      head.start()
      if (options.webSocket) socket.start()
    },
    async stop() {
      socket.stop()
      head.stop()
      dispatcher.stop()
      requests.stop()
      await transport.close()
    },
    chainId() {
      const chainId = endpoints.chainId()
      if (chainId === undefined) throw new NetworkError('UPSTREAM_UNAVAILABLE', { problem: 'it has not answered yet' })
      return chainId
    },
    useBases(blocks) {
      standsOn = blocks
    },
    request,
    readState: createStateReader(readFields),
    readFields,
    atBlock,
    head,
    capabilities: createCapabilityProbe({ request, logger, batchLimit: () => serving()?.batchLimit ?? maxBatch }),
    status() {
      const endpoint = serving() ?? endpoints.all[0]
      return {
        url: endpoint?.name ?? '',
        lastContactAt: endpoint?.lastContactAt,
        reachable: serving() !== undefined,
        isOtherChain: serving() === undefined && endpoints.isOther(),
      }
    },
    counters: () => counters.snapshot(),
  }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new NetworkError('INVALID_PARAMS', {
      field: '--fork-url',
      problem: 'expected a URL that begins with http:// or https://',
    })
  }
  return url
}
