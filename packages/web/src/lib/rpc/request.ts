import { answeredError, slowMethods } from '@understudy/client/methods'
import { BaseError, http } from 'viem'
import { RpcError, UnreachableError } from '../../errors/rpcError.ts'
import { networkUrl } from '../../location/networkUrl.ts'
import { apiKey } from './apiKey.ts'

/** Requests in a batch, at most: well below the network's own limit. */
const batchSize = 100

const config: Parameters<typeof http>[1] = {
  // The network bounds its answers itself; a long history has more than viem's 10 MB.
  maxResponseBodySize: false,
  onFetchRequest(_, init) {
    const key = apiKey.get()
    return key ? { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } } : init
  },
  async onFetchResponse(response) {
    // A batch that is refused as a whole has one error instead of a list, which viem does not expect.
    const { error } = response.ok ? {} : await response.clone().json()
    if (error) throw new RpcError(error)
  },
}
// React Query retries, and a trace may take its time.
const limits = { retryCount: 0, timeout: 0 }
const alone = http(networkUrl, config)(limits)
const batched = http(networkUrl, { ...config, batch: { batchSize } })(limits)

/**
 * Sends one request, in a batch with the others of the same moment.
 * Throws `RpcError` for an error answer and `UnreachableError` when none comes.
 */
export async function request(method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return await (slowMethods.has(method) ? alone : batched).request({ method, params })
  } catch (error) {
    throw errorFrom(error)
  }
}

function errorFrom(error: unknown): Error {
  const answered = answeredError(error)
  if (answered) return new RpcError(answered)
  const refused = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcError) : undefined
  return refused instanceof RpcError ? refused : new UnreachableError(error)
}
