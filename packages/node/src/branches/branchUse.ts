import { AsyncLocalStorage } from 'node:async_hooks'
import { setMaxListeners } from 'node:events'
import type { MaybePromise } from '../shared/async/maybePromise.ts'
import { clientGone } from '../shared/budget/requestBudget.ts'
import type { NetworkError } from '../shared/errors.ts'
import type { BranchRequest } from './branch.ts'

/** The context of a request of a branch. Connections and promises that begin in it may outlive the branch: it lets go of the request. */
type Answering = { request: RunningRequest | undefined }

const answering = new AsyncLocalStorage<Answering>()

/** The request that is being answered, if it is one of a branch. */
export const currentRequest = () => answering.getStore()?.request

/** A client of an open branch: an HTTP request, a WebSocket, or a task of the process. */
export class BranchUse {
  readonly requests = new Set<RunningRequest>()
  readonly #cut: (reason: NetworkError) => void
  #refusal: NetworkError | undefined

  /** `cut` closes a connection that stays open between requests. */
  constructor(cut: (reason: NetworkError) => void) {
    this.#cut = cut
  }

  /** Why it gets no more answers; `undefined` while it does. */
  get refusal(): NetworkError | undefined {
    return this.#refusal
  }

  answer<Answer>({ run, fail, signal }: BranchRequest<Answer>): MaybePromise<Answer> {
    if (this.#refusal) return fail(this.#refusal)
    const request = new RunningRequest(this, signal)
    const context: Answering = { request }
    const finish = () => {
      context.request = undefined
      request.finish()
    }
    const result = answering.run(context, () => run(request))
    if (!(result instanceof Promise)) {
      finish()
      return result
    }
    this.requests.add(request)
    return new Promise((resolve, reject) => {
      request.onEnded = (reason) => resolve(fail(reason))
      result.then(resolve, reject).finally(() => {
        this.requests.delete(request)
        finish()
      })
    })
  }

  /** Answers no new requests. */
  refuse(reason: NetworkError): void {
    this.#refusal = reason
  }

  /** Ends its requests and its connection. Those of `last` remain until that is answered: it asked for the end. */
  end(reason: NetworkError, last: RunningRequest | undefined): void {
    this.refuse(reason)
    for (const request of this.requests) if (request !== last) request.end(reason)
    // Answers are sent in the same turn.
    const cut = () => setImmediate(() => this.#cut(reason))
    if (last?.use === this) void last.finished().then(cut)
    else cut()
  }
}

/** A request of a client that is being answered. */
export class RunningRequest {
  readonly use: BranchUse
  onEnded: (reason: NetworkError) => void = () => {}
  readonly #listeners: (() => void)[] = []
  readonly #signalOfClient: () => AbortSignal | undefined
  #client: AbortSignal | undefined
  #controller: AbortController | undefined

  constructor(use: BranchUse, signalOfClient: () => AbortSignal | undefined) {
    this.use = use
    this.#signalOfClient = signalOfClient
  }

  /** Aborted when the client is gone, or the branch is closed. Few requests ask for it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      // One listener for each waiting request of a batch, so this is not a leak.
      setMaxListeners(0, this.#controller.signal)
      this.#client = this.#signalOfClient()
      this.#client?.addEventListener('abort', this.#cancel)
      if (this.#client?.aborted) this.#cancel()
    }
    return this.#controller.signal
  }

  /** Answers it with the reason. */
  end(reason: NetworkError): void {
    this.#controller?.abort(reason)
    this.onEnded(reason)
  }

  /** Resolves when it was answered. */
  finished(): Promise<void> {
    return new Promise((resolve) => this.#listeners.push(resolve))
  }

  finish(): void {
    this.#client?.removeEventListener('abort', this.#cancel)
    for (const listener of this.#listeners) listener()
  }

  #cancel = () => this.#controller?.abort(clientGone())
}
