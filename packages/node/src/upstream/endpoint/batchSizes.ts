import { type EndpointProfile, refusalMs } from './endpointProfile.ts'

/** Number of complete batches before a larger one is tried. */
const paceTrials = 8
const fewTrials = 2
/** Characters of a refusal that are remembered. */
const refusalCharacters = 300
/** No server takes fewer bytes than these: a smaller batch is refused for its calls. */
const fewestBytes = 4_096
const bytesWords = /HTTP 413|payload|body|entity|content.length|too large|bytes/i

type Found = Pick<EndpointProfile, 'batch' | 'batchRefusal' | 'refusedBatchBytes' | 'foundAt'>
type Refusal = { limit?: number | undefined; problem: string; bytes?: number | undefined }

/** How many calls, and bytes, an endpoint takes in a batch: smaller ones after a refusal, and larger ones again after a while. */
export class BatchSizes {
  readonly #most: number
  #size: number
  /** The most that was not refused. */
  #limit: number
  #refusedBytes: number | undefined
  #refusal: string | undefined
  #foundAt = Number.NEGATIVE_INFINITY
  /** Number of complete batches in a row at this size. */
  #wholes = 0
  #wasRefused = false
  /** Whether it answers so many calls of a batch as it has, rather than all or none. */
  #isPaced = true

  constructor(most: number) {
    this.#most = most
    this.#size = most
    this.#limit = most
  }

  /** The current maximum; 1 if batches are not supported. */
  size(now: number): number {
    if (this.#refusal !== undefined && now >= this.#foundAt + refusalMs) {
      this.#limit = this.#most
      this.#size = this.#most
      this.#refusal = undefined
      this.#refusedBytes = undefined
    }
    return this.#size
  }

  /** Counts the bytes of a batch: whether one more call fits. The first always does. */
  room(now: number): (params: readonly unknown[]) => boolean {
    this.size(now)
    const limit = this.#refusedBytes
    if (limit === undefined) return () => true
    let bytes = 0
    return (params) => {
      // A full batch is asked about each call that waits.
      if (bytes < limit) bytes += JSON.stringify(params).length + envelopeBytes
      return bytes < limit
    }
  }

  /**
   * After a batch of `size` calls was refused: the next has at most as many as were named, or half as many, and then one.
   * Returns whether its size changed.
   */
  refuse(size: number, { limit: named, problem, bytes = 0 }: Refusal, now: number): boolean {
    const before = this.#size
    const smaller = this.#wasRefused ? 1 : Math.max(1, Math.floor(size / 2))
    this.#size = Math.min(before, named ?? smaller)
    const isOfBytes = named === undefined && bytes >= fewestBytes && bytesWords.test(problem)
    if (isOfBytes) this.#refusedBytes = Math.min(bytes, this.#refusedBytes ?? bytes)
    else this.#limit = Math.min(this.#limit, named ?? size - 1)
    this.#refusal = problem.slice(0, refusalCharacters)
    this.#isPaced = true
    this.#foundAt = now
    this.#wasRefused = true
    this.#wholes = 0
    return this.#size < before
  }

  /** After a batch in which some calls were rate-limited. */
  slowDown(calls: number, answered: number): void {
    this.#wholes = 0
    this.#isPaced = answered > 0
    this.#size = Math.max(1, answered > 0 ? answered : Math.floor(Math.min(calls, this.#size) / 2))
  }

  /** After a complete batch: a larger one is tried after several. */
  speedUp(size: number): void {
    this.#wasRefused &&= size < this.#size
    if (this.#size >= this.#limit || size < this.#size || ++this.#wholes < (this.#isPaced ? paceTrials : fewTrials))
      return
    this.#wholes = 0
    const more = Math.max(1, this.#isPaced ? Math.floor(this.#size / 4) : this.#size)
    this.#size = Math.min(this.#limit, this.#size + more)
  }

  /** `undefined` if no batch was refused. */
  found(now: number): Found | undefined {
    const batch = this.size(now)
    if (this.#refusal === undefined) return undefined
    return { batch, batchRefusal: this.#refusal, refusedBatchBytes: this.#refusedBytes, foundAt: this.#foundAt }
  }

  know({ batch, batchRefusal, refusedBatchBytes, foundAt }: Found): void {
    if (batchRefusal === undefined) return
    this.#refusal = batchRefusal
    this.#refusedBytes = refusedBatchBytes
    this.#size = Math.min(this.#most, batch)
    this.#limit = this.#size
    this.#foundAt = foundAt
  }
}

/** What a call has beside its parameters: the version, its id and its method. */
const envelopeBytes = 80
