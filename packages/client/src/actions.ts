import type { Account, Chain, Client, Transport } from 'viem'
import { type ExtensionMethod, extensionMethods, type Methods } from './methods.ts'

export type Params<Name extends ExtensionMethod> = Methods[Name]['params']
export type Result<Name extends ExtensionMethod> = Methods[Name]['result']

/** The methods of one namespace, by what follows its prefix. */
type Namespace<Prefix extends string> = {
  [Name in ExtensionMethod as Name extends `${Prefix}_${infer Rest}` ? Rest : never]: (
    ...params: Params<Name>
  ) => Promise<Result<Name>>
}

/** `client.dev.setBalance(address, amount)` is the method `dev_setBalance`, with the parameters and the result of its reference. */
export type UnderstudyActions = { dev: Namespace<'dev'>; mock: Namespace<'mock'> }

/**
 * Calls one method. Bigints are sent as decimal strings.
 * Throws viem's `RpcRequestError`; see `errorKind`.
 */
export function call<Name extends ExtensionMethod>(
  client: Pick<Client, 'request'>,
  method: Name,
  ...params: Params<Name>
): Promise<Result<Name>> {
  // A late answer must not send a change twice.
  const request = { method, params: encode(params) } as never
  return client.request(request, { retryCount: 0 }) as Promise<Result<Name>>
}

/** Actions for `client.extend(understudyActions)`: adds `client.dev` and `client.mock`. */
export function understudyActions<
  transport extends Transport,
  chain extends Chain | undefined,
  account extends Account | undefined,
>(client: Client<transport, chain, account>): UnderstudyActions {
  const actions: Record<string, Record<string, unknown>> = {}
  for (const method of extensionMethods) {
    const [namespace = '', name = ''] = method.split('_')
    actions[namespace] ??= {}
    actions[namespace][name] = (...params: Params<typeof method>) => call(client as Client, method, ...params)
  }
  return actions as UnderstudyActions
}

/** The same value with bigints as decimal strings. */
function encode(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(encode)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, encode(each)]))
}
