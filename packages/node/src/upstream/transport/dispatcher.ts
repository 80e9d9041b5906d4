import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import { quantity } from '../../shared/hex.ts'
import type { Logger } from '../../shared/logger.ts'
import { createRecordedPost, type RecordedUpstream } from '../recording/recordedPost.ts'
import type { Base } from '../wantedState.ts'
import { createChainQuestions } from './chainQuestions.ts'
import type { Counters } from './counters.ts'
import type { Endpoint } from './endpoint.ts'
import { createEndpoints, type Endpoints } from './endpoints.ts'
import { createHedging } from './hedging.ts'
import type { Call } from './outcome.ts'
import { createPost } from './post.ts'
import { type Item, isSlow, Queue } from './queue.ts'
import { createReactions } from './reactions.ts'
import { stateBlockOf } from './rpcError.ts'
import type { SeenBlocks } from './seenBlocks.ts'
import type { Sent } from './stateNames.ts'
import type { Transport } from './transport.ts'

/** How long calls wait while an upstream that was away is asked whether it is back. */
const askingMs = 1_000

type SchedulerOptions = {
  urls: readonly URL[]
  chainId: bigint | undefined
  standsOn(): readonly Base[]
  /** Maximum number of calls in one HTTP request. */
  maxBatch: number
  /** Maximum number of calls a second for each endpoint; `undefined`: as many as it takes. */
  callsPerSecond: number | undefined
  /** Whether a second endpoint is asked as well when a request takes longer than usual. */
  hedges: boolean
  /** Maximum number of concurrent HTTP requests. */
  concurrency: number
  /** Maximum time for one HTTP request. */
  attemptTimeoutMs: number
  /** How long no endpoint must be usable until upstream is known to be away, in milliseconds. */
  awayAfterMs: number
  recorded: RecordedUpstream | undefined
}

type Needs = {
  transport: Transport
  clock: Clock
  logger: Logger
  random: () => number
  counters: Counters
  seen: SeenBlocks
  /** Removes our secrets from a text of upstream's. */
  redact(text: string): string
  /** Sends a call of our own, to the endpoint if there is one. */
  ask(method: string, params: readonly unknown[], at?: Endpoint): Promise<unknown>
  /** Called when a block is gone, to look for upstream's new head. */
  onReorg(): void
}

/** Sends calls in batches to the active endpoint, with retries where useful, until they are settled. */
export type RequestScheduler = {
  readonly endpoints: Endpoints
  /** Calls of one tick are sent together. */
  send(item: Item): void
  /** Call it when an item was settled from outside, so that it is not sent any more. */
  forget(item: Item): void
  /**
   * How long a call may take, in milliseconds: long, or a moment while upstream is known to be away and is asked whether
   * it is back. Throws `UPSTREAM_UNAVAILABLE` when it has just said that it is not.
   */
  patienceMs(): number
  /** The problem with the endpoints; `undefined` if none is known. */
  problem(): string | undefined
  /** Whether a node of upstream did not have a block yet that another one had, since a time in milliseconds since 1970. */
  lagsSince(from: number): boolean
  stop(): void
}

