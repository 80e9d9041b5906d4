import { isNetworkError } from '../shared/errors.ts'
import type { UpstreamRpcError } from '../upstream/transport/rpcError.ts'
import { unsupportedMethods } from './unsupportedMethods.ts'

/** Sends what the network itself does not answer to the live chain; JSON values go in and come out untouched. */
export type UnknownProxy = (method: string, params: unknown) => Promise<unknown>

/** Names of ours, and those by which other nodes are governed. */
const ownOrPrivate = /^(dev|mock|anvil|hardhat|evm|tenderly|rpc|personal|miner|admin|engine|clique|wallet)_/
/** Methods that change something there, or that need a connection of their own. */
const changing =
  /_(send|submit|sign|set|add|remove|drop|delete|import|unlock|lock|start|stop|new|create|cancel|private|mine|(un)?subscribe|(un)?install)/i

/** Whether the name of a method is that of one that only reads, as far as a name can tell. */
export function isProxied(method: string): boolean {
  return (
    /^[a-z][a-z\d]*_[a-z\d_]{1,80}$/i.test(method) &&
    !ownOrPrivate.test(method) &&
    !changing.test(method) &&
    !Object.hasOwn(unsupportedMethods, method)
  )
}

/** Whether upstream said that it has no such method either. */
export function isUnknownThere(error: unknown): boolean {
  return isNetworkError(error, 'UPSTREAM_ERROR') && (error.cause as UpstreamRpcError | undefined)?.code === -32601
}
