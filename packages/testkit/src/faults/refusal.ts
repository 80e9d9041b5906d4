import type { RpcCall, RpcError } from './calls.ts'

/** How a server refuses a whole HTTP request. */
export type Refusal = {
  headers?: Readonly<Record<string, string>>
  /** Milliseconds until it does. */
  afterMs?: number
} & (
  | { reset: true }
  | { status: number; text: string }
  | {
      error: RpcError
      /** 200 by default. */
      status?: number
      /** What has the error of a batch: the answer to each call, the only answer, or one object that is no array. */
      batch?: 'each' | 'first' | 'object'
    }
)

/** An HTTP answer; or the connection is reset. */
export type HttpAnswer = { status: number; headers?: Readonly<Record<string, string>>; text: string | Buffer } | 'reset'

export function answerOfRefusal(refusal: Refusal, body: RpcCall | readonly RpcCall[]): HttpAnswer {
  if ('reset' in refusal) return 'reset'
  const { headers } = refusal
  if ('text' in refusal) return { status: refusal.status, headers, text: refusal.text }
  return { status: refusal.status ?? 200, headers, text: JSON.stringify(errorsOf(refusal, body)) }
}

function errorsOf(
  { error, batch = 'each' }: Extract<Refusal, { error: RpcError }>,
  body: RpcCall | readonly RpcCall[],
): unknown {
  const answer = (id: unknown) => ({ jsonrpc: '2.0', id, error })
  if (!isBatch(body)) return answer(body.id)
  if (batch === 'object') return answer(null)
  return (batch === 'first' ? body.slice(0, 1) : body).map(({ id }) => answer(id))
}

export function isBatch(body: RpcCall | readonly RpcCall[]): body is readonly RpcCall[] {
  return Array.isArray(body)
}
