import { randomBytes } from 'node:crypto'
import type { Holder, Shares } from '../../shared/budget/shares.ts'
import { NetworkError } from '../../shared/errors.ts'
import { quantity } from '../../shared/hex.ts'

/** Takes an encoded notification. Pass the same object to several subscribers, so that it is serialized once. */
export type Notify = (result: object | string | boolean) => void

/** Starts notifications; returns a function that stops them. */
export type Start = (notify: Notify) => () => void

/** The subscriptions of a connection, as seen by a request on it. */
export type Subscriber = {
  /** Returns the id of the new subscription. Throws `LIMIT_EXCEEDED`. */
  subscribe(start: Start): string
  /** False if the connection has no such subscription. */
  unsubscribe(id: string): boolean
}

export type SubscriptionOptions = {
  /** Maximum number of subscriptions of one connection. */
  limit: number
  /** The subscriptions of all connections, and the owner of this connection's. */
  total: Shares
  holder: Holder
  createId: () => string
  /** Sends a notification as JSON. */
  send(text: string): void
}

type Entry = {
  stop: () => void
  /** Notifications queued until the answer with the id is sent; `undefined` after that. */
  held: string[] | undefined
}

/** Maximum size of queued notifications of a connection, in characters: a batch can run long after it subscribed. */
export const heldLimit = 1024 * 1024

/** The subscriptions of one connection. */
export class Subscriptions {
  readonly #options: SubscriptionOptions
  readonly #entries = new Map<string, Entry>()
  #heldCharacters = 0

  constructor(options: SubscriptionOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#entries.size
  }

  /**
   * Subscriptions for one request. They send nothing until `answered` is called, because clients expect no notification
   * before they know its id.
   */
  forRequest(): Subscriber & { answered(): void } {
    const added: string[] = []
    return {
      subscribe: (start) => {
        const id = this.#add(start)
        added.push(id)
        return id
      },
      unsubscribe: (id) => this.#remove(id),
      answered: () => {
        for (const id of added) this.#release(id)
      },
    }
  }

  /** Ends all subscriptions. */
  clear(): void {
    for (const id of [...this.#entries.keys()]) this.#remove(id)
  }

  #add(start: Start): string {
    const { limit, total, holder, createId, send } = this.#options
    if (this.#entries.size >= limit)
      throw new NetworkError('LIMIT_EXCEEDED', { what: 'subscriptions of a connection (--subscription-limit)', limit })
    if (!total.take(holder, 1))
      throw new NetworkError('LIMIT_EXCEEDED', {
        what: `subscriptions of all connections, shared among clients (--total-subscription-limit)`,
        limit: total.limit,
      })
    const id = createId()
    const entry: Entry = { stop: () => {}, held: [] }
    this.#entries.set(id, entry)
    const prefix = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":${JSON.stringify(id)},"result":`
    entry.stop = start((result) => {
      if (!this.#entries.has(id)) return
      const text = `${prefix}${toJson(result)}}}`
      if (!entry.held) return send(text)
      entry.held.push(text)
      this.#heldCharacters += text.length
      if (this.#heldCharacters > heldLimit) this.#release(id)
    })
    return id
  }

  #release(id: string): void {
    const entry = this.#entries.get(id)
    const held = entry?.held ?? []
    if (entry) entry.held = undefined
    for (const text of held) {
      this.#heldCharacters -= text.length
      this.#options.send(text)
    }
  }

  #remove(id: string): boolean {
    const entry = this.#entries.get(id)
    if (!entry) return false
    this.#entries.delete(id)
    this.#options.total.give(this.#options.holder, 1)
    for (const text of entry.held ?? []) this.#heldCharacters -= text.length
    entry.stop()
    return true
  }
}

/** An object that goes to several subscribers is serialized once. */
const written = new WeakMap<object, string>()

function toJson(result: object | string | boolean): string {
  if (typeof result !== 'object') return JSON.stringify(result)
  const known = written.get(result)
  if (known !== undefined) return known
  const text = JSON.stringify(result)
  written.set(result, text)
  return text
}

/** An unguessable id of a subscription or filter; without leading zeros, as in geth. */
export function randomId(): string {
  return quantity(BigInt(`0x${randomBytes(16).toString('hex')}`))
}
