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
  /** HTTP requests without answers: refused, limited, or failed. */
  httpFailures: number
  bytesSent: number
  /** As received, compressed or not. */
  bytesReceived: number
  methods: Readonly<Record<string, Readonly<MethodCounters>>>
}

/** Counts traffic with upstream. */
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
