import type { Word } from '@understudy/evm'
import type { Clock, Timer } from '../../shared/clock.ts'
import { isNetworkError, NetworkError } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Base } from '../wantedState.ts'
import { backoffMs, limitMs } from './backoff.ts'
import { Endpoint } from './endpoint.ts'
import type { UpstreamOutcome } from './outcome.ts'

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
  standsOn(): readonly Base[]
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

type Failure = { isAway?: boolean; isCut?: boolean }

/** The URLs of upstream in the user's order, and the active one. */
export type Endpoints = {
  readonly all: readonly Endpoint[]
  /** The configured chain id, or the first one seen. */
  chainId(): bigint | undefined
  /**
   * The first usable endpoint for a call; `undefined` if one may become usable soon. Throws if none will, for a permanent
   * reason. With ranks, those of the lowest come first, and those without one are never used.
   */
  choose(rankOf?: (endpoint: Endpoint) => number | undefined): Endpoint | undefined
  /** Whether an endpoint other than these is usable, or may be soon. */
  isOtherUsable(than: (endpoint: Endpoint) => boolean): boolean
  succeeded(endpoint: Endpoint): void
  limited(endpoint: Endpoint, retryAfterMs: number | undefined): void
  /**
   * A request failed. The endpoint is set aside if nothing listens there, or many failed in a row; its chain is verified again
   * if a connection was cut, for another process may listen there now.
   */
  failed(endpoint: Endpoint, problem: string, failure?: Failure): void
  denied(endpoint: Endpoint, problem: string): void
  /**
   * The first endpoint while its chain is verified for the first time, and whether it is accepted in the end: calls that
   * change nothing can be sent in the same round trip, and their answers used once it is. `undefined` at other times.
   */
  contacting(): { endpoint: Endpoint; accepted: Promise<boolean> } | undefined
  /** Verifies the chain of active endpoints again. */
  doubt(): void
  /** Whether one is blocked because it is another chain. */
  isOther(): boolean
  /**
   * Since when every endpoint has failed, in milliseconds since 1970, and whether one may be asked whether it is back;
   * `undefined` if upstream is not known to be away.
   */
  absence(): { since: number; isAsked: boolean } | undefined
  stop(): void
}

