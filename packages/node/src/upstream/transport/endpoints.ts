import type { Word } from '@understudy/evm'
import type { Clock, Timer } from '../../shared/clock.ts'
import { isNetworkError, NetworkError } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import { Endpoint } from '../endpoint/endpoint.ts'
import type { Base } from '../wantedState.ts'
import type { UpstreamOutcome } from './outcome.ts'
import { backoffMs, limitMs } from './retries.ts'

/** How long an endpoint of another chain, or with a wrong key, is paused: first, and at most. The pause doubles each time. */
const firstBlockedMs = 1_000
const longestBlockedMs = 30_000

/** `Retry-After` is in whole seconds, and so up to a second longer than it has to be: up to this much of it is not waited. */
const retryAfterRoundedMs = 500
/** A longer `Retry-After` is asked after this: a plan may have been changed. */
const longestRetryAfterMs = 60_000

type EndpointsOptions = {
  urls: readonly URL[]
  maxBatch: number
  callsPerSecond: number | undefined
  /** How long no endpoint must be usable until upstream is known to be away, in milliseconds. */
  awayAfterMs: number
  /** Blocks of which the chain must have one, in order of preference; without any, every chain is accepted. */
  requiredBlocks(): readonly Base[]
  /** The chain id that every endpoint must have; `undefined`: that of the first to answer. */
  chainId: bigint | undefined
}

type Needs = {
  clock: Clock
  logger: Logger
  random: () => number
  /** Requests an endpoint's chain id. */
  askChainId(endpoint: Endpoint): Promise<UpstreamOutcome & { chainId?: bigint }>
  /**
   * Requests a block's hash from an endpoint: `null` if it does not have the block, or `undefined` if it did not
   * answer.
   */
  askBlockHash(endpoint: Endpoint, number: bigint): Promise<UpstreamOutcome & { hash?: Word | null }>
  /** Called when the result of `choose` may have changed. */
  onChange(): void
}

type Failure = { isAway?: boolean; isConnectionLost?: boolean }

/** The URLs of upstream in the user's order, and the active one. */
export class Endpoints {
  readonly all: readonly [Endpoint, ...Endpoint[]]
  readonly #options: EndpointsOptions
  readonly #needs: Needs
  /** Why endpoints are blocked. */
  readonly #blocks = new Map<Endpoint, NetworkError>()
  #expected: bigint | undefined
  #wake: Timer | undefined
  #serving: Endpoint | undefined
  #contact: { endpoint: Endpoint; accepted: Promise<boolean> } | undefined
  #stopped = false

  constructor(options: EndpointsOptions, needs: Needs) {
    this.#options = options
    this.#needs = needs
    this.#expected = options.chainId
    const [first, ...others] = options.urls.map((url) => new Endpoint(url, options, needs.clock))
    if (!first) throw new Error('upstream has no URL')
    this.all = [first, ...others]
  }

  /** The configured chain id, or the first one seen. */
  chainId(): bigint | undefined {
    return this.#expected
  }

