import type { CallBytes } from '../../shared/budget/messageBytes.ts'
import type { RequestBudget } from '../../shared/budget/requestBudget.ts'
import { mayDo } from '../../shared/role.ts'
import { counted } from '../batch.ts'
import type { Client } from '../caller.ts'
import type { Method } from '../defineMethod.ts'
import { type Answer, type AnsweredCall, type MessageAnswer, successText } from '../envelope.ts'
import type { Services } from '../services.ts'
import { isStateGone } from './newerBase.ts'

type Needs = {
  services: Services
  /** The method of a name, if it runs here. */
  find(method: string): Method | undefined
  /** The budget of a client's request, without cancellation: an accepted write continues when its client is gone. */
  budgetOf(client: Client): RequestBudget
  /** Answers a counted request in the usual way. */
  answerAgain(item: unknown, client: Client): Promise<MessageAnswer>
  fail(request: { id: string; method: string }, thrown: unknown, bytes: CallBytes): Answer
  onAnswered: ((call: AnsweredCall) => Promise<void> | undefined | void) | undefined
}

/**
 * Answers writes whose methods can start at once, without a context of their own and with few promises.
 * `undefined` for all others, and `counted` for those that were counted as a request: nothing has happened then.
 */
export function createSoonAnswers({ services, find, budgetOf, answerAgain, fail, onAnswered }: Needs) {
  return (item: unknown, client: Client): Promise<MessageAnswer> | typeof counted | undefined => {
    if (typeof item !== 'object' || item === null) return undefined
    const { jsonrpc, id, method, params } = item as Record<string, unknown>
    const found = typeof method === 'string' ? find(method) : undefined
    if (!found?.answerSoon || jsonrpc !== '2.0' || !mayDo(client.role, found.role)) return undefined
    if ((typeof id !== 'number' && typeof id !== 'string') || !client.mayAsk()) return undefined
    const startedAt = performance.now()
    const budget = budgetOf(client)
    const result = started(() => found.answerSoon?.(services, params, budget))
    if (!result) return counted
    const idText = JSON.stringify(id)
    const failed = (thrown: unknown) => fail({ id: idText, method: found.name }, thrown, budget.bytes)
    const answered = (answer: Answer): MessageAnswer | Promise<MessageAnswer> => {
      const ms = performance.now() - startedAt
      const noted = onAnswered?.({ method: found, params, caller: client, error: answer.error, ms })
      return noted ? noted.then(() => answer) : answer
    }
    const success = (json: string): Answer => {
      try {
        budget.bytes.count(json.length)
        return { text: successText(idText, json), error: undefined }
      } catch (error) {
        return failed(error)
      }
    }
    return result.then(
      (json) => answered(success(json)),
      (error: unknown) => (isStateGone(error) ? answerAgain(item, client) : answered(failed(error))),
    )
  }
}

/** What a task returns; `undefined` if it throws: the usual way says what is wrong. */
function started<Result>(task: () => Result): Result | undefined {
  try {
    return task()
  } catch {
    return undefined
  }
}
