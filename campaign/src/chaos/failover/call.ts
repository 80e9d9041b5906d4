import { JsonRpcError } from '@understudy/testkit'

/** After this, a client takes a node for lost. */
const timeoutMs = 2_000

/** Asks a node, and waits no longer than an impatient client. A refusal is a `JsonRpcError`, a node that is gone something else. */
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

/** The kind of a refusal. */
export function kindOf(error: unknown): string | undefined {
  return error instanceof JsonRpcError ? (error.data as { kind?: string } | undefined)?.kind : undefined
}
