import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import { quantity } from '../../shared/hex.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { Base } from '../wantedState.ts'
import { createChainQuestions } from './chainQuestions.ts'
import type { Counters } from './counters.ts'
import { Endpoints } from './endpoints.ts'
import { createHedging } from './hedging.ts'
import type { Call } from './outcome.ts'
import type { Post } from './post.ts'
import { type Item, isSlow, Queue } from './queue.ts'
import { Reactions } from './reactions.ts'
import { stateBlockOf } from './rpcError.ts'
import type { SeenBlocks } from './seenBlocks.ts'
import type { Sent } from './stateNames.ts'

/** How long calls wait while an upstream that was away is asked whether it is back. */
const askingMs = 1_000

type SchedulerOptions = {
  urls: readonly URL[]
  chainId: bigint | undefined
  requiredBlocks(): readonly Base[]
  /** Maximum number of calls in one HTTP request. */
  maxBatch: number
  /** Maximum number of calls a second for each endpoint; `undefined`: as many as it takes. */
  callsPerSecond: number | undefined
  /** Whether a second endpoint is asked as well when a request takes longer than is typical. */
  hedges: boolean
  /** Maximum number of concurrent HTTP requests. */
  concurrency: number
  /** How long no endpoint must be usable until upstream is known to be away, in milliseconds. */
  awayAfterMs: number
  /** Whether answers come from a recording, or go into one. */
  isRecorded: boolean
}

