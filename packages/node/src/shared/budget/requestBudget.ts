import { AsyncLocalStorage } from 'node:async_hooks'
import { NetworkError } from '../errors.ts'
import { ComputingTime } from './computingTime.ts'
import type { KeyQuota, KeyQuotas } from './keyQuotas.ts'
import { CallBytes, MessageBytes } from './messageBytes.ts'
import { Shares } from './shares.ts'

export type BudgetLimits = {
  /** Maximum computing time of the runs of one message, in seconds. */
  callTimeout: number
  /** Maximum number of upstream state values fetched for one message. */
  requestKeys: number
}

/** What a message may use, of which most use nothing: it is made when it is first asked for. */
type Message = {
  readonly limits: BudgetLimits
  readonly quotas: KeyQuotas | undefined
  time: ComputingTime | undefined
  keys: KeyAllowance | undefined
  readonly client: Cancelling
}

/** What ends a request early. */
type Cancelling = { readonly signal?: AbortSignal | undefined }

/** The resources that one message of a client may use: a request, or all requests of a batch. */
export class RequestBudget {
  /** The size limit of the request's answer. */
  readonly bytes: CallBytes
  /** Identifies the client for fair scheduling: its API key, or its connection. */
  readonly turn: object | string
  readonly #message: Message
  readonly #cancelling: Cancelling

  constructor(message: Message, bytes: CallBytes, turn: object | string, cancelling: Cancelling) {
    this.#message = message
    this.bytes = bytes
    this.turn = turn
    this.#cancelling = cancelling
  }

  get time(): ComputingTime {
    const message = this.#message
    message.time ??= new ComputingTime(message.limits.callTimeout * 1000, message.quotas?.computing)
    return message.time
  }

  get keys(): KeyAllowance {
    const message = this.#message
    message.keys ??= new KeyAllowance(message.limits.requestKeys, message.quotas?.values)
    return message.keys
  }

  /** The number of keys taken since the last call of this function. */
  countKeys(): number {
    return this.#message.keys?.count() ?? 0
  }

  /** Aborted when the client has disconnected. */
  get signal(): AbortSignal {
    return this.#cancelling.signal ?? neverAborted
  }

  /** As `signal`, also for a write, which goes on unless it asks: one of many steps may end after any of them. */
  get gone(): AbortSignal {
    return this.#message.client.signal ?? neverAborted
  }

  /** The same budget for one request of a batch. */
  forRequest(): RequestBudget {
    return new RequestBudget(this.#message, this.bytes.another(), this.turn, this.#cancelling)
  }

  /** The same budget without cancellation: a write continues after the client has disconnected. */
  withoutCancellation(): RequestBudget {
    return this.cancelledBy(undefined)
  }

  /** The same budget for work that another signal ends. */
  cancelledBy(signal: AbortSignal | undefined): RequestBudget {
    return new RequestBudget(this.#message, this.bytes, this.turn, { signal })
  }
}

export function createBudget(
  limits: BudgetLimits,
  client: Cancelling & { bytes: MessageBytes; quotas?: KeyQuotas | undefined },
  turn: object | string,
): RequestBudget {
  const message: Message = { limits, quotas: client.quotas, time: undefined, keys: undefined, client }
  return new RequestBudget(message, new CallBytes(client.bytes), turn, client)
}

/** The budget of work in the background, which takes its turn like a client, or as one. */
export function createInternalBudget(
  limits: BudgetLimits,
  signal: AbortSignal,
  turn: object | string = {},
): RequestBudget {
  const inFlight = new Shares(internalBytes, { isShared: false })
  const bytes = new MessageBytes({ inFlight, holder: turn, answerLimit: internalBytes })
  return createBudget(limits, { signal, bytes }, turn)
}

const internalBytes = 64 << 20

/** The number of upstream state values that may still be fetched. */
export class KeyAllowance {
  readonly #limit: number
  readonly #quota: KeyQuota | undefined
  #left: number
  #uncounted = 0

  /** `quota`: that of the API key. */
  constructor(limit: number, quota?: KeyQuota) {
    this.#limit = limit
    this.#quota = quota
    this.#left = limit
  }

  /** Throws `LIMIT_EXCEEDED` when there are not so many left, and `KEY_FETCH_QUOTA_EXCEEDED` when the quota of the key is spent. */
  take(count: number): void {
    if (this.#quota && count > 0 && this.#quota.left <= 0)
      throw new NetworkError('KEY_FETCH_QUOTA_EXCEEDED', { limit: this.#quota.limit })
    if (count > this.#left)
      throw new NetworkError('LIMIT_EXCEEDED', {
        what: 'the request reads more of the live chain than --request-keys allows; split it, or raise the option',
        limit: this.#limit,
      })
    this.#left -= count
    this.#quota?.spend(count)
    this.#uncounted += count
  }

  /** The number taken since the last call of this function. */
  count(): number {
    const uncounted = this.#uncounted
    this.#uncounted = 0
    return uncounted
  }
}

const neverAborted = new AbortController().signal

/** The abort reason of a budget's signal. */
export const clientGone = () => new NetworkError('REQUEST_CANCELLED', {})

const budgets = new AsyncLocalStorage<RequestBudget | undefined>()

/** The budget of the message being answered; `undefined` for internal work. */
export function currentBudget(): RequestBudget | undefined {
  return budgets.getStore()
}

/** The remaining computing time of the message being answered; `limitMs` for internal work. */
export function currentTime(limitMs: number): ComputingTime {
  return currentBudget()?.time ?? new ComputingTime(limitMs)
}

export function withBudget<Result>(budget: RequestBudget, task: () => Result): Result
/** Passes values to a task, which then needs no closure. */
export function withBudget<Result, First, Second>(
  budget: RequestBudget,
  task: (first: First, second: Second) => Result,
  first: First,
  second: Second,
): Result
export function withBudget<Result>(
  budget: RequestBudget,
  task: (first?: unknown, second?: unknown) => Result,
  first?: unknown,
  second?: unknown,
): Result {
  return budgets.run(budget, task, first, second)
}

/** Runs work that also serves other clients, although a message started it. */
export function withoutBudget<Result>(task: () => Result): Result {
  return budgets.run(undefined, task)
}
