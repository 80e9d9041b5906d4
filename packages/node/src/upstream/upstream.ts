import { pathToFileURL } from 'node:url'
import { zeroAddress } from '../ethereum/constants.ts'
import { withoutBudget } from '../shared/budget/requestBudget.ts'
import { type Clock, systemClock, within } from '../shared/clock.ts'
import { isAnsweredError, isNetworkError, NetworkError } from '../shared/errors.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { type Capabilities, createCapabilityProbe, noCapabilities } from './capabilities.ts'
import type { EndpointProfile } from './endpoint/endpointProfile.ts'
import { createRedactor, isLocalSocket } from './endpoint/secrets.ts'
import { createHeadWatcher, type HeadWatcher } from './head/head.ts'
import { HeadSocket } from './head/headSocket.ts'
import { createLogReader, type ReadLogs } from './logs/logReader.ts'
import { createRecordedPost, type RecordedUpstream } from './recording/recordedPost.ts'
import { createFieldReader, createStateReader, type FieldReader } from './stateReader.ts'
import { Counters, type UpstreamCounters } from './transport/counters.ts'
import { RequestScheduler } from './transport/dispatcher.ts'
import type { Endpoints } from './transport/endpoints.ts'
import { createPost } from './transport/post.ts'
import { createRequests, type Request } from './transport/requests.ts'
import { SeenBlocks } from './transport/seenBlocks.ts'
import { createTransport } from './transport/transport.ts'
import type { Base, BlockAddress, StateReader } from './wantedState.ts'

export type UpstreamOptions = {
  /** HTTP or HTTPS; the first working one is used. User and password in a URL are sent as basic authentication. */
  urls: readonly [string, ...string[]]
  /** Sent with every HTTP request. */
  headers?: Readonly<Record<string, string>>
  /** The required chain id; `undefined`: that of the first URL. */
  known?: KnownChain | undefined
  /** Maximum number of calls per HTTP request, 100 by default; lower limits of upstream are detected. */
  maxBatch?: number
  /** Maximum number of calls a second for each URL; `undefined`: as many as it takes. */
  callsPerSecond?: number | undefined
  /** Whether a second URL is asked as well when the first takes longer than 95 of 100 requests do; false by default. */
  hedges?: boolean
  /** What an earlier start found of the URLs, by their names without secrets. */
  profiles?: Readonly<Record<string, EndpointProfile>> | undefined
  /** Maximum number of concurrent HTTP requests, 8 by default. */
  concurrency?: number
  /** Timeout of a request including retries, in milliseconds; 20 000 by default. */
  timeoutMs?: number
  /** Timeout of one HTTP request, in milliseconds; half of `timeoutMs` by default. */
  attemptTimeoutMs?: number
  /**
   * Timeout of the first contact, in milliseconds; 5 000 by default, and 1 500 for a known chain, which may be
   * unreachable.
   */
  startTimeoutMs?: number
  /** The poll interval for upstream's head, in milliseconds; `undefined`: derived from its block time. */
  pollIntervalMs?: number
  /** Answers for upstream, or records what it answers; its head then stands still, unless heads are recorded. */
  recorded?: RecordedUpstream | undefined
  /** Whether to subscribe to upstream's heads by WebSocket if its URLs support it; false by default. */
  webSocket?: boolean
}

/** A chain known from an earlier start: its id, and blocks of which it must have one, in order of preference. */
export type KnownChain = { chainId: bigint; blocks: readonly Base[] }

export type UpstreamStatus = {
  /** The active URL, without its secrets. */
  url: string
  /** When it last answered, in milliseconds since 1970. */
  lastContactAt: number | undefined
  /** Whether a URL is known to work. */
  reachable: boolean
  /** Whether another chain answers at its URL; it is not used. */
  isOtherChain: boolean
}

