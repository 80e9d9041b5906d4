import type { Account, Chain, Client, Transport } from 'viem'
import { type ExtensionMethod, extensionMethods, type Methods, parameterNames } from './generated/methods.ts'
import type { AlchemyActions, DevActions, MockActions, TenderlyActions } from './generated/namespaces.ts'

export type Params<Name extends ExtensionMethod> = Methods[Name]['params']
export type Result<Name extends ExtensionMethod> = Methods[Name]['result']

/** `client.dev.setBalance({ address, amount })` is the method `dev_setBalance`, with the parameters and the result of its reference. */
export type UnderstudyActions = {
  /** The methods `dev_*`: they change and show the network. */
  dev: DevActions
  /** The methods `mock_*`: they wipe local state. */
  mock: MockActions
  /** The methods `tenderly_*`: what they do in the shapes of Tenderly. */
  tenderly: TenderlyActions
  /** The methods `alchemy_*`: simulations in the shapes of Alchemy. */
  alchemy: AlchemyActions
}

/**
 * Calls one method with parameters in their order. Bigints are sent as decimal strings.
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

/** Actions for `client.extend(understudyActions)`: adds `client.dev`, `client.mock`, `client.tenderly` and `client.alchemy`. */
export function understudyActions<
  transport extends Transport,
  chain extends Chain | undefined,
  account extends Account | undefined,
>(client: Client<transport, chain, account>): UnderstudyActions {
  const actions: Record<string, Record<string, unknown>> = {}
  for (const method of extensionMethods) {
    const [namespace = '', name = ''] = method.split('_')
    actions[namespace] ??= {}
    actions[namespace][name] = async (parameters?: Record<string, unknown>) =>
      call(client as Client, method, ...(inOrder(method, parameters) as Params<typeof method>))
  }
  return actions as unknown as UnderstudyActions
}

/** The parameters of a method in their order. Throws `TypeError` for what is no object, or has others. */
function inOrder(method: ExtensionMethod, given: Record<string, unknown> | undefined): unknown[] {
  if (given === undefined) return []
  const names = parameterNames[method].split(' ')
  const others = { ...given }
  const params = names.map((name) => {
    if (name === '...') return others
    const { [name]: value } = others
    delete others[name]
    return value
  })
  const [other] = names.includes('...') ? [] : Object.keys(others)
  if (typeof given !== 'object' || other !== undefined)
    throw new TypeError(
      `${method} takes ${names[0] ? `{ ${names.join(', ')} }` : 'nothing'}, not ${other ?? typeof given}`,
    )
  while (params.length > 0 && params.at(-1) === undefined) params.pop()
  return params
}

/** The same value with bigints as decimal strings. */
function encode(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(encode)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, encode(each)]))
}
