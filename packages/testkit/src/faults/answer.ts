import { refusalOfBatch } from './batches.ts'
import type { RpcAnswer, RpcCall } from './calls.ts'
import type { Faults } from './faults.ts'
import { refusalOfRange, withinRows } from './logs.ts'
import { refusalOfMethod } from './methods.ts'
import { answerOfRefusal, type HttpAnswer, isBatch } from './refusal.ts'
import { asSeen, withoutUnseen } from './replicas.ts'
import { faultOfState } from './state.ts'
import { forward, type View, viewOf } from './target.ts'

/**
 * Answers a body with the faults applied; what no fault answers is asked of the target, in one request. `headNow` is the
 * newest block of the server that answers, if that is not the target's.
 */
export async function answerFor(
  body: RpcCall | readonly RpcCall[],
  faults: Faults,
  targetUrl: string,
  headNow?: number,
): Promise<HttpAnswer> {
  const refusal = isBatch(body)
    ? refusalOfBatch({ size: body.length, bytes: JSON.stringify(body).length }, faults)
    : undefined
  if (refusal) return answerOfRefusal(refusal, body)

  const view = viewOf(targetUrl, headNow)
  const calls = isBatch(body) ? body : [body]
  const prepared = await Promise.all(
    calls.map((call, index) =>
      isBatch(body) && isLimited(index, faults.limitItems) ? tooManyRequests : prepare(call, faults, view),
    ),
  )
  const passed = prepared.filter(isCall)
  const asked = isBatch(body) ? passed : passed[0]
  const forwarded = passed.length > 0 && asked ? await forward(targetUrl, asked) : { status: 200, body: [] }
  if (isBatch(body) !== Array.isArray(forwarded.body) && passed.length > 0) {
    return { status: forwarded.status, text: JSON.stringify(forwarded.body) }
  }

  const rest = [forwarded.body].flat() as RpcAnswer[]
  const answers = await Promise.all(
    prepared.map((it) => (isCall(it) ? finish(it, rest.shift() as RpcAnswer, faults, view) : it)),
  )
  const items = answers.map((answer, index) => {
    const { status: _, ...item } = { status: 0, jsonrpc: '2.0', id: calls[index]?.id, ...answer }
    return item
  })
  if (isBatch(body)) return { status: forwarded.status, text: JSON.stringify(items) }
  const [answer] = answers
  const status = answer && 'status' in answer ? answer.status : undefined
  return { status: status ?? forwarded.status, text: JSON.stringify(items[0]) }
}

const tooManyRequests: RpcAnswer = {
  error: { code: 429, message: 'Your app has exceeded its compute units per second capacity' },
}

function isLimited(index: number, limit: Faults['limitItems']): boolean {
  if (limit === undefined) return false
  return 'allBut' in limit ? index >= limit.allBut : limit.includes(index)
}

function isCall(it: RpcCall | RpcAnswer): it is RpcCall {
  return 'method' in it
}

/** A call's answer, or the call as it is passed on. */
async function prepare(call: RpcCall, faults: Faults, view: View): Promise<RpcCall | RpcAnswer> {
  const missing = refusalOfMethod(call, faults)
  if (missing) return missing
  if (faults.logs && call.method === 'eth_getLogs') {
    const refusal = await refusalOfRange(call, faults.logs, view)
    if (refusal) return refusal
  }
  const own = await faults.answer?.(call)
  if (own) return own
  // A server that has not seen a block cannot know whether it keeps its state.
  const seen = faults.replicas ? await asSeen(call, faults, view) : call
  return isCall(seen) ? faultOfState(seen, call, faults, view) : seen
}

/** The target's answer as the server gives it. */
async function finish(call: RpcCall, answer: RpcAnswer, faults: Faults, view: View): Promise<RpcAnswer> {
  if (faults.logs && call.method === 'eth_getLogs') return withinRows(call, faults.logs, view, answer)
  return faults.replicas ? withoutUnseen(call, answer, view) : answer
}
