import { endpointName } from './secrets.ts'

/**
 * - `unverified`: its chain id must be checked before use.
 * - `ready`: it can be used.
 * - `blocked`: it cannot be used for a permanent reason: another chain, or a wrong key.
 */
type EndpointState = 'unverified' | 'verifying' | 'ready' | 'blocked'

/**
 * How long a rejection of batches is remembered, in milliseconds: a proxy in front of upstream may have had a temporary
 * problem.
 */
const refusalMs = 3_600_000
/** Number of complete batches before a larger one is tried. */
const paceTrials = 8

/** One URL of upstream, with its status. */
export class Endpoint {
  readonly url: URL
  /** The URL without its secrets. */
  readonly name: string
  state: EndpointState = 'unverified'
  /** It is paused until then, in milliseconds since 1970. */
  restsUntil = 0
  /** In a row. */
  failures = 0
  /** When the first failure since it was last usable was, in milliseconds since 1970. */
  failedSince: number | undefined
  /** In a row. */
  limits = 0
  /** How often it was blocked, in a row. */
  refusals = 0
  /** Maximum batch size; 1 if batches are not supported. */
  batchLimit: number
  /** A smaller batch size while the endpoint answers only part of a batch and limits the rest. */
  batchPace = Number.POSITIVE_INFINITY
  /** Number of complete batches in a row at this size. */
  wholeBatches = 0
  /** The last problem. */
  problem: string | undefined
  /** When it last answered, in milliseconds since 1970. */
  lastContactAt: number | undefined

  readonly #mostInBatch: number
  #refusalEnds = Number.POSITIVE_INFINITY

  constructor(url: URL, batchLimit: number) {
    this.url = url
    this.name = endpointName(url)
    this.batchLimit = batchLimit
    this.#mostInBatch = batchLimit
  }

  /** The current maximum batch size. */
  nextBatch(now: number): number {
    if (now >= this.#refusalEnds) {
      this.batchLimit = this.#mostInBatch
      this.#refusalEnds = Number.POSITIVE_INFINITY
    }
    return Math.min(this.batchLimit, this.batchPace)
  }

  /** Lowers the maximum batch size. Returns whether it changed. */
  limitBatches(limit: number, now: number): boolean {
    if (limit >= this.batchLimit) return false
    this.batchLimit = limit
    this.#refusalEnds = now + refusalMs
    return true
  }

  /** Lowers the batch size after a batch in which some calls were rate-limited. */
  slowDown(calls: number, answered: number): void {
    this.wholeBatches = 0
    this.batchPace = Math.max(1, answered > 0 ? answered : Math.floor(Math.min(calls, this.batchPace) / 2))
  }

  /** After a complete batch: a larger one is tried after several. */
  speedUp(): void {
    if (this.batchPace >= this.batchLimit || ++this.wholeBatches < paceTrials) return
    this.wholeBatches = 0
    this.batchPace = this.batchPace + Math.max(1, Math.floor(this.batchPace / 4))
  }
}
