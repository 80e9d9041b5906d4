import { createBoundedCache } from '../../shared/caches.ts'
import type { Clock } from '../../shared/clock.ts'
import { BatchSizes } from './batchSizes.ts'
import { CallRate } from './callRate.ts'
import { type EndpointProfile, refusalMs, type StateNames } from './endpointProfile.ts'
import { LogSpans } from './logSpans.ts'
import { endpointName } from './secrets.ts'

/**
 * - `unverified`: its chain id must be checked before use.
 * - `ready`: it can be used.
 * - `blocked`: it cannot be used for a permanent reason: another chain, or a wrong key.
 */
type EndpointState = 'unverified' | 'verifying' | 'ready' | 'blocked'

/** An endpoint is suspended when so many requests in a row failed, and none was answered for so long, in milliseconds. */
const failureLimit = 4
const failureMs = 500
/** A node that lags has no state of the newest blocks either: that says nothing of how many it keeps. */
const fewestStates = 2n
/** Number of blocks without state that are remembered. */
const statelessLimit = 64
/** Number of methods that are remembered: clients may name any. */
const methodLimit = 64
/** Number of requests that block hashes were refused in, while numbers were answered, until numbers are used. */
const hashRefusalLimit = 2

/** What an endpoint may be sent, as its user says. */
export type EndpointLimits = { maxBatch: number; callsPerSecond: number | undefined }

/** Number of requests whose duration is known. */
const durationLimit = 64
const fewDurations = 16

/** One URL of upstream, with its status and what it was found to offer. */
export class Endpoint {
  readonly url: URL
  /** The URL without its secrets. */
  readonly name: string
  state: EndpointState = 'unverified'
  /** It is paused until then, in milliseconds since 1970. */
  restsUntil = 0
  /** How often it was suspended, in a row. */
  failures = 0
  /** When the first failure since it was last usable was, in milliseconds since 1970. */
  failedSince: number | undefined
  /** In a row. */
  limits = 0
  /** How often it was blocked, in a row. */
  refusals = 0
  /** The last problem. */
  problem: string | undefined
  /** When it last answered, in milliseconds since 1970. */
  lastContactAt: number | undefined

  /** Whether it read state by the hash of a block, and by its number. */
  hasTakenHashes = false
  hasTakenNumbers = false

  readonly batches: BatchSizes
  readonly rate: CallRate
  readonly logs: LogSpans

  #failedRequests = 0
  /** Until when, by method. */
  readonly #missingMethods = createBoundedCache<string, number>(methodLimit)
  readonly #stateless = createBoundedCache<string, true>(statelessLimit)
  #stateNames: StateNames = 'hash'
  #stateNamesAt = Number.NEGATIVE_INFINITY
  #hashRefusals = 0
  #stateBlocks: bigint | undefined
  #stateBlocksAt = Number.NEGATIVE_INFINITY
  /** In milliseconds. */
  readonly #durations: number[] = []

  constructor(url: URL, { maxBatch, callsPerSecond }: EndpointLimits, clock: Clock) {
    this.url = url
    this.name = endpointName(url)
    this.batches = new BatchSizes(maxBatch)
    this.rate = new CallRate(callsPerSecond)
    this.logs = new LogSpans(() => clock.now())
  }

