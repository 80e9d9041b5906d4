import type { NetworkError } from '../../shared/errors.ts'
import { classifyError } from './rpcError.ts'
import type { HttpAnswer } from './transport.ts'

/** A call in its sent form. */
export type Call = { id: number; method: string; params: readonly unknown[] }

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
 * - `limited`: too many requests.
 * - `batch refused`: use batches of at most `limit`; 1 means no batches.
 * - `denied`: the endpoint refuses all requests: a wrong key or path.
 * - `failed`: worth a retry.
 */
export type UpstreamOutcome =
  | { type: 'answers'; byId: Map<number, CallAnswer> }
  | { type: 'limited'; problem: string; retryAfterMs: number | undefined }
  | { type: 'batch refused'; limit: number; problem: string }
  | { type: 'denied'; problem: string }
  | { type: 'failed'; problem: string }

const sizeWords = /too (large|many|big)|limit|exceed|larger|maximum|at most|up to/i

/** Reads the HTTP answer to `calls`, which were sent as a batch if there are several. */
export function readOutcome(answer: HttpAnswer, calls: readonly Call[], now: number): UpstreamOutcome {
  const { status, text } = answer
  const problem = `answered HTTP ${status}`
  if (status === 429) return { type: 'limited', problem, retryAfterMs: retryAfterMs(answer.retryAfter, now) }

  const body = parse(text)
  const byId = answersOf(body, calls)
  // Some servers send RPC errors with an HTTP error status. A body with our ids is an answer, unless a gateway reports
  // that its server is down.
  if (byId && status !== 401 && (status <= 501 || status > 504)) return { type: 'answers', byId }
  if (status === 401 || status === 403 || status === 404)
    return { type: 'denied', problem: `${problem}${advice[status]}` }
  if (status === 408 || status === 425 || (status >= 500 && status !== 501)) return { type: 'failed', problem }

  const error = errorOf(body)
  const kind = error && classifyError(error)
  const message = error?.message ?? (status < 300 ? undefined : problem)
  if (kind === 'limited') return { type: 'limited', problem: `answered: ${error?.message}`, retryAfterMs: undefined }
  if (kind === 'transient' || kind === 'doubtful') return { type: 'failed', problem: `answered: ${error?.message}` }
  if (calls.length > 1 && (message !== undefined || isEmptyArray(body))) {
    return refusal(message ?? 'answered a batch with an empty array', status, calls.length)
  }
  const [only] = calls
  if (message !== undefined && only) {
    return { type: 'answers', byId: new Map([[only.id, { error: { code: -32000, message } }]]) }
  }
  return { type: 'failed', problem: 'answered something other than JSON-RPC' }
}

const advice = { 401: ': check its key', 403: ': check its key', 404: ': check its path' }

function refusal(problem: string, status: number, size: number): UpstreamOutcome {
  if (status !== 413 && !sizeWords.test(problem)) return { type: 'batch refused', limit: 1, problem }
  const named = (problem.match(/\d+/g) ?? []).map(Number).filter((number) => number > 0 && number < size)
  return { type: 'batch refused', limit: named.at(-1) ?? Math.ceil(size / 4), problem }
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
