/** What one method did since the start. */
export type MethodCounters = {
  /** Requests that callers made. */
  requests: number
  /** Requests that were answered by one that was under way already. */
  shared: number
  /** Calls that were sent, alone or in a batch; more than requests when some were sent again. */
  calls: number
  retries: number
  /** Requests that ended with an error. */
  errors: number
}

export type UpstreamCounters = {
  httpRequests: number
  /** HTTP requests that brought no answers: refused, limited, or failed. */
  httpFailures: number
  bytesSent: number
  /** As they came, compressed or not. */
  bytesReceived: number
  methods: Readonly<Record<string, Readonly<MethodCounters>>>
}

/** Counts what goes to upstream and comes back. */
export class Counters {
  httpRequests = 0
  httpFailures = 0
  bytesSent = 0
  bytesReceived = 0
  readonly #methods = new Map<string, MethodCounters>()

  of(method: string): MethodCounters {
    let counters = this.#methods.get(method)
    if (!counters) {
      counters = { requests: 0, shared: 0, calls: 0, retries: 0, errors: 0 }
      this.#methods.set(method, counters)
    }
    return counters
  }

  snapshot(): UpstreamCounters {
    const { httpRequests, httpFailures, bytesSent, bytesReceived } = this
    const methods = Object.fromEntries([...this.#methods].map(([method, counters]) => [method, { ...counters }]))
    return { httpRequests, httpFailures, bytesSent, bytesReceived, methods }
  }
}
