import type { Hex } from '@understudy/evm'
import type { NetworkError } from '../../shared/errors.ts'
import { errorKind } from './rpcError.ts'
import type { HttpAnswer } from './transport.ts'

/** A call in its sent form. */
export type Call = {
  id: number
  method: string
  params: readonly unknown[]
  /** The block whose state is read, instead of its hash in `params`. */
  stateName?: Hex | 'latest' | undefined
}

/** Maximum bytes of an answer per call: for reading a field or slot, and for other calls. */
const fieldBytes = 1 << 20
const otherBytes = 32 << 20
/** Maximum bytes of an answer, regardless of the number of calls. */
const mostBytes = 128 << 20
const fieldMethod = /^eth_(chainId|blockNumber|get(Balance|TransactionCount|StorageAt|Code))$/

/** Maximum decompressed size of the answer to these calls in bytes, with room for an error page. */
export function answerLimit(calls: readonly Call[]): number {
  const bytes = calls.reduce((sum, { method }) => sum + (fieldMethod.test(method) ? fieldBytes : otherBytes), 0)
  return Math.min(mostBytes, bytes)
}

/** A call's own answer; `refusal` if it was not sent, because there is only a recording. */
export type CallAnswer =
  | { result: unknown }
  | { error: { code: number; message: string; data?: unknown } }
  | { refusal: NetworkError }

/**
 * The outcome of one HTTP request.
 * - `answers`: by id; missing calls were not answered.
 * - `limited`: too many requests; `mayBeBatchRefusal`: or a batch is refused in such words.
 * - `batch refused`: use batches of at most `limit`, or smaller ones if it is `undefined`; 1 means no batches. `bytes`: what
 *   was sent.
 * - `denied`: the endpoint refuses all requests: a wrong key or path.
 * - `failed`: worth a retry; at another endpoint if this one `isAway`: asked again soon, it would fail again. `isConnectionLost`: the
 *   connection broke.
 */
export type UpstreamOutcome =
  | { type: 'answers'; byId: Map<number, CallAnswer> }
  | { type: 'limited'; problem: string; retryAfterMs: number | undefined; mayBeBatchRefusal?: boolean }
  | { type: 'batch refused'; limit: number | undefined; problem: string; bytes?: number }
  | { type: 'denied'; problem: string }
  | { type: 'failed'; problem: string; isAway?: boolean; isConnectionLost?: boolean }

const noBatchWords = /not (supported|allowed|enabled|available)|unsupported|disabled/i

/** Reads the HTTP answer to `calls`, which were sent as a batch if there are several. */
export function readOutcome(answer: HttpAnswer, calls: readonly Call[], now: number): UpstreamOutcome {
  const { status, text } = answer
  const size = calls.length
  const problem = `answered HTTP ${status}`
  if (status === 429) return { type: 'limited', problem, retryAfterMs: retryAfterMs(answer.retryAfter, now) }

  const body = parse(text)
  const byId = answersOf(body, calls)
  const refused = byId && size > 1 ? batchRefusal([...byId.values()], size) : undefined
  if (refused) return refused
  // Some servers send RPC errors with an HTTP error status. A body with our ids is an answer, unless a gateway reports
  // that its server is down.
  if (byId && status !== 401 && status !== 402 && (status <= 501 || (status > 504 && status < 520)))
    return { type: 'answers', byId }
  const error = errorOf(body)
  const kind = error && errorKind(error)
  const said = error ? `${problem}: ${error.message}` : problem
  if (isDenial(status))
    return size > 1
      ? { type: 'batch refused', limit: undefined, problem: said }
      : { type: 'denied', problem: denial(status, said) }
  if (kind === 'no batches' && size > 1) return refusal(said, size)
  if (status === 408 || status === 425 || (status >= 500 && status !== 501)) return { type: 'failed', problem }

  const message = error?.message ?? (status < 300 ? undefined : problem)
  if (kind === 'slow down') {
    const mayBeBatchRefusal = size > 1
    return { type: 'limited', problem: `answered: ${error?.message}`, retryAfterMs: undefined, mayBeBatchRefusal }
  }
  if (kind === 'broken' || kind === 'unclear') return { type: 'failed', problem: `answered: ${error?.message}` }
  if (error === undefined && text.length < longestText && errorKind({ code: 0, message: text }) === 'slow down')
    return { type: 'limited', problem: `answered: ${text}`, retryAfterMs: undefined }
  if (size > 1 && isEmptyArray(body))
    return { type: 'batch refused', limit: 1, problem: 'answered a batch with an empty array' }
  if (size > 1 && message !== undefined) return refusal(message, size)
  const [only] = calls
  if (message !== undefined && only) {
    return { type: 'answers', byId: new Map([[only.id, { error: { code: -32000, message } }]]) }
  }
  return { type: 'failed', problem: 'answered something other than JSON-RPC' }
}

/** A text that is no JSON is read as an error up to so many characters. */
const longestText = 500

const advice: Record<number, string> = { 401: ': check its key', 403: ': check its key', 404: ': check its path' }

const isDenial = (status: number) => status >= 401 && status <= 404 && status !== 400
const denial = (status: number, problem: string) => `${problem}${advice[status] ?? ''}`

/** Whether each call of a batch was answered that the batch is refused. */
function batchRefusal(answers: readonly CallAnswer[], size: number): UpstreamOutcome | undefined {
  const errors = answers.map((answer) => ('error' in answer ? answer.error : undefined))
  const first = errors[0]
  if (!first || !errors.every((error) => error && errorKind(error) === 'no batches')) return undefined
  return refusal(`answered: ${first.message}`, size)
}

function refusal(problem: string, size: number): UpstreamOutcome {
  if (noBatchWords.test(problem) && !/\d/.test(problem.replace(/HTTP \d+/, '')))
    return { type: 'batch refused', limit: 1, problem }
  const named = (problem.replace(/HTTP \d+/, '').match(/\d+/g) ?? [])
    .map(Number)
    .filter((number) => number > 0 && number < size)
  return { type: 'batch refused', limit: named.at(-1), problem }
}

function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  // Seconds, or an HTTP date; see RFC 9110, 10.2.3.
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return ms > 0 ? ms : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The answers in a body by id; `undefined` if there is none for any of the calls. */
function answersOf(body: unknown, calls: readonly Call[]): Map<number, CallAnswer> | undefined {
  const ids = new Set(calls.map(({ id }) => id))
  const byId = new Map<number, CallAnswer>()
  for (const item of Array.isArray(body) ? body : [body]) {
    const answer = callAnswer(item)
    // A single call needs no id: errors often omit it.
    const id =
      calls.length === 1 && calls[0] ? calls[0].id : Number((item as { id?: unknown } | null)?.id ?? Number.NaN)
    if (answer && ids.has(id)) byId.set(id, answer)
  }
  return byId.size > 0 ? byId : undefined
}

function callAnswer(item: unknown): CallAnswer | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  if ('error' in item && item.error) return { error: rpcError(item.error) }
  return 'result' in item ? { result: item.result } : undefined
}

function rpcError(error: unknown): { code: number; message: string; data?: unknown } {
  if (typeof error !== 'object' || error === null) return { code: -32000, message: String(error) }
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  return { code: typeof code === 'number' ? code : -32000, message: String(message ?? 'no message'), data }
}

function errorOf(body: unknown): { code: number; message: string } | undefined {
  const answer = callAnswer(Array.isArray(body) ? body[0] : body)
  return answer && 'error' in answer ? answer.error : undefined
}

function isEmptyArray(body: unknown): boolean {
  return Array.isArray(body) && body.length === 0
}
