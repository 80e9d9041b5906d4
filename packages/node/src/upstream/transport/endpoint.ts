import { endpointName } from './secrets.ts'

/**
 * - `unverified`: its chain id is to be asked for before it serves.
 * - `ready`: it serves.
 * - `blocked`: it will not serve, for a reason that waiting does not mend: another chain, or a wrong key.
 */
type EndpointState = 'unverified' | 'verifying' | 'ready' | 'blocked'

/** How long a refusal of batches is believed, in milliseconds: something in front of upstream may have been in trouble. */
const refusalMs = 3_600_000
/** Batches that have to be answered whole before a larger one is tried. */
const paceTrials = 8

/** One URL of upstream, and what is known about it. */
export class Endpoint {
  readonly url: URL
  /** The URL without its secrets. */
  readonly name: string
  state: EndpointState = 'unverified'
  /** It is left alone until then, in milliseconds since 1970. */
  restsUntil = 0
  /** In a row. */
  failures = 0
  /** In a row. */
  limits = 0
  /** The most calls that it takes in one batch; 1 when it takes none. */
  batchLimit: number
  /** Fewer calls than that while it answers only some of a batch and limits the others. */
  batchPace = Number.POSITIVE_INFINITY
  /** Batches in a row that were answered whole at this pace. */
  wholeBatches = 0
  /** What went wrong last. */
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

  /** The most calls in a batch that is sent now. */
  nextBatch(now: number): number {
    if (now >= this.#refusalEnds) {
      this.batchLimit = this.#mostInBatch
      this.#refusalEnds = Number.POSITIVE_INFINITY
    }
    return Math.min(this.batchLimit, this.batchPace)
  }

  /** Learns that it takes batches of so many calls at the most. Answers whether that is new. */
  limitBatches(limit: number, now: number): boolean {
    if (limit >= this.batchLimit) return false
    this.batchLimit = limit
    this.#refusalEnds = now + refusalMs
    return true
  }

  /** Learns from a batch of which only some calls were answered, and the others limited. */
  slowDown(calls: number, answered: number): void {
    this.wholeBatches = 0
    this.batchPace = Math.max(1, answered > 0 ? answered : Math.floor(Math.min(calls, this.batchPace) / 2))
  }

  /** Learns from a batch that was answered whole: after some of them, a larger one is tried. */
  speedUp(): void {
    if (this.batchPace >= this.batchLimit || ++this.wholeBatches < paceTrials) return
    this.wholeBatches = 0
    this.batchPace = this.batchPace + Math.max(1, Math.floor(this.batchPace / 4))
  }
}
