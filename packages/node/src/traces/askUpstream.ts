import { isNetworkError } from '../shared/errors.ts'

export type UpstreamRequest = (method: string, params: readonly unknown[]) => Promise<unknown>

/**
 * Asks upstream for what only some nodes offer: `undefined` when it does not, or cannot now. A method that it lacks is not
 * asked for again.
 */
export type AskOptional = (method: string, params: readonly unknown[]) => Promise<unknown>

export function createAskOptional(request: UpstreamRequest | undefined): AskOptional {
  const lacking = new Set<string>()
  return async (method, params) => {
    if (!request || lacking.has(method)) return undefined
    try {
      return await request(method, params)
    } catch (error) {
      if (isNetworkError(error, 'UPSTREAM_STATE_PRUNED')) return undefined
      if (!isNetworkError(error, 'UPSTREAM_ERROR')) throw error
      if ((error.cause as { code?: unknown } | undefined)?.code === methodNotFound) lacking.add(method)
      return undefined
    }
  }
}

const methodNotFound = -32601
