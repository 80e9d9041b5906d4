import type { MessageBytes } from '../shared/messageBytes.ts'
import type { RequestBudget } from '../shared/requestBudget.ts'
import type { Role } from '../shared/role.ts'
import type { Subscriber } from './subscriptions/subscriptions.ts'

/** Who sends a message, and how it can be answered later. */
export type Client = {
  /** The most that it may do. */
  role: Role
  /** Names the key that it gave, without being it; `undefined` where no keys are asked for. */
  key: string | undefined
  /** Whether one more request is within its limit; counts it. */
  mayAsk(): boolean
  /** Takes what is subscribed to; `undefined` over HTTP, where nothing can be sent by itself. */
  subscriber: Subscriber | undefined
  /** Set when another node of the network sent it here. */
  isForwarded?: true
  /** Aborted with `clientGone` when it waits for no answer any more; absent where work goes on without it. */
  signal?: AbortSignal
  /** Clients with the same take turns with others as one: a connection, where there is no key. */
  connection: object
  /** Bytes of the message and its answers; whoever made it releases it. */
  bytes: MessageBytes
}

/** Who sends a request. */
export type Caller = Client & {
  /** What the message may use in which the request came. */
  budget: RequestBudget
}
