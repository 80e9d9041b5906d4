import { apiKey } from './apiKey.ts'
import { rpc } from './rpc.ts'

/**
 * How news arrives: pushed over WebSocket (`live`), asked for each second (`polling`, where no socket opens),
 * or not at all while the network is away (`offline`).
 */
export type Connection = 'connecting' | 'live' | 'polling' | 'offline'

export type Topic = 'newHeads' | 'dev_network' | 'dev_changes' | 'dev_tracked' | 'newPendingTransactions'
type Listener = (topic: Topic) => void

const topics: readonly Topic[] = ['newHeads', 'dev_network', 'dev_changes', 'dev_tracked', 'newPendingTransactions']
const pollMs = 1000
const longestWaitMs = 15_000

/** Keeps a connection to the network and tells when something there has changed. */
export class Live {
  #connection: Connection = 'connecting'
  readonly #onConnection = new Set<() => void>()
  readonly #onNews = new Set<Listener>()
  #socket: WebSocket | undefined
  #waitMs = 500
  #lastHead: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  get connection(): Connection {
    return this.#connection
  }

  /** Tells when `connection` changes. Answers how to end that. */
  readonly watch = (listener: () => void): (() => void) => {
    this.#onConnection.add(listener)
    return () => this.#onConnection.delete(listener)
  }

  onNews(listener: Listener): () => void {
    this.#onNews.add(listener)
    return () => this.#onNews.delete(listener)
  }

  /** Connects, or connects anew, as after another key was entered. */
  start(): void {
    this.stop()
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
    const { protocol, host } = window.location
    const key = apiKey.get()
    const socket = new WebSocket(
      `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/${key ? `rpc/${encodeURIComponent(key)}` : ''}`,
    )
    this.#socket = socket
    const topicOf = new Map<string, Topic>()
    socket.addEventListener('open', () => {
      this.#waitMs = 500
      for (const [id, topic] of topics.entries())
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: [topic] }))
      this.#enter('live')
    })
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data)
      const topic = topics[message.id]
      if (topic && typeof message.result === 'string') topicOf.set(message.result, topic)
      const news = topicOf.get(message.params?.subscription)
      if (news) this.#tell(news)
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

  /** Asks for the head until a socket is open. */
  async #poll(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#isOpen()) return
    try {
      const head = await rpc<string>('eth_blockNumber')
      if (this.#isOpen()) return
      this.#enter('polling')
      if (head !== this.#lastHead) this.#tell('newHeads')
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
      this.#tell('newHeads')
      this.#tell('dev_changes')
      this.#tell('dev_tracked')
    }
  }

  #tell(topic: Topic): void {
    for (const listener of this.#onNews) listener(topic)
  }
}

export const live = new Live()
