import { JsonRpcError } from '@understudy/testkit'

/** After this time, a client considers a node lost. */
const timeoutMs = 2_000

/** Sends a request to a node, with a short time limit. Throws `JsonRpcError` for an error answer, and another error if the node is gone. */
export async function call<T>(url: string, method: string, params: unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const { result, error } = (await response.json()) as {
    result: T
    error?: ConstructorParameters<typeof JsonRpcError>[0]
  }
  if (error) throw new JsonRpcError(error)
  return result
}

/** The kind of an error answer. */
export function kindOf(error: unknown): string | undefined {
  return error instanceof JsonRpcError ? (error.data as { kind?: string } | undefined)?.kind : undefined
}
