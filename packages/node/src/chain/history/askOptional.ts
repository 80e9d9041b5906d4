import { isNetworkError } from '../../shared/errors.ts'
import { errorKind, UpstreamRpcError } from '../../upstream/transport/rpcError.ts'
import type { AskUpstream } from './origins.ts'

/**
 * Calls a method that only some nodes support: `undefined` if upstream does not, or cannot now. A missing method is not
 * called again.
 */
export type AskOptional = (method: string, params: readonly unknown[]) => Promise<unknown>

export function createAskOptional(request: AskUpstream | undefined): AskOptional {
  const lacking = new Set<string>()
  return async (method, params) => {
    if (!request || lacking.has(method)) return undefined
    try {
      return await request(method, params)
    } catch (error) {
      if (isNetworkError(error, 'UPSTREAM_STATE_PRUNED')) return undefined
      if (!isNetworkError(error, 'UPSTREAM_ERROR')) throw error
      const { cause } = error
      if (cause instanceof UpstreamRpcError && errorKind(cause) === 'no method') lacking.add(method)
      return undefined
    }
  }
}
