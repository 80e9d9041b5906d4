/** A JSON-RPC call as it arrived. */
export type RpcCall = { jsonrpc: '2.0'; id: unknown; method: string; params?: readonly unknown[] }

export type RpcError = { code: number; message: string; data?: unknown }

/** The part of an answer that a fault decides. `status` is that of the HTTP answer when the call came alone; 200 by default. */
export type RpcAnswer = { result: unknown } | { error: RpcError; status?: number }

/** How a server refuses a call. */
export type CallRefusal = { error: RpcError; status?: number }

/** Words that are always the same, or that name what was asked. */
export type Words<T> = CallRefusal | ((asked: T) => CallRefusal)

export function inWords<T>(words: Words<T>, asked: T): CallRefusal {
  return typeof words === 'function' ? words(asked) : words
}

/** An error in an HTTP 200, or with another status when the call came alone. */
export function refusing(code: number, message: string, status = 200): CallRefusal {
  return { error: { code, message }, status }
}

export const quantity = (value: number): string => `0x${value.toString(16)}`

/** Where the methods that read state have their block parameter. */
const stateIndexes: Record<string, number> = {
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_createAccessList: 1,
  debug_traceCall: 1,
}

/** Whether a call reads the state of a block. */
export function readsState({ method }: RpcCall): boolean {
  return Object.hasOwn(stateIndexes, method)
}

/** The block whose state a call reads: a number, a tag, or an object (EIP-1898). `latest` where none is named. */
export function stateBlock({ method, params }: RpcCall): unknown {
  return params?.[stateIndexes[method] as number] ?? 'latest'
}

/** The call, reading the state of another block. */
export function atBlock(call: RpcCall, block: string): RpcCall {
  return withParam(call, stateIndexes[call.method] as number, block)
}

export function withParam(call: RpcCall, index: number, value: unknown): RpcCall {
  const params = [...(call.params ?? [])]
  params[index] = value
  return { ...call, params: Array.from(params, (param) => param ?? null) }
}
