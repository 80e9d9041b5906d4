import { call, type ExtensionMethod, type Params, type Result } from '@understudy/client/methods'
import { request } from './request.ts'

/** A client for the client package, with the batching and the API key of this page. */
const client = { request: ({ method, params }: Request) => request(method, params) } as Parameters<typeof call>[0]
type Request = { method: string; params: readonly unknown[] }

/** Methods of Ethereum nodes and of other test networks. */
type CommonMethod = `${'eth' | 'evm' | 'debug' | 'anvil' | 'ots' | 'txpool'}_${string}`

/**
 * Calls a method. Methods of Understudy have the types of their reference; for others, the caller names the result.
 * Throws `RpcError` for an error answer and `UnreachableError` when none comes.
 */
export function rpc<Name extends ExtensionMethod>(method: Name, ...params: Params<Name>): Promise<Result<Name>>
export function rpc<T>(method: CommonMethod, ...params: readonly unknown[]): Promise<T>
export function rpc(method: string, ...params: readonly unknown[]): Promise<unknown> {
  return call(client, method as ExtensionMethod, ...(params as never))
}

export type { Params, Result } from '@understudy/client/methods'
