import { createBoundedCache } from '../../shared/caches/boundedCache.ts'
import { endpointName } from './secrets.ts'

/**
 * - `unverified`: its chain id must be checked before use.
 * - `ready`: it can be used.
 * - `blocked`: it cannot be used for a permanent reason: another chain, or a wrong key.
 */
type EndpointState = 'unverified' | 'verifying' | 'ready' | 'blocked'

/** How an endpoint names the block whose state is read: by its hash (EIP-1898), by its number, or only the newest as `latest`. */
export type StateNames = 'hash' | 'number' | 'latest'

/** How long what an endpoint refused is remembered, in milliseconds: a proxy in front of it may have had a problem. */
const refusalMs = 3_600_000
/** Number of complete batches before a larger one is tried. */
const paceTrials = 8
const fewTrials = 2
/** An endpoint is set aside when so many requests in a row failed, and none was answered for so long, in milliseconds. */
const failureLimit = 4
const failureMs = 500
/** Number of blocks without state that are remembered. */
const statelessLimit = 64
/** Characters of a refusal that are remembered. */
const refusalCharacters = 300
/** Number of methods that are remembered: clients may name any. */
const methodLimit = 64
/** Number of requests that block hashes were refused in, while numbers were answered, until numbers are used. */
const hashRefusalLimit = 2

/** What an endpoint was found to take and to offer. It holds for an hour. */
export type EndpointProfile = {
  /** The most calls of a batch; 1 if it takes no batches. */
  batch: number
  /** What it answered to a larger batch. */
  batchRefusal: string | undefined
  stateNames: StateNames
  missingMethods: readonly string[]
  /** Calls that it was sent in the second before it last limited their rate. */
  limitedAtRate: number | undefined
  /** When the last of this was found, in milliseconds since 1970. */
  foundAt: number
}

/** What an endpoint may be sent, as its user says. */
export type EndpointLimits = { maxBatch: number; callsPerSecond: number | undefined }

/** Number of requests whose duration is known. */
const durationLimit = 64
const fewDurations = 16
/** How often it is logged at most that the rate is limited, in milliseconds. */
const limitLogMs = 60_000

/** One URL of upstream, with its status and what it was found to offer. */
export class Endpoint {
  readonly url: URL
  /** The URL without its secrets. */
  readonly name: string
  state: EndpointState = 'unverified'
  /** It is paused until then, in milliseconds since 1970. */
  restsUntil = 0
  /** How often it was set aside, in a row. */
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

  readonly #mostInBatch: number
  #batchSize: number
  /** The most that was not refused. */
  #batchLimit: number
  #batchLimitEnds = Number.POSITIVE_INFINITY
  /** Number of complete batches in a row at this size. */
  #wholeBatches = 0
  #wasBatchRefused = false
  /** Whether it answers so many calls of a batch as it has, rather than all or none. */
  #isPaced = true
  #failedRequests = 0
  /** Until when, by method. */
  readonly #missingMethods = createBoundedCache<string, number>(methodLimit)
  readonly #stateless = createBoundedCache<string, true>(statelessLimit)
  #stateNames: StateNames = 'hash'
  #stateNamesEnd = Number.POSITIVE_INFINITY
  #hashRefusals = 0

  #batchRefusal: string | undefined
  #foundAt = 0
  readonly #callsPerSecond: number | undefined
  /** Calls that may be sent now, of a rate that was set. */
  #allowance: number
  #allowanceAt = 0
  /** Calls sent in a second, and which second that is. */
  #sent = { second: 0, calls: 0, before: 0 }
  #limitedAtRate: number | undefined
  #limitLoggedAt = Number.NEGATIVE_INFINITY
  /** In milliseconds. */
  readonly #durations: number[] = []

  constructor(url: URL, { maxBatch: mostInBatch, callsPerSecond }: EndpointLimits) {
    this.url = url
    this.name = endpointName(url)
    this.#callsPerSecond = callsPerSecond
    this.#allowance = callsPerSecond ?? 0
    this.#mostInBatch = mostInBatch
    this.#batchSize = mostInBatch
    this.#batchLimit = mostInBatch
  }

  /** The current maximum batch size; 1 if batches are not supported. */
  batchSize(now: number): number {
    if (now >= this.#batchLimitEnds) {
      this.#batchLimit = this.#mostInBatch
      this.#batchSize = this.#mostInBatch
      this.#batchRefusal = undefined
      this.#batchLimitEnds = Number.POSITIVE_INFINITY
    }
    return this.#batchSize
  }

  /**
   * After a batch of `size` calls was refused: the next has at most as many as were named, or half as many, and then one.
   * Returns whether its size changed.
   */
  refuseBatch(
    size: number,
    { limit: named, problem }: { limit?: number | undefined; problem: string },
    now: number,
  ): boolean {
    const before = this.#batchSize
    const smaller = this.#wasBatchRefused ? 1 : Math.max(1, Math.floor(size / 2))
    this.#batchSize = Math.min(before, named ?? smaller)
    this.#batchLimit = Math.min(this.#batchLimit, named ?? size - 1)
    this.#batchLimitEnds = now + refusalMs
    this.#batchRefusal = problem.slice(0, refusalCharacters)
    this.#isPaced = true
    this.#foundAt = now
    this.#wasBatchRefused = true
    this.#wholeBatches = 0
    return this.#batchSize < before
  }

  /** Lowers the batch size after a batch in which some calls were rate-limited. */
  slowDown(calls: number, answered: number): void {
    this.#wholeBatches = 0
    this.#isPaced = answered > 0
    this.#batchSize = Math.max(1, answered > 0 ? answered : Math.floor(Math.min(calls, this.#batchSize) / 2))
  }

