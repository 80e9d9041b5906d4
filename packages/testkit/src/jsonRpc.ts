/** The error object of a JSON-RPC answer. */
export class JsonRpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(error: { code: number; message: string; data?: unknown }) {
    super(error.message)
    this.name = 'JsonRpcError'
    this.code = error.code
    this.data = error.data
  }
}

/** Sends one JSON-RPC call and answers its result, untouched. Throws `JsonRpcError` with the answer's error object. */
export async function postJsonRpc<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as { result: T; error?: { code: number; message: string; data?: unknown } }
  if (answer.error) throw new JsonRpcError(answer.error)
  return answer.result
}