/** The forked live chain. */
export type Upstream = Service & {
  /**
   * Requests upstream's head, then tracks it. Throws `UPSTREAM_CHAIN_MISMATCH`, `UPSTREAM_HISTORY_MISMATCH`, and other
   * errors if the chain was not known. A known chain may be unreachable: requests then fail until it is back.
   */
  start(): Promise<void>
  /** Throws before the first contact if the chain was not known. */
  chainId(): bigint
  /** Sets the blocks of which upstream must have one, checked each time it comes back. */
  useBases(blocks: () => readonly Base[]): void
  /**
   * Sends any call; JSON values pass through unchanged. Throws `UPSTREAM_UNAVAILABLE`, `UPSTREAM_STATE_PRUNED`, or
   * `UPSTREAM_ERROR` with the `UpstreamRpcError` as its cause.
   */
  request: Request
  /** Reads state, in one round trip if it fits into one batch. */
  readState: StateReader
  /** Reads single fields of accounts, also in one round trip. */
  readFields: FieldReader
  /**
   * Names a block to calls that read its state. They read it by its hash, so that several nodes behind one address never answer
   * for different blocks of one number; where an endpoint takes no hashes, by its number or as the newest, and its hash is
   * confirmed afterwards. They throw `UPSTREAM_REORGED` if upstream no longer has the block.
   */
  atBlock(block: Base): BlockAddress
  /** Logs of its blocks, in parts where it takes fewer at a time. */
  readLogs: ReadLogs
  readonly head: HeadWatcher
  /** Upstream's capabilities; detected once, on first use. */
  capabilities(): Promise<Capabilities>
  status(): UpstreamStatus
  /** What the URLs were found to take and to offer in the last hour, by their names without secrets. */
  profiles(): Record<string, EndpointProfile>
  counters(): UpstreamCounters
}

/** Most milliseconds without an answer until upstream is known to be away. What waits for it is refused then. */
const mostAwayAfterMs = 2_000

/** How long it is remembered that nodes of upstream lag behind others, in milliseconds. */
const lagMemoryMs = 10 * 60_000

type Needs = {
  logger: Logger
  clock?: Clock
  /** Between 0 and 1, for the jitter. */
  random?: () => number
}

/** Creates the client of the live chain. Sends nothing before `start` or the first request. */
export function createUpstream(options: UpstreamOptions, needs: Needs): Upstream {
  const { logger, clock = systemClock, random = Math.random } = needs
  const { maxBatch = 100, concurrency = 8, timeoutMs = 20_000, headers = {}, known } = options
  const { startTimeoutMs = known ? 1_500 : 5_000 } = options
  let requiredBlocks = (): readonly Base[] => known?.blocks ?? []
  const { recorded } = options
  const urls = recorded?.isOffline ? [pathToFileURL(recorded.file)] : options.urls.map(parseUrl)
  const counters = new Counters(clock)
  const seen = new SeenBlocks()
  const transport = createTransport({ headers, connections: concurrency })
  const redact = createRedactor(urls, headers)
  const attemptTimeoutMs = options.attemptTimeoutMs ?? timeoutMs / 2
  const post = createPost({ attemptTimeoutMs }, { transport, clock, counters, redact })
  const dispatcher = new RequestScheduler(
    {
      urls,
      chainId: known?.chainId,
      isRecorded: recorded !== undefined,
      requiredBlocks: () => requiredBlocks(),
      maxBatch,
      callsPerSecond: options.callsPerSecond,
      hedges: options.hedges ?? false,
      concurrency,
      awayAfterMs: Math.min(mostAwayAfterMs, timeoutMs / 2),
    },
    {
      posts: recorded ? createRecordedPost(recorded, { live: post, redact }) : { post, ask: post },
      clock,
      logger,
      random,
      counters,
      seen,
      redact,
      ask: (method, params, at) => withoutBudget(() => request(method, params, { at })),
      onReorg: () => void withoutBudget(() => head.refresh()).catch(() => {}),
    },
  )
  const { endpoints } = dispatcher
  if (!recorded?.isOffline) knowProfiles(endpoints, options.profiles)
  const requests = createRequests({ timeoutMs }, { dispatcher, clock, counters })
  const { request } = requests
  const head = createHeadWatcher(
    { pollIntervalMs: options.pollIntervalMs },
    { request, awaitState, verify, clock, logger },
  )
  head.events.on('head', ({ number }) => {
    seen.newest = number
  })
  const atBlock = (block: Base): BlockAddress => {
    seen.add(block, clock.now())
    return { blockHash: block.hash }
  }
  const readFields = createFieldReader(request, atBlock)
  const socket = new HeadSocket(
    { urls, headers },
    { clock, logger, random, onBlock: head.onBlock, onChange: head.onChange },
  )

  /** Another chain may have been at the same address before a connection failed. */
  async function verify(): Promise<void> {
    endpoints.reverify()
    await request('eth_chainId', [])
  }

  /** Where nodes lag behind others, a head is believed once its state can be read. */
  async function awaitState(block: Base): Promise<void> {
    if (!dispatcher.lagsSince(clock.now() - lagMemoryMs)) return
    await request('eth_getBalance', [zeroAddress, atBlock(block)], { waitsForRecovery: true })
  }

  const batchLimit = () => endpoints.serving()?.batches.size(clock.now()) ?? maxBatch

  function onBlocksIgnored(): void {
    const endpoint = endpoints.serving()
    if (!endpoint?.ignoresBlocks(clock.now())) return
    const consequence = 'its state is read of the newest block only, and checked'
    logger.warn(
      { upstream: endpoint.name },
      `Upstream answers for every block with the state of its newest: ${consequence}`,
    )
  }

  return {
    async start() {
      await firstContact({ startTimeoutMs, isKnown: known !== undefined }, { head, dispatcher, clock, logger })
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
      requiredBlocks = blocks
    },
    request,
    readState: createStateReader(readFields),
    readFields,
    atBlock,
    readLogs: createLogReader({ request, spans: () => endpoints.nextFor('eth_getLogs').logs }),
    head,
    // Each head has values of its own, and hints would be recorded.
    capabilities: recorded
      ? async () => noCapabilities
      : createCapabilityProbe({ request, logger, batchLimit, onBlocksIgnored }),
    status: () => statusOf(endpoints),
    profiles: () => profilesOf(endpoints, clock),
    counters: () => counters.snapshot(),
  }
}