  /** After a complete batch: a larger one is tried after several. */
  speedUp(size: number): void {
    this.#wasBatchRefused &&= size < this.#batchSize
    if (
      this.#batchSize >= this.#batchLimit ||
      size < this.#batchSize ||
      ++this.#wholeBatches < (this.#isPaced ? paceTrials : fewTrials)
    )
      return
    this.#wholeBatches = 0
    const more = Math.max(1, this.#isPaced ? Math.floor(this.#batchSize / 4) : this.#batchSize)
    this.#batchSize = Math.min(this.#batchLimit, this.#batchSize + more)
  }

  /** It answers for every block with the state of its newest. Returns whether that is new. */
  ignoresBlocks(now: number): boolean {
    if (this.#stateNames === 'latest') return false
    this.#nameState('latest', now)
    return true
  }

  /** How many of `calls` may be sent now, by the rate that was set. */
  mayTake(calls: number, now: number): number {
    if (this.#callsPerSecond === undefined) return calls
    const added = ((now - this.#allowanceAt) / 1000) * this.#callsPerSecond
    this.#allowance = Math.min(this.#callsPerSecond, this.#allowance + Math.max(0, added))
    this.#allowanceAt = now
    return Math.max(1, Math.min(calls, Math.floor(this.#allowance)))
  }

  /** After calls were sent. It rests until the next may be. */
  sent(calls: number, now: number): void {
    const second = Math.floor(now / 1000)
    if (second !== this.#sent.second)
      this.#sent = { second, calls: 0, before: second === this.#sent.second + 1 ? this.#sent.calls : 0 }
    this.#sent.calls += calls
    if (this.#callsPerSecond === undefined) return
    this.#allowance -= calls
    const missing = 1 - this.#allowance
    if (missing > 0)
      this.restsUntil = Math.max(this.restsUntil, now + Math.ceil((missing / this.#callsPerSecond) * 1000))
  }

  /** After it limited the rate of calls. Returns whether that was not logged in the last minute. */
  limitedRate(now: number): boolean {
    const isNews = now - this.#limitLoggedAt >= limitLogMs
    if (isNews) this.#limitLoggedAt = now
    this.#limitedAtRate = Math.max(this.#sent.calls, this.#sent.before)
    this.#foundAt = now
    return isNews
  }

  /** After a request took so many milliseconds. */
  took(ms: number): void {
    this.#durations.push(ms)
    if (this.#durations.length > durationLimit) this.#durations.shift()
  }

  /** The 95th percentile of how long requests take, in milliseconds; `undefined` if few are known. */
  usualMs(): number | undefined {
    if (this.#durations.length < fewDurations) return undefined
    return [...this.#durations].sort((a, b) => a - b)[Math.floor(this.#durations.length * 0.95)]
  }

  /** `undefined` if it was found to take and to offer everything. */
  profile(now: number): EndpointProfile | undefined {
    if (this.#foundAt + refusalMs <= now) return undefined
    return {
      batch: this.batchSize(now),
      batchRefusal: this.#batchRefusal,
      stateNames: this.stateNames(now),
      missingMethods: [...this.#missingMethods].flatMap(([method, until]) => (until > now ? [method] : [])).sort(),
      limitedAtRate: this.#limitedAtRate,
      foundAt: this.#foundAt,
    }
  }

  /** Knows what an earlier start found. */
  know({ batch, batchRefusal, stateNames, missingMethods, limitedAtRate, foundAt }: EndpointProfile): void {
    const end = foundAt + refusalMs
    this.#foundAt = foundAt
    this.#limitedAtRate = limitedAtRate
    for (const method of missingMethods) this.#missingMethods.set(method, end)
    if (stateNames !== 'hash') {
      this.#stateNames = stateNames
      this.#stateNamesEnd = end
    }
    if (batchRefusal === undefined) return
    this.#batchRefusal = batchRefusal
    this.#batchSize = Math.min(this.#mostInBatch, batch)
    this.#batchLimit = this.#batchSize
    this.#batchLimitEnds = end
  }

  /** After a request was answered. */
  answered(now: number): void {
    this.#failedRequests = 0
    this.failures = 0
    this.failedSince = undefined
    this.lastContactAt = now
  }

  /** After a request failed. Returns whether so many did that it has to be set aside. */
  failed(now: number): boolean {
    this.failedSince ??= now
    return (
      ++this.#failedRequests >= failureLimit && now - Math.max(this.lastContactAt ?? 0, this.failedSince) >= failureMs
    )
  }

  /** It does not serve the method. */
  misses(method: string, now: number): void {
    this.#foundAt = now
    this.#missingMethods.set(method, now + refusalMs)
  }

  /** It has no state of the block, which is named as in requests. */
  hasNoState(block: string): void {
    this.#stateless.set(block, true)
  }

  /** Whether it may be able to answer, as far as is known. */
  mayAnswer(method: string, stateBlock: string, now: number): boolean {
    return (this.#missingMethods.get(method) ?? 0) <= now && !this.#stateless.has(stateBlock)
  }

  /** How it names blocks of state. */
  stateNames(now: number): StateNames {
    if (now >= this.#stateNamesEnd) {
      this.#stateNames = 'hash'
      this.#stateNamesEnd = Number.POSITIVE_INFINITY
    }
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
    this.#stateNamesEnd = now + refusalMs
    this.#foundAt = now
  }
}
