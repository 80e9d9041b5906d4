import type { LongText } from '../../shared/json/longText.ts'
import { counted } from '../batch.ts'
import type { Client } from '../caller.ts'
import type { Method, NowResult } from '../defineMethod.ts'
import { type AnsweredCall, successText } from '../envelope.ts'
import type { Services } from '../services.ts'

type Needs = {
  services: Services
  find(method: string): Method | undefined
  /** Whether another node has to answer. */
  isForOthers(method: Method, params: unknown): boolean
  onAnswered: ((call: AnsweredCall) => Promise<void> | undefined | void) | undefined
}

/** An answer as text; `undefined` if the method cannot answer at once, and `counted` if that was counted as a request. */
export type NowAnswer = string | LongText | typeof counted | undefined

/** Answers requests whose methods can do so at once. All others, and unusual requests, are for the way of all methods. */
export function createNowAnswers({ services, find, isForOthers, onAnswered }: Needs) {
  /** Computes for so many milliseconds, and waits for nothing unless it may. */
  function answerNow(item: unknown, client: Client, ms: number): NowAnswer
  function answerNow(item: unknown, client: Client, ms: number, mayWait: boolean): NowAnswer | Promise<NowAnswer>
  function answerNow(item: unknown, client: Client, ms: number, mayWait = false): NowAnswer | Promise<NowAnswer> {
    if (typeof item !== 'object' || item === null) return undefined
    const { jsonrpc, id, method, params } = item as Record<string, unknown>
    const found = typeof method === 'string' ? find(method) : undefined
    if (!found?.answerNow || found.role !== 'read' || jsonrpc !== '2.0') return undefined
    if (typeof id !== 'number' && typeof id !== 'string') return undefined
    if (isForOthers(found, params) || !client.mayAsk()) return undefined
    const { bytes, quotas } = client
    const startedAt = performance.now()
    const success = (result: NowResult): NowAnswer => {
      if (result === undefined) return counted
      bytes.answer(result.length)
      void onAnswered?.({ method: found, params, caller: client, error: undefined, ms: performance.now() - startedAt })
      return successText(typeof id === 'number' ? `${id}` : JSON.stringify(id), result)
    }
    try {
      const allowed = Math.min(ms, quotas?.computing?.leftMs ?? ms)
      if (allowed <= 0) return counted
      // A quota counts what this thread computes.
      const allowance = { ms: allowed, bytes: bytes.left, mayWait: mayWait && !quotas }
      const result = found.answerNow(services, params, allowance)
      return result instanceof Promise ? result.then(success).catch(() => counted) : success(result)
    } catch {
      // The way of all methods says what is wrong.
      return counted
    } finally {
      quotas?.computing?.spend(performance.now() - startedAt)
    }
  }
  return answerNow
}
