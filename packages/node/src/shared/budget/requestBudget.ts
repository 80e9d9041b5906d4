import { AsyncLocalStorage } from 'node:async_hooks'
import { NetworkError } from '../errors.ts'
import { ComputingTime } from './computingTime.ts'
import type { KeyQuota, KeyQuotas } from './keyQuotas.ts'
import { CallBytes, type MessageBytes } from './messageBytes.ts'

export type BudgetLimits = {
  /** How many seconds the runs of one message may compute. */
  callTimeout: number
  /** How many values of state may be fetched from upstream for one message. */
  requestKeys: number
}

/** What one message of a client may use: a request, or all requests of a batch together. */
export class RequestBudget {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  readonly time: ComputingTime
  readonly keys: KeyAllowance
  /** What the answer of the request may have. */
  readonly bytes: CallBytes
  /** Whose turn it is when its work runs: its connection, or its API key. */
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

  /** The same budget for what goes on when the client is gone: a write. */
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

/** Values of upstream's state that may still be fetched. */
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

  /** How many were taken since this was asked last. */
  count(): number {
    const uncounted = this.#uncounted
    this.#uncounted = 0
    return uncounted
  }
}

const neverAborted = new AbortController().signal

/** The reason with which the signal of a budget is aborted. */
export const clientGone = () => new NetworkError('REQUEST_CANCELLED', {})

const budgets = new AsyncLocalStorage<RequestBudget | undefined>()

/** The budget of the message that is being answered; `undefined` for what the network does by itself. */
export function currentBudget(): RequestBudget | undefined {
  return budgets.getStore()
}

/** What the message that is being answered may still compute; so many milliseconds, where there is none. */
export function currentTime(limitMs: number): ComputingTime {
  return currentBudget()?.time ?? new ComputingTime(limitMs)
}

export function withBudget<Result>(budget: RequestBudget, task: () => Result): Result {
  return budgets.run(budget, task)
}

/** Runs what serves others too, although a message began it. */
export function withoutBudget<Result>(task: () => Result): Result {
  return budgets.run(undefined, task)
}
