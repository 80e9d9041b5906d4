import { isNetworkList, networkUrl } from '../../location/networkUrl.ts'
import { apiKey } from './apiKey.ts'
import { rpc } from './rpc.ts'

/**
 * How changes arrive: over a WebSocket (`live`), by polling each second when no socket opens (`polling`), or not at
 * all while the network does not respond (`offline`).
 */
export type Connection = 'connecting' | 'live' | 'polling' | 'offline'

export type Topic = 'newHeads' | 'emptyHeads' | 'dev_network' | 'dev_changes' | 'dev_tracked' | 'newPendingTransactions'
/** `result`: what the network sent, unless this page itself tells of the change. */
type Listener = (topic: Topic, result?: unknown) => void

/** What is subscribed to. A new head without transactions is reported as `emptyHeads`: only the live chain has moved. */
const topics: readonly Topic[] = ['newHeads', 'dev_network', 'dev_changes', 'dev_tracked', 'newPendingTransactions']
const pollMs = 1000
const longestWaitMs = 15_000

/** Keeps a connection to the network and reports changes there. */
export class Live {
  #connection: Connection = 'connecting'
  readonly #onConnection = new Set<() => void>()
  readonly #onChange = new Set<Listener>()
  #socket: WebSocket | undefined
  #waitMs = 500
  #lastHead: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  get connection(): Connection {
    return this.#connection
  }

  /** Calls `listener` when `connection` changes. Returns a function that ends that. */
  readonly watch = (listener: () => void): (() => void) => {
    this.#onConnection.add(listener)
    return () => this.#onConnection.delete(listener)
  }

  onChange(listener: Listener): () => void {
    this.#onChange.add(listener)
    return () => this.#onChange.delete(listener)
  }

  /** Connects, or reconnects after the API key changed. The list of networks has none to connect to. */
  start(): void {
    this.stop()
    if (isNetworkList) return
    this.#open()
    void this.#poll()
  }

  stop(): void {
    clearTimeout(this.#timer)
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }

  #open(): void {
    const key = apiKey.get()
    const socket = new WebSocket(networkUrl.replace(/^http/, 'ws') + (key ? `/rpc/${encodeURIComponent(key)}` : ''))
    this.#socket = socket
    const topicOf = new Map<string, Topic>()
    let answered = 0
    socket.addEventListener('open', () => {
      this.#waitMs = 500
      for (const [id, topic] of topics.entries())
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: [topic] }))
    })
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data)
      const topic = topics[message.id]
      if (topic && typeof message.result === 'string') topicOf.set(message.result, topic)
      // What changed before the subscriptions began is read then.
      if (topic && ++answered === topics.length) this.#enter('live')
      const changed = topicOf.get(message.params?.subscription)
      if (!changed) return
      const { result } = message.params
      this.#notify(changed === 'newHeads' && isEmpty(result) ? 'emptyHeads' : changed, result)
    })
    socket.addEventListener('close', () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      void this.#poll()
      setTimeout(() => {
        if (this.#socket === undefined) this.#open()
      }, this.#waitMs)
      this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs)
    })
  }

  /** Polls the head until a socket is open. */
  async #poll(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#isOpen()) return
    try {
      const head = await rpc<string>('eth_blockNumber')
      if (this.#isOpen()) return
      this.#enter('polling')
      if (head !== this.#lastHead) this.#notify('newHeads')
      this.#lastHead = head
    } catch (error) {
      if (error instanceof Error && error.name === 'UnreachableError') this.#enter('offline')
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#poll(), pollMs)
  }

  #isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  #enter(connection: Connection): void {
    if (connection === this.#connection) return
    const wasAway = this.#connection === 'offline'
    this.#connection = connection
    for (const listener of this.#onConnection) listener()
    if (connection === 'live' || wasAway) {
      this.#notify('newHeads')
      this.#notify('dev_changes')
      this.#notify('dev_tracked')
    }
  }

  #notify(topic: Topic, result?: unknown): void {
    for (const listener of this.#onChange) listener(topic, result)
  }
}

export const live = new Live()

/** The root of no transactions. */
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

function isEmpty(header: unknown): boolean {
  return (header as { transactionsRoot?: string } | undefined)?.transactionsRoot === emptyRoot
}
