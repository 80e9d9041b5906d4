import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import { arrivals } from '../../shared/budget/arrivals.ts'
import type { CallBytes } from '../../shared/budget/messageBytes.ts'
import { type BudgetLimits, createBudget, type RequestBudget, withBudget } from '../../shared/budget/requestBudget.ts'
import { memoize } from '../../shared/caches.ts'
import { NetworkError } from '../../shared/errors.ts'
import { parseMessage } from '../../shared/json/exactIds.ts'
import { leastJsonBytes } from '../../shared/json/leastJsonBytes.ts'
import { type Limited, mayHaveManyValues, requireFewValuesIn } from '../../shared/json/valueLimit.ts'
import type { Logger } from '../../shared/logger.ts'
import { mayDo, type Role } from '../../shared/role.ts'
import { yieldToEventLoop } from '../../shared/yieldToEventLoop.ts'
import { type Caller, type Client, RequestCaller } from '../caller.ts'
import { importFinder, importRole, inOrder, type Method, requireFewAndShallow, roleOf } from '../defineMethod.ts'
import { encodeLarge, encodeResult, isLarge, isShort } from '../encode/result.ts'
import type { Services } from '../services.ts'
import { createBatches } from './batch.ts'
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
import { callAtNewerBase, isStateGone } from './newerBase.ts'
import { readsPool } from './poolReads.ts'
import { isProxied, isUnknownThere, type UnknownProxy } from './proxyUnknown.ts'
import { unsupportedMethods } from './unsupportedMethods.ts'