  /** It answers for every block with the state of its newest. Returns whether that is new. */
  ignoresBlocks(now: number): boolean {
    if (this.#stateNames === 'latest') return false
    this.#nameState('latest', now)
    return true
  }

  /** After calls of these methods were sent. It rests until the next may be. */
  sent(methods: readonly string[], now: number): void {
    const restMs = this.rate.sent(methods, now)
    if (restMs > 0) this.restsUntil = Math.max(this.restsUntil, now + restMs)
  }

  /** After a request took so many milliseconds. */
  took(ms: number): void {
    this.#durations.push(ms)
    if (this.#durations.length > durationLimit) this.#durations.shift()
  }

  /** The 95th percentile of how long requests take, in milliseconds; `undefined` if few are known. */
  typicalMs(): number | undefined {
    if (this.#durations.length < fewDurations) return undefined
    return [...this.#durations].sort((a, b) => a - b)[Math.floor(this.#durations.length * 0.95)]
  }

  /** `undefined` if it was found to take and to offer everything. */
  profile(now: number): EndpointProfile | undefined {
    const missing = [...this.#missingMethods].filter(([, until]) => until > now)
    const batches = this.batches.found(now)
    const rate = this.rate.found(now)
    const logs = this.logs.found(now)
    const stateBlocks = this.#keptBlocks(now)
    const times = [batches, rate, logs].flatMap((found) => (found ? [found.foundAt] : []))
    for (const [, until] of missing) times.push(until - refusalMs)
    if (this.stateNames(now) !== 'hash') times.push(this.#stateNamesAt)
    if (stateBlocks !== undefined) times.push(this.#stateBlocksAt)
    if (times.length === 0) return undefined
    return {
      batch: this.batches.size(now),
      refusedBatchBytes: batches?.refusedBatchBytes,
      batchRefusal: batches?.batchRefusal,
      stateNames: this.#stateNames,
      stateBlocks: stateBlocks === undefined ? undefined : Number(stateBlocks),
      missingMethods: missing.map(([method]) => method).sort(),
      limitedAtRate: rate?.limitedAtRate,
      limitedAtUnits: rate?.limitedAtUnits,
      logBlocks: logs?.logBlocks,
      logRows: logs?.logRows,
      // What a later start knows of this holds no longer than any of it would here.
      foundAt: Math.min(...times),
    }
  }

  /** Knows what an earlier start found. */
  know(profile: EndpointProfile): void {
    const { stateNames, stateBlocks, missingMethods, foundAt } = profile
    this.batches.know(profile)
    this.rate.know(profile)
    this.logs.know(profile)
    for (const method of missingMethods) this.#missingMethods.set(method, foundAt + refusalMs)
    this.#stateNames = stateNames
    this.#stateNamesAt = foundAt
    if (stateBlocks === undefined) return
    this.#stateBlocks = BigInt(stateBlocks)
    this.#stateBlocksAt = foundAt
  }

  /** After a request was answered. */
  answered(now: number): void {
    this.#failedRequests = 0
    this.failures = 0
    this.failedSince = undefined
    this.lastContactAt = now
  }

  /** After a request failed. Returns whether so many did that it has to be suspended. */
  failed(now: number): boolean {
    this.failedSince ??= now
    return (
      ++this.#failedRequests >= failureLimit && now - Math.max(this.lastContactAt ?? 0, this.failedSince) >= failureMs
    )
  }

  /** It does not serve the method. */
  misses(method: string, now: number): void {
    this.#missingMethods.set(method, now + refusalMs)
  }

  /** It has no state of the block, which is named as in requests. */
  hasNoState(block: string): void {
    this.#stateless.set(block, true)
  }

  /** It keeps no state of a block so far behind the newest: it is asked for that of older ones last. */
  prunes(depth: bigint, now: number): void {
    if (depth < fewestStates) return
    const known = this.#keptBlocks(now)
    this.#stateBlocks = known === undefined || depth < known ? depth : known
    this.#stateBlocksAt = now
  }

  /** It answered with the state of a block so far behind the newest. */
  keeps(depth: bigint): void {
    if (this.#stateBlocks !== undefined && depth >= this.#stateBlocks) this.#stateBlocks = undefined
  }

  #keptBlocks(now: number): bigint | undefined {
    return now < this.#stateBlocksAt + refusalMs ? this.#stateBlocks : undefined
  }

  /** Whether it may be able to answer, as far as is known. `depth`: how far the block whose state is read is behind the newest. */
  mayAnswer(method: string, stateBlock: string, depth: bigint | undefined, now: number): boolean {
    if ((this.#missingMethods.get(method) ?? 0) > now || this.#stateless.has(stateBlock)) return false
    return depth === undefined || depth < (this.#keptBlocks(now) ?? depth + 1n)
  }

  /** How it names blocks of state. */
  stateNames(now: number): StateNames {
    if (now >= this.#stateNamesAt + refusalMs) this.#stateNames = 'hash'
    return this.#stateNames
  }

  tookHash(): void {
    this.hasTakenHashes = true
    this.#hashRefusals = 0
  }

  /** After it refused a hash and then answered for another name of the block. Returns whether that name is used from now on. */
  refusedHash(names: StateNames, now: number): boolean {
    if (this.#stateNames === names || (++this.#hashRefusals < hashRefusalLimit && this.hasTakenHashes)) return false
    this.#nameState(names, now)
    this.#hashRefusals = 0
    return true
  }

  #nameState(names: StateNames, now: number): void {
    this.#stateNames = names
    this.#stateNamesAt = now
  }
}