  /**
   * The first usable endpoint for a call; `undefined` if one may become usable soon. Throws if none will, for a permanent
   * reason. With ranks, those of the lowest come first, and those without one are never used.
   */
  choose(rankOf?: (endpoint: Endpoint) => number | undefined): Endpoint | undefined {
    const order = rankOf ? inOrder(this.all, rankOf) : this.all
    for (const endpoint of order) {
      if (endpoint.restsUntil > this.#needs.clock.now()) continue
      if (endpoint.state === 'blocked') endpoint.state = 'unverified'
      if (endpoint.state === 'ready') return rankOf ? endpoint : this.#serveBy(endpoint)
      if (endpoint.state === 'unverified') {
        const accepted = this.#verify(endpoint).then(() => endpoint.state === 'ready')
        if (endpoint === this.all[0] && endpoint.failures === 0 && endpoint.lastContactAt === undefined)
          this.#contact = { endpoint, accepted }
      }
      // Others are used only after this one has failed: a second provider is for outages.
      const isFresh = endpoint.failures === 0 && endpoint.limits === 0 && !this.#blocks.has(endpoint)
      if (isFresh && !order.some(({ state, restsUntil }) => state === 'ready' && restsUntil <= this.#needs.clock.now()))
        return undefined
    }
    const errors = order.filter(({ state }) => state === 'blocked').map((endpoint) => this.#blocks.get(endpoint))
    if (errors.length === order.length && isNetworkError(errors[0])) throw errors[0]
    this.#sleep()
    return undefined
  }

  /** The first that is known to work; `undefined` if none is. */
  serving(): Endpoint | undefined {
    return this.all.find(({ state }) => state === 'ready')
  }

  /** The one that a call of this method is sent to next, as far as is known. */
  nextFor(method: string): Endpoint {
    const now = this.#needs.clock.now()
    const mayServe = (each: Endpoint) =>
      each.state === 'ready' && each.restsUntil <= now && each.mayAnswer(method, 'latest', undefined, now)
    return this.all.find(mayServe) ?? this.serving() ?? this.all[0]
  }

  /** Whether an endpoint other than these is usable, or may be soon. */
  isOtherUsable(than: (endpoint: Endpoint) => boolean): boolean {
    return this.all.some(
      (endpoint) =>
        !than(endpoint) && endpoint.state !== 'blocked' && (endpoint.state === 'ready' || endpoint.failures === 0),
    )
  }

  succeeded(endpoint: Endpoint): void {
    endpoint.answered(this.#needs.clock.now())
    endpoint.limits = 0
  }

  limited(endpoint: Endpoint, retryAfterMs: number | undefined): void {
    const isNews = endpoint.rate.limited(this.#needs.clock.now())
    if (endpoint.limits > 0 && endpoint.restsUntil > this.#needs.clock.now()) return
    endpoint.limits++
    if (isNews) this.#needs.logger.warn({ upstream: endpoint.name }, 'Upstream limits the rate of requests')
    // Seconds are rounded up: another client's limit is asked a little earlier.
    const named = retryAfterMs && retryAfterMs - (1 - this.#needs.random()) * retryAfterRoundedMs
    const pauseMs = Math.min(longestRetryAfterMs, named ?? limitMs(endpoint.limits, this.#needs.random))
    endpoint.restsUntil = this.#needs.clock.now() + pauseMs
  }

  /**
   * A request failed. The endpoint is suspended if nothing listens there, or many failed in a row; its chain is verified again
   * if a connection was cut, for another process may listen there now.
   */
  failed(endpoint: Endpoint, problem: string, { isAway, isConnectionLost }: Failure = {}): void {
    if (endpoint.failed(this.#needs.clock.now()) || isAway) this.#suspend(endpoint, problem)
    else if (isConnectionLost && endpoint.state === 'ready') endpoint.state = 'unverified'
  }

  denied(endpoint: Endpoint, problem: string): void {
    this.#needs.logger.error({ upstream: endpoint.name, problem }, 'Upstream refuses to serve')
    this.#block(endpoint, new NetworkError('UPSTREAM_UNAVAILABLE', { problem: `${endpoint.name} ${problem}` }))
  }

  /**
   * The first endpoint while its chain is verified for the first time, and whether it is accepted in the end: calls that
   * change nothing can be sent in the same round trip, and their answers used once it is. `undefined` at other times.
   */
  contacting(): { endpoint: Endpoint; accepted: Promise<boolean> } | undefined {
    return this.#contact
  }

  /** Verifies the chain of active endpoints again. */
  reverify(): void {
    for (const endpoint of this.all) if (endpoint.state === 'ready') endpoint.state = 'unverified'
  }

  /** Whether one is blocked because it is another chain. */
  isOther(): boolean {
    return this.all.some((endpoint) => {
      const error = endpoint.state === 'ready' ? undefined : this.#blocks.get(endpoint)
      return isNetworkError(error, 'UPSTREAM_CHAIN_MISMATCH') || isNetworkError(error, 'UPSTREAM_HISTORY_MISMATCH')
    })
  }

  /**
   * Since when every endpoint has failed, in milliseconds since 1970, and whether one may be asked whether it is back;
   * `undefined` if upstream is not known to be away.
   */
  absence(): { since: number; isAsked: boolean } | undefined {
    return absenceOf(this.all, this.#options.awayAfterMs, this.#needs.clock.now())
  }

  stop(): void {
    this.#stopped = true
    this.#wake?.cancel()
  }

  async #verify(endpoint: Endpoint): Promise<void> {
    endpoint.state = 'verifying'
    const [asked, known] = await Promise.all([
      this.#needs.askChainId(endpoint),
      askHistory(endpoint, this.#options.requiredBlocks(), this.#needs.askBlockHash),
    ])
    const isOther = asked.chainId !== undefined && asked.chainId !== (this.#expected ?? asked.chainId)
    const history = asked.chainId === undefined || isOther ? undefined : known
    endpoint.state = 'unverified'
    this.#contact = undefined
    if (this.#stopped) return
    const outcome = { ...asked, ...history?.outcome }
    if (outcome.type === 'limited') this.limited(endpoint, outcome.retryAfterMs)
    else if (outcome.type === 'denied') this.denied(endpoint, outcome.problem)
    else if (outcome.type !== 'answers') this.#suspend(endpoint, outcome.problem)
    else if (outcome.chainId === undefined) this.#suspend(endpoint, 'did not return its chain id')
    else if (history?.other) this.#refuse(endpoint, new NetworkError('UPSTREAM_HISTORY_MISMATCH', history.other))
    else if (history?.absent !== undefined)
      this.#suspend(endpoint, `does not have block ${history.absent}, which the network is based on`)
    else this.#accept(endpoint, outcome.chainId)
    this.#needs.onChange()
  }

  #refuse(endpoint: Endpoint, error: NetworkError): void {
    this.#needs.logger.error({ upstream: endpoint.name, err: error }, 'Upstream is another chain and is not used')
    endpoint.problem = 'is another chain'
    this.#block(endpoint, error)
  }

  #accept(endpoint: Endpoint, chainId: bigint): void {
    this.#expected ??= chainId
    if (chainId !== this.#expected) {
      const details = { url: endpoint.name, actual: chainId, expected: this.#expected }
      this.#refuse(endpoint, new NetworkError('UPSTREAM_CHAIN_MISMATCH', details))
      return
    }
    endpoint.state = 'ready'
    endpoint.refusals = 0
    this.#blocks.delete(endpoint)
    endpoint.lastContactAt = this.#needs.clock.now()
    if (endpoint.problem !== undefined) this.#needs.logger.info({ upstream: endpoint.name }, 'Upstream is back')
    endpoint.problem = undefined
    endpoint.failedSince = undefined
  }

  #block(endpoint: Endpoint, error: NetworkError): void {
    endpoint.state = 'blocked'
    // One wrong answer looks like another chain.
    endpoint.restsUntil = this.#needs.clock.now() + Math.min(longestBlockedMs, firstBlockedMs * 2 ** endpoint.refusals)
    endpoint.refusals++
    this.#blocks.set(endpoint, error)
  }

  #suspend(endpoint: Endpoint, problem: string): void {
    // Concurrent requests fail together, which counts as one failure.
    if (endpoint.state === 'unverified' && endpoint.restsUntil > this.#needs.clock.now()) return
    endpoint.state = 'unverified'
    endpoint.failures++
    endpoint.failedSince ??= this.#needs.clock.now()
    endpoint.restsUntil = this.#needs.clock.now() + backoffMs(endpoint.failures, this.#needs.random)
    if (endpoint.problem === undefined) this.#needs.logger.warn({ upstream: endpoint.name, problem }, 'Upstream failed')
    endpoint.problem = problem
  }

  /** Wakes when the first paused endpoint can be used again. */
  #sleep(): void {
    this.#wake?.cancel()
    const now = this.#needs.clock.now()
    const ends = this.all.filter(({ restsUntil }) => restsUntil > now).map(({ restsUntil }) => restsUntil)
    if (ends.length > 0) this.#wake = this.#needs.clock.after(Math.min(...ends) - now, this.#needs.onChange)
  }

  #serveBy(endpoint: Endpoint): Endpoint {
    if (this.#serving && this.#serving !== endpoint) {
      this.#needs.logger.warn({ from: this.#serving.name, to: endpoint.name }, 'Switched to another upstream')
    }
    this.#serving = endpoint
    return endpoint
  }
}

/**
 * Whether an endpoint has a block that the network is based on: answers of a chain with the same id but another
 * history would otherwise be mixed in.
 */
async function askHistory(endpoint: Endpoint, blocks: readonly Base[], askBlockHash: Needs['askBlockHash']) {
  let other: { url: string; block: bigint; actual: Word; expected: Word } | undefined
  for (const { number, hash: expected } of blocks) {
    const outcome = await askBlockHash(endpoint, number)
    if (outcome.type !== 'answers') return { outcome }
    if (outcome.hash === expected) return {}
    if (outcome.hash) other ??= { url: endpoint.name, block: number, actual: outcome.hash, expected }
  }
  return other ? { other } : { absent: blocks[0]?.number }
}

function inOrder(all: readonly Endpoint[], rankOf: (endpoint: Endpoint) => number | undefined): readonly Endpoint[] {
  const ranked = all.flatMap((endpoint) => {
    const rank = rankOf(endpoint)
    return rank === undefined ? [] : [{ endpoint, rank }]
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ endpoint }) => endpoint)
}

function absenceOf(all: readonly Endpoint[], awayAfterMs: number, now: number) {
  let since: number | undefined
  for (const { state, failedSince } of all) {
    if (state === 'blocked') continue
    if (state === 'ready' || failedSince === undefined || now - failedSince < awayAfterMs) return undefined
    since ??= failedSince
  }
  return since === undefined ? undefined : { since, isAsked: all.some(({ restsUntil }) => restsUntil <= now) }
}
