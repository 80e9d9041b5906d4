import { isNetworkError } from '../../shared/errors.ts'
import type { UpstreamRpcError } from '../../upstream/transport/rpcError.ts'
import { unsupportedMethods } from './unsupportedMethods.ts'

/** Forwards unknown methods to the live chain; JSON values pass through unchanged. */
export type UnknownProxy = (method: string, params: unknown) => Promise<unknown>

/** Our own namespaces, and namespaces that administer other nodes. */
const ownOrPrivate = /^(dev|mock|anvil|hardhat|evm|tenderly|rpc|personal|miner|admin|engine|clique|wallet)_/
/** Methods that change something there, or need their own connection. */
const changing =
  /_(send|submit|sign|set|add|remove|drop|delete|import|unlock|lock|start|stop|new|create|cancel|private|mine|(un)?subscribe|(un)?install)/i

/** Whether a method only reads, judged by its name. */
export function isProxied(method: string): boolean {
  return (
    /^[a-z][a-z\d]{0,30}_[a-z\d_]{1,80}$/i.test(method) &&
    !ownOrPrivate.test(method) &&
    !changing.test(method) &&
    !Object.hasOwn(unsupportedMethods, method)
  )
}

/** Whether upstream does not have the method either. */
export function isUnknownThere(error: unknown): boolean {
  return isNetworkError(error, 'UPSTREAM_ERROR') && (error.cause as UpstreamRpcError | undefined)?.code === -32601
}
