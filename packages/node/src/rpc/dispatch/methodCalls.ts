import type { ExtensionMethod, Params, Result } from '@understudy/client/methods'
import type { ErrorKind } from '../../shared/errors.ts'
import type { Client } from '../caller.ts'
import type { Dispatcher } from './dispatch.ts'
import { inOnePiece } from './envelope.ts'

/** Methods of Ethereum nodes and of other test networks. */
type CommonMethod = `${'eth' | 'evm' | 'debug' | 'anvil' | 'tenderly'}_${string}`

/** The methods of a network, called with the role, the budgets and the limits of the caller. */
export type MethodCalls = {
  /** Throws `MethodError`. Results of methods that every node has are of the type that the caller names. */
  call<Name extends ExtensionMethod>(method: Name, ...params: Params<Name>): Promise<Result<Name>>
  call<Answer = unknown>(method: CommonMethod, ...params: unknown[]): Promise<Answer>
}

/** An error answer of a method. */
export class MethodError extends Error {
  readonly method: string
  readonly kind: ErrorKind | undefined
  /** By which an unexpected error is found in the log. */
  readonly id: string | undefined

  constructor({ method, kind, message, id }: Pick<MethodError, 'method' | 'kind' | 'message'> & { id?: string }) {
    super(message)
    this.name = 'MethodError'
    this.method = method
    this.kind = kind
    this.id = id
  }
}

export function methodCalls(dispatcher: Dispatcher, client: Client): MethodCalls {
  return {
    async call(method: string, ...params: unknown[]) {
      const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const { text = '{}', error: kind } = await dispatcher.answer(request, client)
      const { result, error } = JSON.parse(inOnePiece(text).toString()) as {
        result: never
        error?: { message: string; data?: { id?: string } | null }
      }
      if (!error) return result
      const id = kind === 'INTERNAL' ? error.data?.id : undefined
      throw new MethodError({ method, kind, message: error.message, ...(id !== undefined && { id }) })
    },
  }
}