export type Dispatcher = {
  /** Answers the JSON of a request or of a batch, at once where all of it is in memory. Never throws, never rejects. */
  answer(body: string, client: Client): MaybePromise<MessageAnswer>
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

/** What answers the requests of a network. */
type Needs = Pick<DispatchOptions, 'onAnswered' | 'proxy' | 'remoteSealer'> & {
  services: Services
  toNetworkError(error: unknown, method: string | undefined): NetworkError
}

/** A request while it is answered: at once where nothing has to be waited for. */
class Call {
  readonly #needs: Needs
  readonly #request: Request
  /** `undefined` when there is no such method. */
  readonly #method: Method | undefined
  readonly #caller: RequestCaller
  readonly #startedAt: number
  /** In their order, once that is known. */
  #params: unknown

  /** `startedAt`: by `performance.now()`. */
  constructor(needs: Needs, request: Request, method: Method | undefined, caller: RequestCaller, startedAt: number) {
    this.#needs = needs
    this.#request = request
    this.#method = method
    this.#caller = caller
    this.#params = request.params
    this.#startedAt = startedAt
  }

  /** `isAlone`: it is all of its message. */
  answer(isAlone: boolean): MaybePromise<Answer> {
    const { budget, quotas } = this.#caller
    // The calls of a batch are counted together; of others, only what a key may compute matters.
    const spentMs = isAlone && quotas ? budget.time.spentMs : undefined
    // An accepted write continues when its client is gone.
    const context = this.#method && this.#method.role !== 'read' ? budget.withoutCancellation() : budget
    let answer: MaybePromise<Answer>
    try {
      answer = withBudget(context, begin, this, isAlone)
    } catch (thrown) {
      answer = this.#failed(thrown)
    }
    if (answer instanceof Promise)
      return answer.then(
        (answered) => this.#noted(answered),
        (thrown) => this.#noted(this.#failed(thrown)),
      )
    // What runs took is counted.
    if (spentMs !== undefined) budget.time.spend(performance.now() - this.#startedAt - budget.time.spentMs + spentMs)
    return this.#noted(answer)
  }

  begin(isAlone: boolean): MaybePromise<Answer> {
    const { remoteSealer, proxy } = this.#needs
    const caller = this.#caller
    const method = this.#method
    // One that arrived alone may have waited for its turn when its client left: its runs end by themselves.
    if (!isAlone) caller.budget.signal.throwIfAborted()
    if (!caller.mayAsk()) throw new NetworkError('RATE_LIMITED', {})
    if (!method) return askProxy(proxy, this.#request).then((result) => this.#success(result))
    const { method: name, params: given } = this.#request
    requireRole(name, method.role, caller)
    const params = inOrder(given, method.params)
    requireRole(name, roleOf(method, params), caller)
    this.#params = params
    return remoteSealer && !caller.isForwarded
      ? this.#amongNodes(remoteSealer, method, params)
      : this.#here(method, params)
  }

  /** `ifNull` answers instead of a result that is `null`. */
  #here(method: Method, params: readonly unknown[], ifNull?: () => Promise<Answer>): MaybePromise<Answer> {
    let result: unknown
    try {
      result = method.call(this.#needs.services, params, this.#caller)
    } catch (error) {
      return this.#again(error, method, params, ifNull)
    }
    if (!(result instanceof Promise)) return this.#end(result, ifNull)
    return result.then(
      (value) => this.#endLater(value, ifNull),
      (error) => this.#again(error, method, params, ifNull),
    )
  }

  #end(result: unknown, ifNull?: () => Promise<Answer>): MaybePromise<Answer> {
    return result === null && ifNull ? ifNull() : this.#success(result)
  }

  /** Many that waited for the same thing have their results at once. */
  #endLater(result: unknown, ifNull?: () => Promise<Answer>): MaybePromise<Answer> {
    if (isShort(result)) return this.#end(result)
    return arrivals.goOn(this.#caller, () => (isLarge(result) ? this.#inSlices(result) : this.#end(result, ifNull)))
  }

  async #inSlices(result: unknown): Promise<Answer> {
    if (this.#request.isNotification) return this.#success(result)
    return this.#success(await encodeLarge(result, this.#caller.budget.bytes))
  }

  async #again(
    error: unknown,
    method: Method,
    params: readonly unknown[],
    ifNull?: () => Promise<Answer>,
  ): Promise<Answer> {
    if (!isStateGone(error)) throw error
    const { services } = this.#needs
    const result = await callAtNewerBase(services, error, () => method.call(services, params, this.#caller))
    return this.#endLater(result, ifNull)
  }

  #amongNodes(sealer: RemoteSealer, method: Method, params: readonly unknown[]): MaybePromise<Answer> {
    const { services } = this.#needs
    const caller = this.#caller
    const here = () => this.#here(method, params)
    const read = (own: () => MaybePromise<Answer>) => {
      requireFewAndShallow(params, method)
      return this.#counted(sealer.read({ body: requestText(this.#request), caller, here: () => this.#tried(own) }))
    }
    if (readsPool(method, params, services)) return read(here)
    if (isAnsweredAnywhere(method, params)) {
      const isEnough = method.readsPool !== 'when null'
      return isEnough ? here() : this.#here(method, params, () => read(() => this.#success(null)))
    }
    requireFewAndShallow(params, method)
    const { findResult } = method
    const findAnswer = async () => {
      const result = await findResult?.(services, params)
      return result === undefined ? undefined : this.#success(result)
    }
    const call = { body: requestText(this.#request), caller, here: () => this.#tried(here) }
    return this.#counted(sealer.run({ ...call, findAnswer: findResult && findAnswer }))
  }

  async #counted(answered: Promise<Answer>): Promise<Answer> {
    const answer = await answered
    this.#caller.budget.bytes.count(answer.text?.length ?? 0)
    return answer
  }

  async #tried(task: () => MaybePromise<Answer>): Promise<Answer> {
    try {
      return await task()
    } catch (thrown) {
      return this.#failed(thrown)
    }
  }

  #success(result: unknown): Answer {
    const { id, method, isNotification } = this.#request
    if (isNotification) return { text: undefined, error: undefined }
    const others = this.#method?.aliasResults
    const named = others && Object.hasOwn(others, method) ? others[method] : result
    return { text: successText(id, encodeResult(named, this.#caller.budget.bytes)), error: undefined }
  }

  #failed(thrown: unknown): Answer {
    const { id, method, isNotification } = this.#request
    const error = this.#needs.toNetworkError(thrown, method)
    if (isNotification) return { text: undefined, error: error.kind }
    return countedFailure({ id, method }, error, this.#caller.budget.bytes)
  }

  #noted(answer: Answer): MaybePromise<Answer> {
    const ms = performance.now() - this.#startedAt
    const call = { method: this.#method, params: this.#params, caller: this.#caller, error: answer.error, ms }
    const noted = this.#needs.onAnswered?.(call)
    return noted ? noted.then(() => answer) : answer
  }
}

const begin = (call: Call, isAlone: boolean) => call.begin(isAlone)

/** By name and alias. All branches have the same methods. */
const methodsByName = memoize(
  (methods: readonly Method[]) =>
    new Map(methods.flatMap((method) => [method.name, ...method.aliases].map((name) => [name, method]))),
)

/** Answers JSON-RPC 2.0. Nothing else turns errors into JSON-RPC objects. */
export function createDispatcher(
  methods: readonly Method[],
  services: Services,
  { batchLimit, logger, createId, onAnswered, proxy, remoteSealer, callTimeout, requestKeys }: DispatchOptions,
): Dispatcher {
  const byName = methodsByName(methods)
  const isImport = importFinder(methods)
  const limits = { callTimeout, requestKeys }
  const needs: Needs = { services, onAnswered, proxy, remoteSealer, toNetworkError }

  const budgetOf = (client: Client) => createBudget(limits, client, client.key ?? client.connection)

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

  /** `isAlone`: it is all of its message. */
  function answerOne(
    item: unknown,
    client: Client,
    budget: RequestBudget,
    startedAt: number,
    isAlone: boolean,
  ): MaybePromise<Answer> {
    let request: Request
    try {
      request = readRequest(item)
    } catch (error) {
      return failure(idOf(item), toNetworkError(error, undefined))
    }
    const caller = new RequestCaller(client, budget)
    return new Call(needs, request, byName.get(request.method), caller, startedAt).answer(isAlone)
  }

  function answerMessage(body: string, client: Client, until: number): MaybePromise<MessageAnswer> {
    let parsed: unknown
    if (mayHaveManyValues(body)) requireFewValuesIn(body, kindOf(body, client, isImport))
    try {
      parsed = parseMessage(body)
    } catch {
      throw new NetworkError('PARSE_ERROR', {})
    }
    const budget = budgetOf(client)
    if (Array.isArray(parsed)) return batches.answer(parsed, client, budget, until)
    const answerAlone = () => answerOne(parsed, client, budget, performance.now(), true)
    return body.length > largeBody ? yieldToEventLoop().then(answerAlone) : answerAlone()
  }

  const batches = createBatches(batchLimit, {
    answerOne: (item, client, budget, startedAt) => answerOne(item, client, budget, startedAt, false),
    isRead: (item) => isRead(item, byName),
  })

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

function isRead(item: unknown, byName: ReadonlyMap<string, Method>): boolean {
  const method = (item as { method?: unknown } | null)?.method
  const found = typeof method === 'string' ? byName.get(method) : undefined
  return found === undefined || found.role === 'read'
}

/** Whether it changes only this node. */
const isAnsweredAnywhere = (method: Method, params: readonly unknown[]) =>
  roleOf(method, params) === 'read' || method.isLocal === true

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

async function askProxy(proxy: UnknownProxy | undefined, { method, params }: Request): Promise<unknown> {
  if (!proxy || !isProxied(method)) throw noMethod(method)
  try {
    return await proxy(method, params ?? [])
  } catch (error) {
    throw isUnknownThere(error) ? noMethod(method) : error
  }
}

/** For methods of other networks, the error says what to do instead. */
function noMethod(method: string): NetworkError {
  const advice = Object.hasOwn(unsupportedMethods, method) ? unsupportedMethods[method] : undefined
  return advice === undefined
    ? new NetworkError('METHOD_NOT_FOUND', { method: method.slice(0, 100) })
    : new NetworkError('UNSUPPORTED', { what: `${method}: ${advice}` })
}
