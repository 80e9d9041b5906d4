/** A running network, called through its methods. */
export type RemoteNetwork = {
  url: string
  /** Throws `RemoteError`. */
  call<Result = unknown>(method: string, params?: readonly unknown[]): Promise<Result>
}

/** An error answer of a network, or the reason why it could not be reached. */
export class RemoteError extends Error {
  /** The JSON-RPC code; `undefined` without an answer. */
  readonly code: number | undefined
  readonly data: unknown

  constructor(message: string, answered: { code?: number; data?: unknown } = {}) {
    super(message)
    this.name = 'RemoteError'
    this.code = answered.code
    this.data = answered.data
  }
}

export function connectTo(url: string, apiKey: string | undefined): RemoteNetwork {
  return {
    url,
    async call<Result>(method: string, params: readonly unknown[] = []) {
      const { status, text } = await post(url, apiKey, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
      const answer = parse(text)
      if (answer?.error) throw new RemoteError(answer.error.message, answer.error)
      if (answer && 'result' in answer) return answer.result as Result
      throw new RemoteError(`${url} answered HTTP ${status} without JSON-RPC. Is it an Understudy network?`)
    },
  }
}

async function post(url: string, apiKey: string | undefined, body: string): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) }
  try {
    const response = await fetch(url, { method: 'POST', headers, body })
    return { status: response.status, text: await response.text() }
  } catch {
    throw new RemoteError(
      `no network answers at ${url}. Start one with \`understudy start\`, or set its URL with --rpc-url or UNDERSTUDY_RPC_URL`,
    )
  }
}

type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } }

function parse(text: string): Answer | undefined {
  try {
    return JSON.parse(text) as Answer
  } catch {
    return undefined
  }
}
