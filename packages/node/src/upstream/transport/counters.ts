import type { Clock } from '../../shared/clock.ts'

/** The counters of one method since the start. */
export type MethodCounters = {
  /** Requests by callers. */
  requests: number
  /** Requests that shared the answer of a running one. */
  shared: number
  /** Calls sent, alone or in a batch, including retries. */
  calls: number
  retries: number
  /** Requests that ended with an error. */
  errors: number
}

export type UpstreamCounters = {
  httpRequests: number
  /** Those of the last minute. */
  httpRequestsLastMinute: number
  /** HTTP requests without answers: refused, limited, or failed. */
  httpFailures: number
  bytesSent: number
  /** As received, compressed or not. */
  bytesReceived: number
  methods: Readonly<Record<string, Readonly<MethodCounters>>>
}

const secondsKept = 60

/** Counts traffic with upstream. */
export class Counters {
  readonly #clock: Clock
  #httpRequests = 0
  /** By the second, since 1970. */
  readonly #recent = new Map<number, number>()
  httpFailures = 0
  bytesSent = 0
  bytesReceived = 0
  readonly #methods = new Map<string, MethodCounters>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get httpRequests(): number {
    return this.#httpRequests
  }

  addHttpRequest(): void {
    this.#httpRequests++
    const second = this.#forgetOld()
    this.#recent.set(second, (this.#recent.get(second) ?? 0) + 1)
  }

  of(method: string): MethodCounters {
    let counters = this.#methods.get(method)
    if (!counters) {
      counters = { requests: 0, shared: 0, calls: 0, retries: 0, errors: 0 }
      this.#methods.set(method, counters)
    }
    return counters
  }

  snapshot(): UpstreamCounters {
    this.#forgetOld()
    const httpRequestsLastMinute = [...this.#recent.values()].reduce((sum, count) => sum + count, 0)
    const { httpRequests, httpFailures, bytesSent, bytesReceived } = this
    const methods = Object.fromEntries([...this.#methods].map(([method, counters]) => [method, { ...counters }]))
    return { httpRequests, httpRequestsLastMinute, httpFailures, bytesSent, bytesReceived, methods }
  }

  /** Returns the current second. */
  #forgetOld(): number {
    const now = Math.floor(this.#clock.now() / 1000)
    for (const second of this.#recent.keys()) if (second <= now - secondsKept) this.#recent.delete(second)
    return now
  }
}
