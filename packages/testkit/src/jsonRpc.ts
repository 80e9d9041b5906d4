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

type Answer<T> = { id: number; result: T; error?: { code: number; message: string; data?: unknown } }

async function post(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

/** Sends one JSON-RPC call and answers its result, untouched. Throws `JsonRpcError` with the answer's error object. */
export async function postJsonRpc<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const answer = (await post(url, { jsonrpc: '2.0', id: 1, method, params })) as Answer<T>
  if (answer.error) throw new JsonRpcError(answer.error)
  return answer.result
}

/** Sends calls as one batch and answers their results in order. Throws `JsonRpcError` with the first error. */
export async function postJsonRpcBatch(
  url: string,
  calls: readonly (readonly [method: string, ...params: unknown[]])[],
): Promise<unknown[]> {
  const requests = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const answers = (await post(url, requests)) as Answer<unknown>[]
  return answers
    .sort((a, b) => a.id - b.id)
    .map(({ result, error }) => {
      if (error) throw new JsonRpcError(error)
      return result
    })
}
