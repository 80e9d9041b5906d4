import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { Counters } from './counters.ts'
import type { RequestScheduler } from './dispatcher.ts'
import type { Item } from './queue.ts'

/**
 * - `waitsForRecovery`: the call waits until upstream is back, even while upstream is known to be away.
 * - `retryMs`: how long it is sent again after a failure; without it, until the request's timeout. An answer that is in flight
 *   then is awaited.
 * - `isSlow`: it may take seconds, so that it is sent by itself.
 * - `at`: the endpoint to which it is sent, and not together with an equal call that was sent before.
 */
export type RequestOptions = {
  signal?: AbortSignal | undefined
  waitsForRecovery?: boolean
  retryMs?: number
  isSlow?: boolean
  at?: Endpoint | undefined
}

/**
 * How long a call is sent again whose answer can be had in another way, in milliseconds: failures by chance pass in that time,
 * and a node that takes longer to fail would do so again.
 */
export const briefRetryMs = 2_000

/** Calls upstream; returns the unmodified result, which may be shared with other callers of the same request. */
export type Request = <T>(method: string, params: readonly unknown[], options?: RequestOptions) => Promise<T>

type Shared = { item: Item; promise: Promise<unknown>; waiters: number }

type Needs = { dispatcher: RequestScheduler; clock: Clock; counters: Counters }

/** Gives each request a timeout; equal concurrent requests are sent once. */
export function createRequests({ timeoutMs }: { timeoutMs: number }, { dispatcher, clock, counters }: Needs) {
  const inFlight = new Map<string | number, Shared>()
  let nextId = 1
  let stopped = false

  function share(
    key: string | number,
    method: string,
    params: readonly unknown[],
    { waitsForRecovery = false, retryMs = Number.POSITIVE_INFINITY, isSlow, at }: RequestOptions,
  ): Shared {
    const limitMs = waitsForRecovery ? timeoutMs : Math.min(timeoutMs, dispatcher.timeLeftMs())
    let resolve: (result: unknown) => void = () => {}
    let reject: (error: unknown) => void = () => {}
    const promise = new Promise<unknown>((onResult, onError) => {
      resolve = onResult
      reject = onError
    })
    const settle = () => {
      item.settled = true
      timer.cancel()
      inFlight.delete(key)
    }
    const item: Item = {
      id: nextId++,
      method,
      params,
      waitsForRecovery,
      retriesUntil: clock.now() + retryMs,
      at,
      isSlow,
      isHedge: false,
      failures: 0,
      unclearErrors: 0,
      attempts: 0,
      isLookedFor: false,
      unseenSince: undefined,
      failedAt: undefined,
      refusals: new Map(),
      stateNames: undefined,
      firstRefusal: undefined,
      problem: undefined,
      settled: false,
      resolve(result) {
        if (item.settled) return
        settle()
        resolve(result)
      },
      reject(error) {
        if (item.settled) return
        settle()
        reject(error)
        dispatcher.forget(item)
      },
    }
    const timer = clock.after(limitMs, () => item.reject(unavailable(item, limitMs)))
    const shared = { item, promise, waiters: 0 }
    inFlight.set(key, shared)
    dispatcher.send(item)
    return shared
  }

  function unavailable(item: Item, limitMs: number): NetworkError {
    const problem = item.problem ?? dispatcher.problem() ?? 'no answer'
    const late = `${problem} (gave up after ${limitMs / 1000} s)`
    return new NetworkError('UPSTREAM_UNAVAILABLE', { problem: late })
  }

  /** Waits for the shared answer, or until the signal is aborted. */
  function wait(shared: Shared, signal: AbortSignal | undefined): Promise<unknown> {
    shared.waiters++
    if (!signal) return shared.promise
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason)
        shared.waiters--
        if (shared.waiters === 0) shared.item.reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      shared.promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    })
  }

  const request: Request = async <T>(method: string, params: readonly unknown[], options: RequestOptions = {}) => {
    const { signal, waitsForRecovery = false, retryMs, at } = options
    signal?.throwIfAborted()
    if (stopped) throw new NetworkError('UPSTREAM_UNAVAILABLE', { problem: 'the network is stopping' })
    const key = at ? nextId : `${method}${JSON.stringify(params)}${waitsForRecovery}${retryMs}`
    const counter = counters.of(method)
    counter.requests++
    const known = inFlight.get(key)
    if (known) counter.shared++
    try {
      return (await wait(known ?? share(key, method, params, options), signal)) as T
    } catch (error) {
      counter.errors++
      throw error
    }
  }

  return {
    request,
    stop() {
      stopped = true
      const error = new NetworkError('UPSTREAM_UNAVAILABLE', { problem: 'the network is stopping' })
      for (const { item } of [...inFlight.values()]) item.reject(error)
    },
  }
}
