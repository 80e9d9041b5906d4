import { inWords, type RpcCall, refusing, type Words } from './calls.ts'

export type MethodFaults = {
  /** Methods that are refused: names, or the start of names with an asterisk after it, as in `debug_*`. */
  missingMethods?: readonly string[]
  /** The words of it. */
  missingMethod?: Words<string>
}

/** Words for a method that a server does not have, or not in this plan. */
export const methodRefusals = {
  geth: (method) => refusing(-32601, `the method ${method} does not exist/is not available`),
  alchemy: (method) => refusing(-32601, `Unsupported method: ${method}.`, 400),
  proxyd: refusing(-32601, 'rpc method is not whitelisted', 403),
  forbidden: (method) => refusing(-32601, `method ${method} is not allowed`, 403),
  plan: refusing(-32000, 'upgrade your plan to use this method'),
  quickNode: refusing(-32000, 'upgrade from discover plan at quicknode.com'),
  chainstack: refusing(-32000, 'Access to archival, debug, or trace data is not included in your current plan'),
  chainstackTracers: refusing(
    -32612,
    'Custom tracers are disabled by default. See https://docs.chainstack.com/docs/limits for details.',
  ),
  besu: refusing(-32604, 'Method not enabled'),
  zkSync: refusing(-32601, 'Method not implemented'),
  backends: refusing(-32000, 'no backends available for method'),
  /** BNB's, for eth_getLogs. */
  limitExceeded: refusing(-32005, 'limit exceeded'),
} as const satisfies Record<string, Words<string>>

export function refusalOfMethod({ method }: RpcCall, faults: MethodFaults) {
  const isMissing = faults.missingMethods?.some((name) =>
    name.endsWith('*') ? method.startsWith(name.slice(0, -1)) : method === name,
  )
  return isMissing ? inWords(faults.missingMethod ?? methodRefusals.geth, method) : undefined
}
