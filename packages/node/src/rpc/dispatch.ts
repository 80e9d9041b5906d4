import { arrivals } from '../shared/budget/arrivals.ts'
import type { CallBytes } from '../shared/budget/messageBytes.ts'
import { type BudgetLimits, createBudget, withBudget } from '../shared/budget/requestBudget.ts'
import { memoize } from '../shared/caches/memoize.ts'
import { NetworkError } from '../shared/errors.ts'
import { giveWay } from '../shared/giveWay.ts'
import { parseMessage } from '../shared/json/exactIds.ts'
import { leastJsonBytes } from '../shared/json/leastJsonBytes.ts'
import { isNestedDeeper, nestingLimit } from '../shared/json/nesting.ts'
import { type Limited, mayHaveManyValues, requireFewValues, requireFewValuesIn } from '../shared/json/valueLimit.ts'
import type { Logger } from '../shared/logger.ts'
import { mayDo, type Role } from '../shared/role.ts'
import { callAtNewerBase } from './answers/newerBase.ts'
import { createNowAnswers, type NowAnswer } from './answers/nowAnswers.ts'
import { createSoonAnswers } from './answers/soonAnswers.ts'
import { counted, createBatches, quickMs } from './batch.ts'
import type { Caller, Client } from './caller.ts'
import { importFinder, importRole, inOrder, type Method } from './defineMethod.ts'
import { encodeResult } from './encode/result.ts'
import {
  type Answer,
  type AnsweredCall,
  failure,
  idOf,
  type MessageAnswer,
  type Request,
  readRequest,
  requestText,
  successText,
} from './envelope.ts'
import { readsPool } from './poolReads.ts'
import { isProxied, isUnknownThere, type UnknownProxy } from './proxyUnknown.ts'
import type { Services } from './services.ts'
import { unsupportedMethods } from './unsupportedMethods.ts'

export type Dispatcher = {
  /** Answers the JSON of a request or of a batch, at once where all of it is in memory. Never throws, never rejects. */
  answer(body: string, client: Client): MessageAnswer | Promise<MessageAnswer>
}

/** Where calls run that change the network or need its pool, when that is not always here. */
export type RemoteSealer = {
  run(call: {
    /** The request as JSON. */
    body: string
    caller: Pick<Caller, 'role' | 'key'>
    /** The name or id of the branch that is called; absent for the network. */
    branch?: string
    /** Runs it on this node. */
    here(): Promise<Answer>
    /** Set when it may be sent again: the answer of one that has arrived. */
    findAnswer: (() => Promise<Answer | undefined>) | undefined
  }): Promise<Answer>
  /** Runs a read that needs the sealing node's pool there, or here if that is this node or does not answer. */
  read(call: { body: string; caller: Caller; here(): Promise<Answer> }): Promise<Answer>
}

export type DispatchOptions = BudgetLimits & {
  /** The most requests in one batch. */
  batchLimit: number
  logger: Logger
  /** Makes the id by which an unexpected error is found in the log. */
  createId: () => string
  /** Looks on; must not throw. What it answers is waited for before the call is answered. */
  onAnswered?: (call: AnsweredCall) => Promise<void> | undefined | void
  /** Answers methods that are not in the list, when they only read. */
  proxy?: UnknownProxy | undefined
  /** Where other nodes share the network. */
  remoteSealer?: RemoteSealer | undefined
}

/** By name and alias. All branches have the same methods. */
const methodsByName = memoize(
  (methods: readonly Method[]) =>
    new Map(methods.flatMap((method) => [method.name, ...method.aliases].map((name) => [name, method]))),
)

