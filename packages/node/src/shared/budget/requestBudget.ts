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

/** The resources that one message of a client may use: a request, or all requests of a batch. */
export class RequestBudget {
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal
  readonly time: ComputingTime
  readonly keys: KeyAllowance
  /** The size limit of the request's answer. */
  readonly bytes: CallBytes
  /** Identifies the client for fair scheduling: its API key, or its connection. */
  readonly turn: object | string

  constructor(parts: Pick<RequestBudget, 'signal' | 'time' | 'keys' | 'bytes' | 'turn'>) {
    this.signal = parts.signal
    this.time = parts.time
    this.keys = parts.keys
    this.bytes = parts.bytes
    this.turn = parts.turn
  }

  /** The same budget for one request of a batch. */
  forRequest(): RequestBudget {
    return new RequestBudget({ ...this, bytes: this.bytes.another() })
  }

  /** The same budget without cancellation: a write continues after the client has disconnected. */
  withoutCancellation(): RequestBudget {
    return this.cancelledBy(neverAborted)
  }

  /** The same budget for work that another signal ends. */
  cancelledBy(signal: AbortSignal): RequestBudget {
    return new RequestBudget({ ...this, signal })
  }
}

export function createBudget(
  { callTimeout, requestKeys }: BudgetLimits,
  {
    signal = neverAborted,
    bytes,
    turn,
    quotas,
  }: {
    signal?: AbortSignal | undefined
    bytes: MessageBytes
    turn: object | string
    quotas?: KeyQuotas | undefined
  },
): RequestBudget {
  return new RequestBudget({
    signal,
    time: new ComputingTime(callTimeout * 1000, quotas?.computing),
    keys: new KeyAllowance(requestKeys, quotas?.values),
    bytes: new CallBytes(bytes),
    turn,
  })
}

/** The budget of work in the background, which takes its turn like a client, or as one. */
export function createInternalBudget(
  { callTimeout, requestKeys }: BudgetLimits,
  signal: AbortSignal,
  turn: object | string = {},
): RequestBudget {
  const inFlight = new Shares(internalBytes, { isShared: false })
  const bytes = new MessageBytes({ inFlight, holder: turn, answerLimit: internalBytes })
  return createBudget({ callTimeout, requestKeys }, { signal, bytes, turn })
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

  /** Throws `LIMIT_EXCEEDED` when there are not so many left, and `KEY_VALUES_SPENT` when the quota of the key is spent. */
  take(count: number): void {
    if (this.#quota && count > 0 && this.#quota.left <= 0)
      throw new NetworkError('KEY_VALUES_SPENT', { limit: this.#quota.limit })
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

export function withBudget<Result>(budget: RequestBudget, task: () => Result): Result {
  return budgets.run(budget, task)
}

/** Runs work that also serves other clients, although a message started it. */
export function withoutBudget<Result>(task: () => Result): Result {
  return budgets.run(undefined, task)
}
