import { isNetworkError } from '../../shared/errors.ts'
import { briefRetryMs } from '../../upstream/transport/requests.ts'
import { errorKind, UpstreamRpcError } from '../../upstream/transport/rpcError.ts'
import type { AskUpstream } from './origins.ts'

/**
 * Calls a method that only some nodes support: `undefined` if upstream does not, or cannot now. A missing method is not
 * called again. `hasOtherWay`: the answer can be had in another way, so `undefined` is also returned when the call goes on
 * failing.
 */
export type AskOptional = (
  method: string,
  params: readonly unknown[],
  options?: { hasOtherWay?: boolean },
) => Promise<unknown>

export function createAskOptional(request: AskUpstream | undefined): AskOptional {
  const lacking = new Set<string>()
  return async (method, params, { hasOtherWay = false } = {}) => {
    if (!request || lacking.has(method)) return undefined
    try {
      return await request(method, params, hasOtherWay ? { retryMs: briefRetryMs } : {})
    } catch (error) {
      if (isNetworkError(error, 'UPSTREAM_STATE_PRUNED')) return undefined
      if (hasOtherWay && isNetworkError(error, 'UPSTREAM_UNAVAILABLE')) return undefined
      if (!isNetworkError(error, 'UPSTREAM_ERROR')) throw error
      const { cause } = error
      if (cause instanceof UpstreamRpcError && errorKind(cause) === 'no method') lacking.add(method)
      return undefined
    }
  }
}
