import type { Client } from '../rpc/caller.ts'
import type { Dispatcher } from '../rpc/dispatch/dispatch.ts'
import { type MethodCalls, MethodError, methodCalls } from '../rpc/dispatch/methodCalls.ts'

/** The network as a tool sees it: its methods, called with the role, the budgets and the limits of the caller. */
export type ToolNetwork = MethodCalls & {
  /** The address of a page of the dashboard. */
  link(path: string): string
}

/** The network that a tool works on: a branch, by its name, or the one that the client is connected to. */
export type NetworkOf = (branch?: string) => Promise<ToolNetwork>

/** The most methods that one call of a tool may call. */
const callLimit = 40

/** `url` is where the caller finds the network and its dashboard. */
export function createToolNetwork(dispatcher: Dispatcher, client: Client, url: string): ToolNetwork {
  const methods = methodCalls(dispatcher, client)
  let calls = 0
  return {
    async call(method: never, ...params: never[]) {
      if (++calls > callLimit) throw tooManyCalls(method)
      return (await methods.call(method, ...params)) as never
    },
    link: (path) => url + path,
  }
}

function tooManyCalls(method: string): MethodError {
  const message = `the tool calls more than ${callLimit} methods of the network. Ask for less at a time`
  return new MethodError({ method, kind: undefined, message })
}
