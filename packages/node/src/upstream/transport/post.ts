import type { Clock } from '../../shared/clock.ts'
import { OversizedJsonError } from '../../shared/json/boundedJson.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { Counters } from './counters.ts'
import { answerLimit, type Call, readOutcome, type UpstreamOutcome } from './outcome.ts'
import { isSlow } from './queue.ts'
import { withStateBlock } from './rpcError.ts'
import { connectionProblem, isConnectionCut, isHopeless, type Transport } from './transport.ts'

type Needs = {
  transport: Transport
  clock: Clock
  counters: Counters
  /** Takes our secrets out of a text of upstream's. */
  redact(text: string): string
}

/** Sends calls in one HTTP request; returns `undefined` if the request was aborted. */
export type Post = (
  endpoint: Endpoint,
  calls: readonly Call[],
  controller: AbortController,
) => Promise<UpstreamOutcome | undefined>

export function createPost(
  { attemptTimeoutMs }: { attemptTimeoutMs: number },
  { transport, clock, counters, redact }: Needs,
): Post {
  return async (endpoint, calls, controller) => {
    const envelopes = calls.map(({ id, method, params, stateName }) => ({
      jsonrpc: '2.0',
      id,
      method,
      params: stateName === undefined ? params : withStateBlock(method, params, stateName),
    }))
    const body = JSON.stringify(envelopes.length === 1 ? envelopes[0] : envelopes)
    let late = false
    const timer = clock.after(attemptTimeoutMs, () => {
      late = true
      controller.abort()
    })
    counters.addHttpRequest()
    counters.bytesSent += body.length
    try {
      const answer = await transport.post(endpoint.url, body, answerLimit(calls), controller.signal)
      counters.bytesReceived += answer.bytes
      const outcome = readOutcome(answer, calls, clock.now())
      if (outcome.type === 'answers') return outcome
      counters.httpFailures++
      const said = { ...outcome, problem: redact(outcome.problem) }
      return said.type === 'batch refused' ? { ...said, bytes: body.length } : said
    } catch (error) {
      counters.httpFailures++
      // Each such request takes long, so others are not tried there either.
      if (late) return { type: 'failed', problem: `did not answer within ${attemptTimeoutMs / 1000} s`, isAway: true }
      if (controller.signal.aborted) return undefined
      const [only] = calls
      // Of a query, it is the result that is too large, and not the endpoint that fails.
      if (error instanceof OversizedJsonError && only && isSlow(only)) {
        const message = `response too large: it ${error.message}`
        return { type: 'answers', byId: new Map([[only.id, { error: { code: -32000, message } }]]) }
      }
      return {
        type: 'failed',
        problem: redact(connectionProblem(error)),
        isAway: isHopeless(error),
        isConnectionLost: isConnectionCut(error),
      }
    } finally {
      timer.cancel()
    }
  }
}
