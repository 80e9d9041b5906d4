import type { Role } from '../shared/role.ts'
import type { Subscriber } from './subscriptions/subscriptions.ts'

/** Who sends a request, and how it can be answered later. */
export type Caller = {
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
}
