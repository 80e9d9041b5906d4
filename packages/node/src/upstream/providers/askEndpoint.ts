import { type Clock, pause } from '../../shared/clock.ts'
import { Endpoint } from '../endpoint/endpoint.ts'
import { createRedactor } from '../endpoint/secrets.ts'
import { Counters } from '../transport/counters.ts'
import type { UpstreamOutcome } from '../transport/outcome.ts'
import { createPost } from '../transport/post.ts'
import { type ErrorKind, errorKind } from '../transport/rpcError.ts'
import { createTransport, type HttpAnswer } from '../transport/transport.ts'

/** How an endpoint refused, without our secrets. */
export type Refusal = {
  kind: ErrorKind
  /** The HTTP status; `null` if there was no answer. */
  status: number | null
  /** The code of the error object; `null` if there was none. */
  code: number | null
  words: string
  /** Milliseconds, by the header Retry-After. */
  retryAfterMs: number | null
}

export type Answer = { result: unknown; ms: number } | { refusal: Refusal }

type Call = { method: string; params: readonly unknown[] }

/** Sends single requests and batches to one endpoint, and counts them. Throws `CheckEnded` at the end of the time. */
export type Asker = {
  /** Asked again after a pause if the refusal may pass, up to a number of times in all. */
  ask(method: string, params: readonly unknown[], passing?: readonly ErrorKind[]): Promise<Answer>
  /** The answers of a batch in order; asked once. */
  askBatch(calls: readonly Call[]): Promise<readonly Answer[]>
  /** A request whose refusal is what is to be seen: asked once. */
  askOnce(method: string, params: readonly unknown[]): Promise<Answer>
  /** The number of HTTP requests so far. */
  requests(): number
  /** Milliseconds that short requests took, without the first, which connects. */
  times(): readonly number[]
  close(): Promise<void>
}

/** The time for the check of an endpoint is over. */
export class CheckEnded extends Error {}

type AskerOptions = {
  url: URL
  headers: Readonly<Record<string, string>>
  /** Maximum time of one request, in milliseconds. */
  attemptTimeoutMs: number
  /** Maximum number of concurrent requests. */
  concurrency: number
  signal: AbortSignal
}

/** How often a refusal that passes is asked again: one request, and all together. */
const mostAttempts = 3
const mostRepeats = 6
/** The pause before the next attempt, in milliseconds, and the longest that an endpoint may ask for. */
const pauseMs = 300
const longestPauseMs = 2_000
const mayPass: readonly ErrorKind[] = ['slow down', 'broken', 'not yet', 'unclear']
const shortMethod = /^eth_(chainId|blockNumber|getBalance)$/

export function createAsker(options: AskerOptions, { clock }: { clock: Clock }): Asker {
  const { url, headers, attemptTimeoutMs, concurrency, signal } = options
  const transport = createTransport({ headers, connections: concurrency })
  const endpoint = new Endpoint(url, { maxBatch: Number.MAX_SAFE_INTEGER, callsPerSecond: undefined }, clock)
  const redact = createRedactor([url], headers)
  const counters = new Counters(clock)
  const times: number[] = []
  let repeats = 0

  async function send(calls: readonly Call[]): Promise<readonly Answer[]> {
    if (signal.aborted) throw new CheckEnded()
    let http: HttpAnswer | undefined
    const watched = {
      ...transport,
      post: async (...request: Parameters<typeof transport.post>) => {
        http = await transport.post(...request)
        return http
      },
    }
    const post = createPost({ attemptTimeoutMs }, { transport: watched, clock, counters, redact })
    const controller = new AbortController()
    const stop = () => controller.abort()
    signal.addEventListener('abort', stop, { once: true })
    const sent = calls.map((call, id) => ({ id, ...call }))
    const startedAt = performance.now()
    const outcome = await post(endpoint, sent, controller)
    signal.removeEventListener('abort', stop)
    if (!outcome) throw new CheckEnded()
    const ms = performance.now() - startedAt
    const refusal = refusalOf(outcome, http, redact)
    return sent.map(({ id }) => {
      const answer = outcome.type === 'answers' ? outcome.byId.get(id) : undefined
      if (answer && 'result' in answer) return { result: answer.result, ms }
      if (!answer || !('error' in answer)) return { refusal }
      const { code, message } = answer.error
      return { refusal: { ...refusal, kind: errorKind({ code, message }), code, words: redact(message) } }
    })
  }

  async function askOnce(method: string, params: readonly unknown[]): Promise<Answer> {
    const [answer] = await send([{ method, params }])
    if (!answer) throw new CheckEnded()
    if ('result' in answer && shortMethod.test(method)) times.push(answer.ms)
    return answer
  }

  async function ask(method: string, params: readonly unknown[], passing = mayPass): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await askOnce(method, params)
      if ('result' in answer || attempt === mostAttempts || repeats === mostRepeats) return answer
      const { kind, status, retryAfterMs } = answer.refusal
      // Without an answer, each further attempt may take long.
      if (status === null || !passing.includes(kind)) return answer
      repeats++
      await pause(clock, Math.min(retryAfterMs ?? pauseMs * attempt, longestPauseMs), signal).catch(() => {
        throw new CheckEnded()
      })
    }
  }

  return {
    ask,
    askOnce,
    askBatch: send,
    requests: () => counters.httpRequests,
    times: () => times.slice(1),
    close: () => transport.close(),
  }
}

const kinds: Record<UpstreamOutcome['type'], ErrorKind> = {
  answers: 'broken',
  limited: 'slow down',
  'batch refused': 'no batches',
  denied: 'denied',
  failed: 'broken',
}

/** Why there is no answer to any of the calls. */
function refusalOf(outcome: UpstreamOutcome, http: HttpAnswer | undefined, redact: (text: string) => string): Refusal {
  const said = errorIn(http?.text)
  const problem = outcome.type === 'answers' ? 'did not answer each call of the batch' : outcome.problem
  return {
    kind: kinds[outcome.type],
    status: http?.status ?? null,
    code: said?.code ?? null,
    words: said ? redact(said.message) : problem,
    retryAfterMs: (outcome.type === 'limited' ? outcome.retryAfterMs : undefined) ?? null,
  }
}

/** The error object of an answer that is refused as a whole, whose status alone may have decided. */
function errorIn(text: string | undefined): { code: number | null; message: string } | undefined {
  try {
    const body = JSON.parse(text ?? '')
    const { code, message } = (Array.isArray(body) ? body[0] : body).error
    return typeof message === 'string' ? { code: typeof code === 'number' ? code : null, message } : undefined
  } catch {
    return undefined
  }
}
