import type { Word } from '@understudy/evm'
import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import { quantity } from '../../shared/hex.ts'
import type { Logger } from '../../shared/logger.ts'
import { blockFromAnswer } from '../answers.ts'
import { createRecordedPost, type RecordedUpstream } from '../recording/recordedPost.ts'
import type { Base } from '../wantedState.ts'
import { backoffMs } from './backoff.ts'
import type { Counters } from './counters.ts'
import type { Endpoint } from './endpoint.ts'
import { createEndpoints, type Endpoints } from './endpoints.ts'
import type { CallAnswer, UpstreamOutcome } from './outcome.ts'
import { createPost } from './post.ts'
import { type Item, isSlow, Queue } from './queue.ts'
import { classifyError, namesBlockByHash, stateBlockOf, UpstreamRpcError } from './rpcError.ts'
import type { Transport } from './transport.ts'

/** Maximum attempts for a call whose error may be temporary. */
const doubtLimit = 3

/** How long calls wait while an upstream that was away is asked whether it is back. */
const askingMs = 1_000

type SchedulerOptions = {
  urls: readonly URL[]
  chainId: bigint | undefined
  standsOn(): readonly Base[]
  /** Maximum number of calls in one HTTP request. */
  maxBatch: number
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
  /** Removes our secrets from a text of upstream's. */
  redact(text: string): string
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
  stop(): void
}