/** Waits for the head. Only a known chain may be away. */
async function firstContact(
  { startTimeoutMs, isKnown }: { startTimeoutMs: number; isKnown: boolean },
  {
    head,
    dispatcher,
    clock,
    logger,
  }: { head: HeadWatcher; dispatcher: RequestScheduler; clock: Clock; logger: Logger },
): Promise<void> {
  const late = () => {
    const problem = dispatcher.problem() ?? 'it does not answer'
    throw new NetworkError('UPSTREAM_UNAVAILABLE', { problem: `${problem} (waited ${startTimeoutMs / 1000} s)` })
  }
  try {
    await within(clock, startTimeoutMs, head.refresh(), late)
  } catch (error) {
    const mayBeAway = isNetworkError(error, 'UPSTREAM_UNAVAILABLE') || isAnsweredError(error)
    if (!isKnown || !mayBeAway) throw error
    logger.warn({ err: error }, 'Started without upstream; serving cached state until it is back')
  }
}

function statusOf(endpoints: Endpoints): UpstreamStatus {
  const serving = endpoints.serving()
  const { name, lastContactAt } = serving ?? endpoints.all[0]
  return {
    url: name,
    lastContactAt,
    reachable: serving !== undefined,
    isOtherChain: serving === undefined && endpoints.isOther(),
  }
}

function knowProfiles({ all }: Endpoints, profiles: UpstreamOptions['profiles']): void {
  for (const endpoint of all) {
    const known = profiles?.[endpoint.name]
    if (known) endpoint.know(known)
  }
}

function profilesOf({ all }: Endpoints, clock: Clock): Record<string, EndpointProfile> {
  const found = all.map((endpoint) => [endpoint.name, endpoint.profile(clock.now())] as const)
  return Object.fromEntries(found.flatMap(([name, profile]) => (profile ? [[name, profile]] : [])))
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (!/^https?:$/.test(url.protocol) && !isLocalSocket(url))) {
    throw new NetworkError('INVALID_PARAMS', {
      field: '--fork-url',
      problem: 'expected a URL that begins with http://, https:// or ipc://',
    })
  }
  return url
}
