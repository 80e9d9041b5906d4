export type RpcError = { code: number; message: string; data?: unknown }

export type Answered = { result?: unknown; error?: RpcError; ms: number }

/** An error that shows a fault of the network. */
export const internalError = -32603

/** Sends one request over HTTP. Throws if the answer is not JSON-RPC, or an internal error. */
export async function ask(url: string, method: string, params: unknown): Promise<Answered> {
  const startedAt = performance.now()
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
  const text = await response.text()
  const ms = performance.now() - startedAt
  if (response.status !== 200) throw new Error(`${method} was answered HTTP ${response.status}: ${text.slice(0, 300)}`)
  return { ...requireAnswer(text), ms }
}

/** Reads one answer. Throws if it is invalid, or an internal error. */
export function requireAnswer(text: string): { result?: unknown; error?: RpcError } {
  const answer = parse(text)
  const problem = problemOf(answer)
  if (problem) throw new Error(`${problem}: ${text.slice(0, 300)}`)
  return answer as { result?: unknown; error?: RpcError }
}

/** How an answer violates JSON-RPC 2.0. */
export function problemOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return 'is no object'
  const { jsonrpc, error, ...rest } = answer as Record<string, unknown>
  if (jsonrpc !== '2.0') return 'has no jsonrpc'
  if (!('id' in rest)) return 'has no id'
  if ('result' in rest === (error !== undefined)) return 'has not one of result and error'
  if (error === undefined) return undefined
  const { code, message } = error as Partial<RpcError>
  if (!Number.isInteger(code) || typeof message !== 'string' || message === '') return 'has no code or message'
  return code === internalError ? 'is an internal error' : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`This is no JSON: ${text.slice(0, 300)}`)
  }
}