export function createRequestScheduler(options: SchedulerOptions, needs: Needs): RequestScheduler {
  const { clock, logger, random, counters, redact } = needs
  const { post, ask } = createPosts(options, needs)
  const queue = new Queue()
  const batches = new Map<AbortController, readonly Item[]>()
  let inFlight = 0
  let nextId = 0
  let planned = false
  let stopped = false
  const endpoints = createEndpoints(options, { clock, logger, random, askChainId, askBlockHash, onChange: plan })

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
    try {
      while (queue.length > 0 && inFlight < options.concurrency && !stopped) {
        const endpoint = endpoints.choose()
        if (!endpoint) break
        const items = queue.take(endpoint.nextBatch(clock.now()), slowInFlight() < Math.ceil(options.concurrency / 2))
        if (items.length === 0) return
        void sendBatch(endpoint, items)
      }
      // A start needs blocks first: they are read while the chain is verified, unless its answers are recorded.
      const contact = options.recorded ? undefined : endpoints.contacting()
      const early = contact ? queue.takeAll(isBlockRead) : []
      if (contact && early.length > 0) void sendBatch(contact.endpoint, early, contact.accepted)
    } catch (error) {
      for (const item of queue.drain()) item.reject(error)
    }
  }

  /** Slow calls use at most half of the connections, so that quick ones never wait for them. */
  const slowInFlight = () => [...batches.values()].filter(([item]) => item && isSlow(item)).length

  /** Uses the answers if the endpoint is `accepted`. */
  async function sendBatch(endpoint: Endpoint, items: readonly Item[], accepted?: Promise<boolean>): Promise<void> {
    const controller = new AbortController()
    batches.set(controller, items)
    inFlight++
    for (const { method } of items) counters.of(method).calls++
    const outcome = await post(endpoint, items, controller)
    const isAccepted = (await accepted) ?? true
    inFlight--
    batches.delete(controller)
    if (!isAccepted) queue.putBack(items.filter(({ settled }) => !settled))
    else if (outcome && !stopped) apply(endpoint, items, outcome)
    plan()
  }

  function apply(endpoint: Endpoint, items: readonly Item[], outcome: UpstreamOutcome): void {
    if (outcome.type === 'answers') {
      applyAnswers(endpoint, items, outcome.byId)
      return
    }
    const problem = `${endpoint.name} ${outcome.problem}`
    if (outcome.type === 'failed') {
      endpoints.failed(endpoint, outcome.problem)
      for (const item of items) item.failures++
    } else if (outcome.type === 'limited') {
      endpoints.limited(endpoint, outcome.retryAfterMs)
    } else if (outcome.type === 'denied') {
      endpoints.denied(endpoint, outcome.problem)
    } else if (endpoint.limitBatches(outcome.limit, clock.now())) {
      logger.warn(
        { upstream: endpoint.name, limit: outcome.limit, problem: outcome.problem },
        'Upstream limits batches',
      )
    }
    again(items, problem)
  }

  function applyAnswers(endpoint: Endpoint, items: readonly Item[], byId: ReadonlyMap<number, CallAnswer>): void {
    const limited: Item[] = []
    for (const item of items) {
      const answer = byId.get(item.id) ?? { error: { code: -32603, message: 'no answer in the batch' } }
      if ('result' in answer) item.resolve(answer.result)
      else if ('refusal' in answer) item.reject(answer.refusal)
      else applyError(item, { ...answer.error, message: redact(answer.error.message) }, limited)
    }
    if (limited.length > 0) {
      endpoint.slowDown(items.length, items.length - limited.length)
      // An endpoint that answers part of a batch keeps its pace: pauses need not grow.
      if (limited.length < items.length) endpoints.succeeded(endpoint)
      endpoints.limited(endpoint, undefined)
      again(limited, `${endpoint.name} limits the rate of requests`)
    } else {
      endpoint.speedUp()
      endpoints.succeeded(endpoint)
    }
  }

  function applyError(item: Item, error: { code: number; message: string; data?: unknown }, limited: Item[]): void {
    const kind = classifyError(error)
    if (kind === 'limited') {
      limited.push(item)
      return
    }
    const problem = `${item.method}: ${error.message} (code ${error.code})`
    const cause = new UpstreamRpcError(item.method, error)
    const isDoubtful = kind === 'doubtful' && !namesBlockByHash(item.method, item.params)
    if (kind === 'transient' || (isDoubtful && item.doubts + 1 < doubtLimit)) {
      item.doubts++
      item.problem = problem
      clock.after(backoffMs(item.doubts, random), () => again([item], problem))
    } else if (kind === 'pruned') {
      const block = stateBlockOf(item.method, item.params)
      item.reject(new NetworkError('UPSTREAM_STATE_PRUNED', { block }, { cause }))
    } else {
      item.reject(new NetworkError('UPSTREAM_ERROR', { problem }, { cause }))
    }
  }

  function again(items: readonly Item[], problem: string): void {
    const open = items.filter(({ settled }) => !settled)
    for (const item of open) {
      item.problem = problem
      counters.of(item.method).retries++
    }
    queue.putBack(open)
    plan()
  }

  /** Asks an endpoint that is not active yet. */
  async function askAlone(
    endpoint: Endpoint,
    method: string,
    params: readonly unknown[],
  ): Promise<UpstreamOutcome & { result?: unknown }> {
    const id = nextId++
    counters.of(method).calls++
    const outcome = await ask(endpoint, [{ id, method, params }], new AbortController())
    if (!outcome) return { type: 'failed', problem: 'was not asked' }
    const answer = outcome.type === 'answers' ? outcome.byId.get(id) : undefined
    if (!answer) return outcome
    if ('result' in answer) return { ...outcome, result: answer.result }
    if ('refusal' in answer) return { type: 'failed', problem: answer.refusal.message }
    const problem = redact(answer.error.message)
    if (classifyError(answer.error) === 'limited') return { type: 'limited', problem, retryAfterMs: undefined }
    return { type: 'failed', problem: `answered ${method} with an error: ${problem}` }
  }

  async function askChainId(endpoint: Endpoint): Promise<UpstreamOutcome & { chainId?: bigint }> {
    const outcome = await askAlone(endpoint, 'eth_chainId', [])
    return { ...outcome, chainId: parseChainId(outcome.result) }
  }

  async function askBlockHash(endpoint: Endpoint, number: bigint): Promise<UpstreamOutcome & { hash?: Word | null }> {
    const outcome = await askAlone(endpoint, 'eth_getBlockByNumber', [quantity(number), false])
    if (outcome.type !== 'answers' || outcome.result === null) return { ...outcome, hash: null }
    try {
      return { ...outcome, hash: blockFromAnswer(String(number), outcome.result).hash }
    } catch {
      return { type: 'failed', problem: 'answered something other than a block' }
    }
  }

  return {
    endpoints,
    send(item) {
      queue.push([item])
      plan()
    },
    forget(item) {
      queue.remove(item)
      for (const [controller, items] of batches) {
        if (items.includes(item) && items.every(({ settled }) => settled)) controller.abort()
      }
    },
    patienceMs: () => patienceMs(endpoints, clock),
    problem: () => problemOf(endpoints),
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

function parseChainId(result: unknown): bigint | undefined {
  try {
    return typeof result === 'string' || typeof result === 'number' ? BigInt(result) : undefined
  } catch {
    return undefined
  }
}
