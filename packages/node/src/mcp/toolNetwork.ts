import type { ExtensionMethod, Params, Result } from '@understudy/client/methods'
import type { Client } from '../rpc/caller.ts'
import type { Dispatcher } from '../rpc/dispatch/dispatch.ts'
import { inOnePiece } from '../rpc/dispatch/envelope.ts'
import type { ErrorKind } from '../shared/errors.ts'

/** Methods of Ethereum nodes and of other test networks. */
type CommonMethod = `${'eth' | 'evm' | 'debug'}_${string}`

/** The network as a tool sees it: its methods, called with the role, the budgets and the limits of the caller. */
export type ToolNetwork = {
  /** Throws `MethodError`. Results of methods that every node has are of the type that the caller names. */
  call<Name extends ExtensionMethod>(method: Name, ...params: Params<Name>): Promise<Result<Name>>
  call<Answer = unknown>(method: CommonMethod, ...params: unknown[]): Promise<Answer>
  /** The address of a page of the dashboard. */
  link(path: string): string
}

/** The network that a tool works on: a branch, by its name, or the one that the client is connected to. */
export type NetworkOf = (branch?: string) => Promise<ToolNetwork>

/** An error answer of a method. */
export class MethodError extends Error {
  readonly method: string
  readonly kind: ErrorKind | undefined

  constructor({ method, kind, message }: { method: string; kind: ErrorKind | undefined; message: string }) {
    super(message)
    this.name = 'MethodError'
    this.method = method
    this.kind = kind
  }
}

/** The most methods that one call of a tool may call. */
const callLimit = 40

/** `url` is where the caller finds the network and its dashboard. */
export function createToolNetwork(dispatcher: Dispatcher, client: Client, url: string): ToolNetwork {
  let calls = 0
  return {
    async call(method: string, ...params: unknown[]) {
      if (++calls > callLimit) throw tooManyCalls(method)
      const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const { text = '{}', error: kind } = await dispatcher.answer(request, client)
      const { result, error } = JSON.parse(inOnePiece(text).toString()) as {
        result: never
        error?: { message: string }
      }
      if (error) throw new MethodError({ method, kind, message: error.message })
      return result
    },
    link: (path) => url + path,
  }
}

function tooManyCalls(method: string): MethodError {
  const message = `the tool calls more than ${callLimit} methods of the network. Ask for less at a time`
  return new MethodError({ method, kind: undefined, message })
}