/** Answers JSON-RPC 2.0. The only place where errors become JSON-RPC objects. */
export function createDispatcher(
  methods: readonly Method[],
  services: Services,
  { batchLimit, logger, createId, onAnswered, proxy, remoteSealer, ...limits }: DispatchOptions,
): Dispatcher {
  const byName = methodsByName(methods)
  const isImport = importFinder(methods)

  /** `isAlone`: it is all of its message. */
  async function answerOne(item: unknown, sender: Caller, isCounted = false, isAlone = false): Promise<Answer> {
    let request: Request
    try {
      request = readRequest(item)
    } catch (error) {
      return failure(idOf(item), toNetworkError(error, undefined))
    }
    const { id, method, isNotification } = request
    let { params } = request
    const found = byName.get(method)
    const budget = sender.budget.forRequest()
    const caller = { ...sender, budget }
    const startedAt = performance.now()
    const success = (result: unknown): Answer => ({
      text: isNotification ? undefined : successText(id, encodeResult(result, budget.bytes)),
      error: undefined,
    })
    const attempt = async (task: () => Promise<Answer>): Promise<Answer> => {
      try {
        // An accepted write continues when its client is gone.
        return await withBudget(!found || found.role === 'read' ? budget : budget.withoutCancellation(), task)
      } catch (thrown) {
        const error = toNetworkError(thrown, method)
        return isNotification
          ? { text: undefined, error: error.kind }
          : countedFailure({ id, method }, error, budget.bytes)
      }
    }
    const answer = await attempt(async () => {
      // A write that arrived alone may have waited for its turn when its client left.
      if (!isAlone || !found || found.role === 'read') budget.signal.throwIfAborted()
      if (!isCounted && !caller.mayAsk()) throw new NetworkError('RATE_LIMITED', {})
      if (!found) return success(await askProxy(method, params))
      requireRole(method, found.role, caller)
      requireFewValues(params, found.isImport ? 'an import' : 'a request')
      if (isNestedDeeper(params))
        throw new NetworkError('INVALID_PARAMS', {
          field: 'params',
          problem: `arrays and objects are nested more than ${nestingLimit} deep`,
        })
      params = inOrder(params, Object.keys(found.params))
      const call = async () => {
        const result = await callAtNewerBase(services, () => found.call(services, params, caller))
        const { aliasResults } = found
        const named = aliasResults && Object.hasOwn(aliasResults, method) ? aliasResults[method] : result
        // Many that waited for the same thing have their results at once.
        return arrivals.goOn(caller, () => success(named))
      }
      if (!remoteSealer || caller.isForwarded) return call()
      const remote = { body: requestText(request), caller, here: () => attempt(call) }
      let answer: Answer
      if (readsPool(found, params, services)) answer = await remoteSealer.read(remote)
      else if (isAnsweredAnywhere(found)) {
        const own = await found.call(services, params, caller)
        if (found.readsPool !== 'when null' || own !== null) return success(own)
        answer = await remoteSealer.read({ ...remote, here: async () => success(own) })
      } else {
        const { findResult } = found
        answer = await remoteSealer.run({
          ...remote,
          findAnswer: findResult && (() => findAnswer(found, params, success)),
        })
      }
      budget.bytes.count(answer.text?.length ?? 0)
      return answer
    })
    const ms = performance.now() - startedAt
    const noted = onAnswered?.({ method: found, params, caller, error: answer.error, ms })
    if (noted) await noted
    if ((answer.text?.length ?? 0) > largeAnswer) await giveWay()
    return answer
  }

  async function findAnswer(
    { findResult }: Method,
    params: unknown,
    success: (result: unknown) => Answer,
  ): Promise<Answer | undefined> {
    const result = await findResult?.(services, params)
    return result === undefined ? undefined : success(result)
  }

  async function askProxy(method: string, params: unknown): Promise<unknown> {
    if (!proxy || !isProxied(method)) throw noMethod(method)
    try {
      return await proxy(method, params ?? [])
    } catch (error) {
      throw isUnknownThere(error) ? noMethod(method) : error
    }
  }

  function isRead(item: unknown): boolean {
    const method = (item as { method?: unknown } | null)?.method
    const found = typeof method === 'string' ? byName.get(method) : undefined
    return found === undefined || found.role === 'read'
  }

  const budgetOf = ({ key, connection, bytes, quotas }: Client, signal?: AbortSignal) =>
    createBudget(limits, { signal, bytes, turn: key ?? connection, quotas })

  function withBudgetOf(client: Client): Caller {
    const { signal } = client
    // The signal may be a getter of a class, which a copy does not have.
    return { ...client, ...(signal && { signal }), budget: budgetOf(client, signal) }
  }

  /** Any other error is a bug: it is logged with an id that the client gets. */
  function toNetworkError(error: unknown, method: string | undefined): NetworkError {
    if (error instanceof NetworkError) {
      logger.debug({ method, kind: error.kind, code: error.code }, error.message)
      return error
    }
    const id = createId()
    logger.error({ err: error, id, method }, 'Failed unexpectedly')
    return new NetworkError('INTERNAL', { id })
  }

  function answerMessage(body: string, client: Client, until: number): MessageAnswer | Promise<MessageAnswer> {
    let parsed: unknown
    if (mayHaveManyValues(body)) requireFewValuesIn(body, kindOf(body, client, isImport))
    try {
      parsed = parseMessage(body)
    } catch {
      throw new NetworkError('PARSE_ERROR', {})
    }
    if (Array.isArray(parsed)) return batches.answer(parsed, client, until)
    const now = answerNow(parsed, client, quickMs, true)
    return now instanceof Promise ? now.then(answerRest) : answerRest(now)

    /** Answers what was not answered at once. */
    function answerRest(text: NowAnswer): MessageAnswer | Promise<MessageAnswer> {
      if (text !== undefined && text !== counted) return { text, error: undefined }
      const soon = text === undefined ? answerSoon(parsed, client) : undefined
      if (soon instanceof Promise) return soon
      const answer = () => answerOne(parsed, withBudgetOf(client), text === counted || soon === counted, true)
      return body.length > largeBody ? giveWay().then(answer) : answer()
    }
  }

  const answerNow = createNowAnswers({
    services,
    find: (method) => byName.get(method),
    /** Others answer at once only where the pool does not matter. */
    isForOthers: (method, params) =>
      remoteSealer !== undefined && method.readsPool === 'when pending' && readsPool(method, params, services),
    onAnswered,
  })
  const answerSoon = createSoonAnswers({
    services,
    /** Other nodes answer what this one may not. */
    find: (method) => (remoteSealer ? undefined : byName.get(method)),
    budgetOf,
    answerAgain: (item, client) => answerOne(item, withBudgetOf(client), true, true),
    fail: (request, thrown, bytes) => countedFailure(request, toNetworkError(thrown, request.method), bytes),
    onAnswered,
  })
  const batches = createBatches(batchLimit, { answerNow, answerOne, withBudgetOf, isRead })

  return {
    answer(body, client) {
      const failed = (thrown: unknown) => failure('null', toNetworkError(thrown, undefined))
      try {
        const answer = arrivals.answer(client, (until) => answerMessage(body, client, until))
        return answer instanceof Promise ? answer.catch(failed) : answer
      } catch (thrown) {
        return failed(thrown)
      }
    },
  }
}