export function createEndpoints(options: EndpointsOptions, needs: Needs): Endpoints {
  const { clock, logger, random, askChainId, askBlockHash, onChange } = needs
  const all = options.urls.map((url) => new Endpoint(url, options))
  const blocks = new Map<Endpoint, NetworkError>()
  let expected = options.chainId
  let wake: Timer | undefined
  let serving: Endpoint | undefined
  let stopped = false
  let contact: { endpoint: Endpoint; accepted: Promise<boolean> } | undefined

  async function verify(endpoint: Endpoint): Promise<void> {
    endpoint.state = 'verifying'
    const [asked, known] = await Promise.all([
      askChainId(endpoint),
      askHistory(endpoint, options.standsOn(), askBlockHash),
    ])
    const isOther = asked.chainId !== undefined && asked.chainId !== (expected ?? asked.chainId)
    const history = asked.chainId === undefined || isOther ? undefined : known
    endpoint.state = 'unverified'
    contact = undefined
    if (stopped) return
    const outcome = { ...asked, ...history?.outcome }
    if (outcome.type === 'limited') limited(endpoint, outcome.retryAfterMs)
    else if (outcome.type === 'denied') denied(endpoint, outcome.problem)
    else if (outcome.type !== 'answers') setAside(endpoint, outcome.problem)
    else if (outcome.chainId === undefined) setAside(endpoint, 'did not return its chain id')
    else if (history?.other) refuse(endpoint, new NetworkError('UPSTREAM_OF_OTHER_HISTORY', history.other))
    else if (history?.absent !== undefined)
      setAside(endpoint, `does not have block ${history.absent}, which the network is based on`)
    else accept(endpoint, outcome.chainId)
    onChange()
  }

  function refuse(endpoint: Endpoint, error: NetworkError): void {
    logger.error({ upstream: endpoint.name, err: error }, 'Upstream is another chain and is not used')
    endpoint.problem = 'is another chain'
    block(endpoint, error)
  }

  function accept(endpoint: Endpoint, chainId: bigint): void {
    expected ??= chainId
    if (chainId !== expected) {
      const details = { url: endpoint.name, actual: chainId, expected }
      refuse(endpoint, new NetworkError('UPSTREAM_OF_OTHER_CHAIN', details))
      return
    }
    endpoint.state = 'ready'
    endpoint.refusals = 0
    blocks.delete(endpoint)
    endpoint.lastContactAt = clock.now()
    if (endpoint.problem !== undefined) logger.info({ upstream: endpoint.name }, 'Upstream is back')
    endpoint.problem = undefined
    endpoint.failedSince = undefined
  }

  function block(endpoint: Endpoint, error: NetworkError): void {
    endpoint.state = 'blocked'
    // One wrong answer looks like another chain.
    endpoint.restsUntil = clock.now() + Math.min(longestBlockedMs, firstBlockedMs * 2 ** endpoint.refusals)
    endpoint.refusals++
    blocks.set(endpoint, error)
  }

  function failed(endpoint: Endpoint, problem: string, { isAway, isCut }: Failure = {}): void {
    if (endpoint.failed(clock.now()) || isAway) setAside(endpoint, problem)
    else if (isCut && endpoint.state === 'ready') endpoint.state = 'unverified'
  }

  function setAside(endpoint: Endpoint, problem: string): void {
    // Concurrent requests fail together, which counts as one failure.
    if (endpoint.state === 'unverified' && endpoint.restsUntil > clock.now()) return
    endpoint.state = 'unverified'
    endpoint.failures++
    endpoint.failedSince ??= clock.now()
    endpoint.restsUntil = clock.now() + backoffMs(endpoint.failures, random)
    if (endpoint.problem === undefined) logger.warn({ upstream: endpoint.name, problem }, 'Upstream failed')
    endpoint.problem = problem
  }

  function limited(endpoint: Endpoint, retryAfterMs: number | undefined): void {
    const isNews = endpoint.limitedRate(clock.now())
    if (endpoint.limits > 0 && endpoint.restsUntil > clock.now()) return
    endpoint.limits++
    if (isNews) logger.warn({ upstream: endpoint.name }, 'Upstream limits the rate of requests')
    // Seconds are rounded up: another client's limit is asked a little earlier.
    const named = retryAfterMs && retryAfterMs - (1 - random()) * retryAfterRoundedMs
    const pauseMs = Math.min(longestRetryAfterMs, named ?? limitMs(endpoint.limits, random))
    endpoint.restsUntil = clock.now() + pauseMs
  }

  function denied(endpoint: Endpoint, problem: string): void {
    logger.error({ upstream: endpoint.name, problem }, 'Upstream refuses to serve')
    block(endpoint, new NetworkError('UPSTREAM_UNAVAILABLE', { problem: `${endpoint.name} ${problem}` }))
  }

  /** Wakes when the first paused endpoint can be used again. */
  function sleep(): void {
    wake?.cancel()
    const now = clock.now()
    const ends = all.filter(({ restsUntil }) => restsUntil > now).map(({ restsUntil }) => restsUntil)
    if (ends.length > 0) wake = clock.after(Math.min(...ends) - now, onChange)
  }

  function choose(rankOf?: (endpoint: Endpoint) => number | undefined): Endpoint | undefined {
    const order = rankOf ? inOrder(all, rankOf) : all
    for (const endpoint of order) {
      if (endpoint.restsUntil > clock.now()) continue
      if (endpoint.state === 'blocked') endpoint.state = 'unverified'
      if (endpoint.state === 'ready') return rankOf ? endpoint : serveBy(endpoint)
      if (endpoint.state === 'unverified') {
        const accepted = verify(endpoint).then(() => endpoint.state === 'ready')
        if (endpoint === all[0] && endpoint.failures === 0 && endpoint.lastContactAt === undefined)
          contact = { endpoint, accepted }
      }
      // Others are used only after this one has failed: a second provider is for outages.
      const isFresh = endpoint.failures === 0 && endpoint.limits === 0 && !blocks.has(endpoint)
      if (isFresh && !order.some(({ state, restsUntil }) => state === 'ready' && restsUntil <= clock.now()))
        return undefined
    }
    const errors = order.filter(({ state }) => state === 'blocked').map((endpoint) => blocks.get(endpoint))
    if (errors.length === order.length && isNetworkError(errors[0])) throw errors[0]
    sleep()
    return undefined
  }

  function serveBy(endpoint: Endpoint): Endpoint {
    if (serving && serving !== endpoint) {
      logger.warn({ from: serving.name, to: endpoint.name }, 'Switched to another upstream')
    }
    serving = endpoint
    return endpoint
  }

  return {
    all,
    chainId: () => expected,
    choose,
    isOtherUsable: (than) =>
      all.some(
        (endpoint) =>
          !than(endpoint) && endpoint.state !== 'blocked' && (endpoint.state === 'ready' || endpoint.failures === 0),
      ),
    succeeded(endpoint) {
      endpoint.answered(clock.now())
      endpoint.limits = 0
    },
    limited,
    failed,
    denied,
    contacting: () => contact,
    doubt() {
      for (const endpoint of all) if (endpoint.state === 'ready') endpoint.state = 'unverified'
    },
    isOther: () =>
      all.some((endpoint) => {
        const error = endpoint.state === 'ready' ? undefined : blocks.get(endpoint)
        return isNetworkError(error, 'UPSTREAM_OF_OTHER_CHAIN') || isNetworkError(error, 'UPSTREAM_OF_OTHER_HISTORY')
      }),
    absence: () => absenceOf(all, options.awayAfterMs, clock.now()),
    stop() {
      stopped = true
      wake?.cancel()
    },
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
