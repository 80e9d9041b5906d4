import type { Role } from './defineMethod.ts'
import type { Subscriber } from './subscriptions/subscriptions.ts'

/** Who sends a request, and how it can be answered later. */
export type Caller = {
  /** The most that it may do. */
  role: Role
  /** Names the key that it gave, without being it; `undefined` where no keys are asked for. */
  key: string | undefined
  /** Takes what is subscribed to; `undefined` over HTTP, where nothing can be sent by itself. */
  subscriber: Subscriber | undefined
}

/** A caller who may do everything, by HTTP: the one of a network without keys. */
export const anybody: Caller = { role: 'admin', key: undefined, subscriber: undefined }