/** Which limit of values a body has. */
function kindOf(body: string, { role }: Client, isImport: (body: string) => boolean): Limited {
  if (mayDo(role, importRole) && isImport(body)) return 'an import'
  return /^\s*\[/.test(body) ? 'a batch' : 'a request'
}

/** Reading such a message takes milliseconds: others are served before its method runs. In characters. */
const largeBody = 200_000

/** Making such a text takes milliseconds: others are served before the next answer of a batch. In characters. */
const largeAnswer = 500_000

/** Whether it changes only this node. */
const isAnsweredAnywhere = ({ role, isLocal }: Method) => role === 'read' || isLocal === true

/** `name` is the requested one, which may be an alias. */
function requireRole(name: string, role: Role, caller: Caller): void {
  if (!mayDo(caller.role, role))
    throw new NetworkError('UNAUTHORIZED', {
      problem: `${name} needs a key with the role ${role}; this one has ${caller.role}`,
    })
}

/** Errors carry what a call reverted with, and have to have room as results have; those that only say why always do. */
const smallError = 4096

function countedFailure({ id, method }: { id: string; method: string }, error: NetworkError, bytes: CallBytes): Answer {
  try {
    const least = leastJsonBytes(error.data, bytes.left + 1)
    if (least > smallError) bytes.expect(least)
    const answer = failure(id, error, method)
    const length = answer.text?.length ?? 0
    bytes.count(length > smallError ? length : 0)
    return answer
  } catch (thrown) {
    bytes.count(0)
    if (thrown instanceof NetworkError) return failure(id, thrown, method)
    throw thrown
  }
}

/** For methods of other networks, the error says what to do instead. */
function noMethod(method: string): NetworkError {
  const advice = Object.hasOwn(unsupportedMethods, method) ? unsupportedMethods[method] : undefined
  return advice === undefined
    ? new NetworkError('METHOD_NOT_FOUND', { method: method.slice(0, 100) })
    : new NetworkError('UNSUPPORTED', { what: `${method}: ${advice}` })
}