type Needs = {
  /** Sends calls in one request; `ask` those about the chain of an endpoint. */
  posts: { post: Post; ask: Post }
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
export class RequestScheduler {
  readonly endpoints: Endpoints
  readonly #options: SchedulerOptions
  readonly #needs: Needs
  readonly #post: Post
  readonly #hedging: ReturnType<typeof createHedging>
  readonly #reactions: Reactions
  readonly #queue = new Queue()
  readonly #batches = new Map<AbortController, readonly Item[]>()
  #inFlight = 0
  #planned = false
  #stopped = false

  constructor(options: SchedulerOptions, needs: Needs) {
    const { post, ask } = needs.posts
    const questions = createChainQuestions({ ...needs, post: ask })
    this.#options = options
    this.#needs = needs
    this.#post = post
    this.endpoints = new Endpoints(options, { ...needs, ...questions, onChange: () => this.#plan() })
    this.#hedging = createHedging({
      clock: needs.clock,
      otherThan: (endpoint) => this.endpoints.choose((each) => (each === endpoint ? undefined : 0)),
      send: (endpoint, items) => {
        if (this.#inFlight < options.concurrency && !this.#stopped) void this.#sendBatch(endpoint, items)
      },
      forget: (item) => this.forget(item),
    })
    const again = (items: readonly Item[], problem?: string) => this.#again(items, problem)
    this.#reactions = new Reactions({ ...needs, endpoints: this.endpoints, again })
  }

  /** Calls of one tick are sent together. */
  send(item: Item): void {
    this.#queue.push([item])
    this.#plan()
  }

  /** Call it when an item was settled from outside, so that it is not sent any more. */
  forget(item: Item): void {
    this.#queue.remove(item)
    for (const [controller, items] of this.#batches)
      if (items.includes(item) && items.every(({ settled }) => settled)) controller.abort()
  }

  /**
   * How long a call may take, in milliseconds: long, or a moment while upstream is known to be away and is asked whether
   * it is back. Throws `UPSTREAM_UNAVAILABLE` when it has just said that it is not.
   */
  timeLeftMs(): number {
    const error = absenceError(this.endpoints, this.#needs.clock)
    if (error) throw error
    return this.endpoints.absence() ? askingMs : Number.POSITIVE_INFINITY
  }

  /** The problem with the endpoints; `undefined` if none is known. */
  problem(): string | undefined {
    return problemOf(this.endpoints)
  }

  /** Whether a node of upstream did not have a block yet that another one had, since a time in milliseconds since 1970. */
  lagsSince(from: number): boolean {
    return this.#reactions.lagsSince(from)
  }

  stop(): void {
    this.#stopped = true
    this.endpoints.stop()
    for (const controller of this.#batches.keys()) controller.abort()
  }

  /** Sends once the callers of this tick have all added their calls. */
  #plan(): void {
    if (this.#planned || this.#stopped) return
    this.#planned = true
    setImmediate(() => {
      this.#planned = false
      this.#pump()
    })
  }

  #pump(): void {
    const error = absenceError(this.endpoints, this.#needs.clock)
    if (error) for (const item of this.#queue.takeAll(({ waitsForRecovery }) => !waitsForRecovery)) item.reject(error)
    while (this.#queue.length > 0 && this.#inFlight < this.#options.concurrency && !this.#stopped) {
      const next = this.#queue.next(this.#slowInFlight() < Math.ceil(this.#options.concurrency / 2), (item) =>
        this.#endpointFor(item),
      )
      if (!next) break
      const { item, endpoint } = next
      const size = endpoint.rate.mayTake(endpoint.batches.size(this.#needs.clock.now()), this.#needs.clock.now())
      const hasRoom = endpoint.batches.room(this.#needs.clock.now())
      hasRoom(item.params)
      const others = (other: Item) => this.#endpointFor(other) === endpoint && hasRoom(other.params)
      void this.#sendBatch(endpoint, this.#queue.take(item, size, others))
    }
    // A start needs blocks first: they are read while the chain is verified, unless its answers are recorded.
    const contact = this.#options.isRecorded ? undefined : this.endpoints.contacting()
    const early = contact ? this.#queue.takeAll(isBlockRead) : []
    if (contact && early.length > 0) void this.#sendBatch(contact.endpoint, early, contact.accepted)
  }

  /** The endpoint that a call is sent to now; `undefined` if it has to wait. Rejects it if no endpoint will serve it. */
  #endpointFor(item: Item): Endpoint | undefined {
    try {
      const endpoint = this.endpoints.choose(this.#isAnywhere(item) ? undefined : (each) => this.#rankOf(item, each))
      // Those that are left were suspended: what the others refused is the answer.
      if (!endpoint && item.refusals.size > 0 && !this.endpoints.isOtherUsable((each) => item.refusals.has(each)))
        item.reject(this.#reactions.firstRefusal(item))
      return endpoint
    } catch (error) {
      item.reject(this.#reactions.firstRefusal(item) ?? error)
      return undefined
    }
  }

  /** Whether it goes to the first that is usable. */
  #isAnywhere(item: Item): boolean {
    return (
      this.endpoints.all.length === 1 ||
      (item.at === undefined &&
        item.failedAt === undefined &&
        item.refusals.size === 0 &&
        this.endpoints.all.every((each) => this.#mayAnswer(item, each)))
    )
  }

  #mayAnswer({ method, params }: Item, endpoint: Endpoint): boolean {
    return endpoint.mayAnswer(
      method,
      stateBlockOf(method, params),
      this.#needs.seen.depthOfState(method, params),
      this.#needs.clock.now(),
    )
  }

  /** Lower is better; `undefined`: never. */
  #rankOf(item: Item, endpoint: Endpoint): number | undefined {
    if (item.at) return item.at === endpoint ? 0 : undefined
    if (item.refusals.has(endpoint)) return undefined
    return (this.#mayAnswer(item, endpoint) ? 0 : 2) + (item.failedAt === endpoint ? 1 : 0)
  }

  /** Slow calls use at most half of the connections, so that quick ones never wait for them. */
  #slowInFlight(): number {
    return [...this.#batches.values()].filter(([item]) => item && isSlow(item)).length
  }

  /** Uses the answers if the endpoint is `accepted`. */
  async #sendBatch(endpoint: Endpoint, items: readonly Item[], accepted?: Promise<boolean>): Promise<void> {
    const controller = new AbortController()
    this.#batches.set(controller, items)
    this.#inFlight++
    const sent = items.map((item): Sent => ({ item, call: this.#callOf(item, endpoint) }))
    for (const { method } of items) this.#needs.counters.of(method).calls++
    const sentAt = this.#needs.clock.now()
    endpoint.sent(
      items.map(({ method }) => method),
      sentAt,
    )
    const hedge = this.#options.hedges && !accepted ? this.#hedging.after(endpoint, items) : undefined
    const outcome = await this.#post(
      endpoint,
      sent.map(({ call }) => call),
      controller,
    )
    hedge?.cancel()
    if (outcome?.type === 'answers') endpoint.took(this.#needs.clock.now() - sentAt)
    const isAccepted = (await accepted) ?? true
    this.#inFlight--
    this.#batches.delete(controller)
    if (!isAccepted) this.#queue.putBack(items.filter(({ settled }) => !settled))
    else if (outcome && !this.#stopped) this.#reactions.apply(endpoint, sent, outcome)
    this.#plan()
  }

  /** A call in the form that its endpoint takes. */
  #callOf({ id, method, params, stateNames }: Item, endpoint: Endpoint): Call {
    const block = this.#needs.seen.blockOfState(method, params)
    const names = stateNames ?? endpoint.stateNames(this.#needs.clock.now())
    if (block === undefined || names === 'hash') return { id, method, params }
    return { id, method, params, stateName: names === 'latest' ? 'latest' : quantity(block.number) }
  }

  #again(items: readonly Item[], problem?: string): void {
    const open = items.filter(({ settled, isHedge }) => !settled && !isHedge)
    for (const item of open) {
      item.problem = problem ?? item.problem
      this.#needs.counters.of(item.method).retries++
    }
    this.#queue.putBack(open)
    this.#plan()
  }
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

const isBlockRead = ({ method }: Item) => method === 'eth_getBlockByNumber'
