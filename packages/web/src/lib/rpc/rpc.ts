import { call, type ExtensionMethod, type Params, type Result } from '@understudy/client'
import { request } from './batch.ts'

/** What the client package needs of a client: its requests travel in this page's batches, with its key. */
const client = { request: ({ method, params }: Request) => request(method, params) } as Parameters<typeof call>[0]
type Request = { method: string; params: readonly unknown[] }

/** Methods that all networks have, or all test networks. */
type CommonMethod = `${'eth' | 'debug' | 'anvil' | 'ots'}_${string}`

/**
 * Asks the network: a method of its own with the types of its reference, any other with the result that is named.
 * Throws `RpcError` for an error answer and `UnreachableError` when none comes.
 */
export function rpc<Name extends ExtensionMethod>(method: Name, ...params: Params<Name>): Promise<Result<Name>>
export function rpc<T>(method: CommonMethod, ...params: readonly unknown[]): Promise<T>
export function rpc(method: string, ...params: readonly unknown[]): Promise<unknown> {
  return call(client, method as ExtensionMethod, ...(params as never))
}

export type { Params, Result } from '@understudy/client'
