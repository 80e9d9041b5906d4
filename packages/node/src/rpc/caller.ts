import type { SenderRights } from '../chain/submission/submission.ts'
import type { KeyQuotas } from '../shared/budget/keyQuotas.ts'
import type { MessageBytes } from '../shared/budget/messageBytes.ts'
import type { RequestBudget } from '../shared/budget/requestBudget.ts'
import { mayDo, type Role } from '../shared/role.ts'
import type { Subscriber } from './subscriptions/subscriptions.ts'

/** The sender of a message, and how to send it notifications. */
export type Client = {
  /** The highest role that the caller has. */
  role: Role
  /** Identifies the caller's API key without revealing it; `undefined` if no keys are configured. */
  key: string | undefined
  /** Counts a request; false if it exceeds the rate limit. */
  mayAsk(): boolean
  /** What the API key may use; `undefined` if no keys are configured. */
  quotas?: KeyQuotas | undefined
  /** Holds the caller's subscriptions; `undefined` over HTTP, which has no notifications. */
  subscriber: Subscriber | undefined
  /** Set if another node of the network forwarded the message. */
  isForwarded?: true | undefined
  /** Aborted with `clientGone` when the client disconnects; absent if work continues without it. */
  signal?: AbortSignal
  /** The API key, or the address of the client if there are no keys: what arrives is answered in turns of these. */
  holder: string
  /** The calls of one connection share turns on the engine, unless there are keys, whose calls do. */
  connection: object
  /** Bytes of the message and its answers; the creator releases it. */
  bytes: MessageBytes
}

/** The sender of a request. */
export type Caller = Client & {
  /** The budget of the message that contains the request. */
  budget: RequestBudget
}

/** A client as the sender of one request. A class with getters, because a copy takes longer, and clients have getters too. */
export class RequestCaller implements Caller {
  readonly budget: RequestBudget
  readonly #client: Client

  constructor(client: Client, budget: RequestBudget) {
    this.#client = client
    this.budget = budget
  }

  get role() {
    return this.#client.role
  }

  get key() {
    return this.#client.key
  }

  get quotas() {
    return this.#client.quotas
  }

  get subscriber() {
    return this.#client.subscriber
  }

  get isForwarded() {
    return this.#client.isForwarded
  }

  get holder() {
    return this.#client.holder
  }

  get connection() {
    return this.#client.connection
  }

  get bytes() {
    return this.#client.bytes
  }

  get signal() {
    return this.budget.signal
  }

  mayAsk(): boolean {
    return this.#client.mayAsk()
  }
}

/** What a caller may send: a deposit makes ether, for which `dev_setBalance` needs the same role. */
export const rightsOf = ({ role }: Pick<Caller, 'role'>): SenderRights => ({ mayMint: mayDo(role, 'admin') })