export function createRequestScheduler(options: SchedulerOptions, needs: Needs): RequestScheduler {
  const { clock, logger, random, counters, seen } = needs
  const { post, ask } = createPosts(options, needs)
  const questions = createChainQuestions({ ...needs, post: ask })
  const queue = new Queue()
  const batches = new Map<AbortController, readonly Item[]>()
  let inFlight = 0
  let planned = false
  let stopped = false
  const endpoints = createEndpoints(options, { clock, logger, random, ...questions, onChange: plan })
  const hedging = createHedging({
    clock,
    otherThan: (endpoint) => endpoints.choose((each) => (each === endpoint ? undefined : 0)),
    send(endpoint, items) {
      if (inFlight < options.concurrency && !stopped) void sendBatch(endpoint, items)
    },
    forget,
  })
  const reactions = createReactions({ ...needs, endpoints, again })

  /** Sends once the callers of this tick have all added their calls. */
  function plan(): void {
    if (planned || stopped) return
    planned = true
    setImmediate(() => {
      planned = false
      pump()
    })
  }

  function pump(): void {
    const error = absenceError(endpoints, clock)
    if (error) for (const item of queue.takeAll(({ isPatient }) => !isPatient)) item.reject(error)
    while (queue.length > 0 && inFlight < options.concurrency && !stopped) {
      const next = queue.next(slowInFlight() < Math.ceil(options.concurrency / 2), endpointFor)
      if (!next) break
      const { item, endpoint } = next
      const size = endpoint.mayTake(endpoint.batchSize(clock.now()), clock.now())
      void sendBatch(
        endpoint,
        queue.take(item, size, (other) => endpointFor(other) === endpoint),
      )
    }
    // A start needs blocks first: they are read while the chain is verified, unless its answers are recorded.
    const contact = options.recorded ? undefined : endpoints.contacting()
    const early = contact ? queue.takeAll(isBlockRead) : []
    if (contact && early.length > 0) void sendBatch(contact.endpoint, early, contact.accepted)
  }

  /** The endpoint that a call is sent to now; `undefined` if it has to wait. Rejects it if no endpoint will serve it. */
  function endpointFor(item: Item): Endpoint | undefined {
    try {
      const endpoint = endpoints.choose(isAnywhere(item) ? undefined : (each) => rankOf(item, each))
      // Those that are left were set aside: what the others refused is the answer.
      if (!endpoint && item.refusals.size > 0 && !endpoints.isOtherUsable((each) => item.refusals.has(each)))
        item.reject(reactions.firstRefusal(item))
      return endpoint
    } catch (error) {
      item.reject(reactions.firstRefusal(item) ?? error)
      return undefined
    }
  }

  /** Whether it goes to the first that is usable. */
  const isAnywhere = (item: Item) =>
    endpoints.all.length === 1 ||
    (item.at === undefined &&
      item.failedAt === undefined &&
      item.refusals.size === 0 &&
      endpoints.all.every((each) => mayAnswer(item, each)))

  const mayAnswer = ({ method, params }: Item, endpoint: Endpoint) =>
    endpoint.mayAnswer(method, stateBlockOf(method, params), clock.now())

  /** Lower is better; `undefined`: never. */
  function rankOf(item: Item, endpoint: Endpoint): number | undefined {
    if (item.at) return item.at === endpoint ? 0 : undefined
    if (item.refusals.has(endpoint)) return undefined
    return (mayAnswer(item, endpoint) ? 0 : 2) + (item.failedAt === endpoint ? 1 : 0)
  }

  /** Slow calls use at most half of the connections, so that quick ones never wait for them. */
  const slowInFlight = () => [...batches.values()].filter(([item]) => item && isSlow(item)).length

  /** Uses the answers if the endpoint is `accepted`. */
  async function sendBatch(endpoint: Endpoint, items: readonly Item[], accepted?: Promise<boolean>): Promise<void> {
    const controller = new AbortController()
    batches.set(controller, items)
    inFlight++
    const sent = items.map((item): Sent => ({ item, call: callOf(item, endpoint) }))
    for (const { method } of items) counters.of(method).calls++
    const sentAt = clock.now()
    endpoint.sent(items.length, sentAt)
    const hedge = options.hedges && !accepted ? hedging.after(endpoint, items) : undefined
    const outcome = await post(
      endpoint,
      sent.map(({ call }) => call),
      controller,
    )
    hedge?.cancel()
    if (outcome?.type === 'answers') endpoint.took(clock.now() - sentAt)
    const isAccepted = (await accepted) ?? true
    inFlight--
    batches.delete(controller)
    if (!isAccepted) queue.putBack(items.filter(({ settled }) => !settled))
    else if (outcome && !stopped) reactions.apply(endpoint, sent, outcome)
    plan()
  }

  /** A call in the form that its endpoint takes. */
  function callOf({ id, method, params, stateNames }: Item, endpoint: Endpoint): Call {
    const block = seen.blockOfState(method, params)
    const names = stateNames ?? endpoint.stateNames(clock.now())
    if (block === undefined || names === 'hash') return { id, method, params }
    return { id, method, params, stateName: names === 'latest' ? 'latest' : quantity(block.number) }
  }

  function again(items: readonly Item[], problem?: string): void {
    const open = items.filter(({ settled, isHedge }) => !settled && !isHedge)
    for (const item of open) {
      item.problem = problem ?? item.problem
      counters.of(item.method).retries++
    }
    queue.putBack(open)
    plan()
  }

  function forget(item: Item): void {
    queue.remove(item)
    for (const [controller, items] of batches)
      if (items.includes(item) && items.every(({ settled }) => settled)) controller.abort()
  }

  return {
    endpoints,
    send(item) {
      queue.push([item])
      plan()
    },
    forget,
    patienceMs: () => patienceMs(endpoints, clock),
    problem: () => problemOf(endpoints),
    lagsSince: reactions.lagsSince,
    stop() {
      stopped = true
      endpoints.stop()
      for (const controller of batches.keys()) controller.abort()
    },
  }
}

function createPosts(options: SchedulerOptions, needs: Needs) {
  const live = createPost(options, needs)
  return options.recorded ? createRecordedPost(options.recorded, { live, ...needs }) : { post: live, ask: live }
}

function problemOf({ all }: Endpoints): string | undefined {
  const broken = all.find(({ problem }) => problem !== undefined)
  if (broken) return `${broken.name} ${broken.problem}`
  const limiting = all.find(({ limits }) => limits > 0)
  return limiting && `${limiting.name} limits the rate of requests`
}

/** For calls while upstream is known to be away, and is not asked whether it is back. */
function absenceError(endpoints: Endpoints, clock: Clock): NetworkError | undefined {
  const absence = endpoints.absence()
  if (!absence || absence.isAsked) return undefined
  const seconds = Math.round((clock.now() - absence.since) / 1000)
  return new NetworkError('UPSTREAM_UNAVAILABLE', { problem: `${problemOf(endpoints)} (for ${seconds} s)` })
}

function patienceMs(endpoints: Endpoints, clock: Clock): number {
  const error = absenceError(endpoints, clock)
  if (error) throw error
  return endpoints.absence() ? askingMs : Number.POSITIVE_INFINITY
}

const isBlockRead = ({ method }: Item) => method === 'eth_getBlockByNumber'
