import { isNetworkError } from '../shared/errors.ts'
import { briefRetryMs, type RequestOptions } from '../upstream/transport/requests.ts'
import { errorKind, UpstreamRpcError } from '../upstream/transport/rpcError.ts'

/** Calls the live chain. `undefined` if nothing is forked. */
export type AskUpstream = <T>(
  method: string,
  params: readonly unknown[],
  options?: Pick<RequestOptions, 'retryMs'>,
) => Promise<T>

/** A block, transaction, receipt or log in JSON-RPC's format. */
export type Raw = Record<string, unknown>

/** A value that is either local, or upstream's and passed through unchanged. */
export type Local<T> = { origin: 'local'; value: T }
export type FromUpstream = { origin: 'upstream'; value: Raw }

export const local = <T>(value: T): Local<T> => ({ origin: 'local', value })
export const fromUpstream = (value: Raw): FromUpstream => ({ origin: 'upstream', value })

/**
 * Calls a method that only some nodes support: `undefined` if upstream does not, or cannot now. A missing method is not
 * called again. `hasFallback`: the answer can be had in another way, so `undefined` is also returned when the call goes on
 * failing.
 */
export type AskOptional = (
  method: string,
  params: readonly unknown[],
  options?: { hasFallback?: boolean },
) => Promise<unknown>

export function createAskOptional(request: AskUpstream | undefined): AskOptional {
  const lacking = new Set<string>()
  return async (method, params, { hasFallback = false } = {}) => {
    if (!request || lacking.has(method)) return undefined
    try {
      return await request(method, params, hasFallback ? { retryMs: briefRetryMs } : {})
    } catch (error) {
      if (isNetworkError(error, 'UPSTREAM_STATE_PRUNED')) return undefined
      if (hasFallback && isNetworkError(error, 'UPSTREAM_UNAVAILABLE')) return undefined
      if (!isNetworkError(error, 'UPSTREAM_ERROR')) throw error
      const { cause } = error
      if (cause instanceof UpstreamRpcError && errorKind(cause) === 'no method') lacking.add(method)
      return undefined
    }
  }
}
