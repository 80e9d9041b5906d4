import { type EventEmitter, setMaxListeners } from 'node:events'
import type { Duplex } from 'node:stream'
import type { RawData } from 'ws'
import type { Dispatcher } from '../rpc/dispatch/dispatch.ts'
import { inOnePiece } from '../rpc/dispatch/envelope.ts'
import { Subscriptions } from '../rpc/subscriptions/subscriptions.ts'
import { arrivals } from '../shared/budget/arrivals.ts'
import type { MessageBytes } from '../shared/budget/messageBytes.ts'
import { clientGone } from '../shared/budget/requestBudget.ts'
import type { Shares } from '../shared/budget/shares.ts'
import type { Logger } from '../shared/logger.ts'
import type { Identity } from './access.ts'
import type { InFlight } from './inFlight.ts'
import { answersOfTurn } from './quick/answersOfTurn.ts'

export type ConnectionOptions = {
  /** Maximum number of subscriptions of a connection. */
  subscriptionLimit: number
  /** Maximum bytes of notifications queued for a slow reader. */
  webSocketBuffer: number
  createId: () => string
}

export type Connection = {
  /** Whether so many requests are waiting for answers that reading is paused. */
  isBusy(): boolean
  /** Resolves when no message waits for its answer. */
  answered(): Promise<void>
}

/** What is used of a WebSocket: other connections of messages have it, too. */
export type MessageSocket = Pick<EventEmitter, 'on' | 'once'> & {
  readonly OPEN: number
  readonly readyState: number
  readonly isPaused: boolean
  /** Bytes that the system has not accepted yet. */
  readonly bufferedAmount: number
  pause(): void
  resume(): void
  send(data: string | Uint8Array, done?: (error?: Error) => void): void
  send(data: string | Uint8Array, options: { binary: boolean }, done?: (error?: Error) => void): void
  ping(): void
  close(code?: number, reason?: string): void
  terminate(): void
}

type Needs = {
  dispatcher: Dispatcher
  caller: Identity
  inFlight: InFlight
  /** The subscriptions of all connections. */
  totalSubscriptions: Shares
  logger: Logger
}

/** Limits on messages being answered, their bytes, and bytes waiting to be sent; beyond them, reading is paused. */
const inFlightLimit = 1000
const inFlightBytesLimit = 16 * 1024 * 1024
const unsentBytesLimit = 16 * 1024 * 1024
/** The limit of messages while they have to wait for their turn: reading many takes long, too. */
const waitingLimit = 16

/** Close codes of RFC 6455: policy violation, internal error, try again later. */
const policyViolation = 1008
const internalError = 1011
const tryAgainLater = 1013

/** Messages that are being answered. */
class InFlightRequests {
  #count = 0
  #bytes = 0
  readonly #idle: (() => void)[] = []

  /** `limit` of messages. */
  isFull(limit: number): boolean {
    return this.#count >= limit || this.#bytes > inFlightBytesLimit
  }

  /** `length` in bytes. */
  begin(length: number): void {
    this.#count++
    this.#bytes += length
  }

  end(length: number): void {
    this.#count--
    if (this.#count === 0) for (const listener of this.#idle.splice(0)) listener()
    this.#bytes -= length
  }

  answered(): Promise<void> {
    return this.#count === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }
}

/** Notifications that the system has not accepted yet. */
class Notifications {
  readonly bytes: MessageBytes
  readonly #webSocket: MessageSocket
  readonly #limit: number
  /** Bytes. */
  waiting = 0

  /** `limit` in bytes. */
  constructor(webSocket: MessageSocket, bytes: MessageBytes, limit: number) {
    this.#webSocket = webSocket
    this.bytes = bytes
    this.#limit = limit
  }

  /** Returns why there is no room for it, if so. */
  send(text: string): string | undefined {
    if (this.waiting + text.length > this.#limit) return `more than ${this.#limit} bytes of notifications are queued`
    if (!this.bytes.receive(text.length)) return 'notifications are queued, and --in-flight-limit has no room'
    this.waiting += text.length
    this.#webSocket.send(text, () => {
      this.waiting -= text.length
      this.bytes.receive(-text.length)
    })
    return undefined
  }
}

/** Answers the JSON-RPC messages of a WebSocket, and sends the notifications of its subscriptions. */
export function serveConnection(
  webSocket: MessageSocket,
  /** The stream below the WebSocket. */
  socket: Duplex,
  { subscriptionLimit, webSocketBuffer, createId }: ConnectionOptions,
  { dispatcher, caller, inFlight, totalSubscriptions, logger }: Needs,
): Connection {
  const gone = new AbortController()
  // One listener per waiting request, so this is not a leak.
  setMaxListeners(0, gone.signal)
  const holder = caller.key ?? webSocket
  const newBytes = () => inFlight.message(holder)
  /** Messages being answered, and answers that the system has not accepted yet. */
  const messages = new Set<MessageBytes>()
  const requests = new InFlightRequests()
  /** Bytes received since the last complete message. */
  let incomplete = newBytes()
  const isOpen = () => webSocket.readyState === webSocket.OPEN
  const writeTogether = withAnswersOfTurn(socket)

  /** A client that does not read its answers may not send more requests. */
  function keepPace(): void {
    // Pongs queue behind answers if a peer sends pings and reads nothing.
    const isBehind =
      requests.isFull(arrivals.mustWait() ? waitingLimit : inFlightLimit) ||
      webSocket.bufferedAmount - notifications.waiting > unsentBytesLimit
    if (isBehind === webSocket.isPaused || !isOpen()) return
    if (isBehind) webSocket.pause()
    else webSocket.resume()
  }

  /** Stop reading from a peer whose messages do not fit. */
  function closeFull(): void {
    if (!isOpen()) return
    logger.warn({ key: caller.key }, 'Closed a WebSocket whose messages did not fit')
    webSocket.close(tryAgainLater, 'no room for the message: it exceeds your share of --in-flight-limit')
    socket.removeAllListeners('data').resume().end()
  }

  async function answer(data: RawData, bytes: MessageBytes): Promise<void> {
    const subscriber = subscriptions.forRequest()
    const { text } = await dispatcher.answer(String(data), {
      ...caller,
      subscriber,
      signal: gone.signal,
      connection: webSocket,
      bytes,
    })
    const sent = () => {
      bytes.release()
      messages.delete(bytes)
    }
    if (isOpen() && text !== undefined) {
      writeTogether()
      webSocket.send(inOnePiece(text), { binary: false }, () => {
        sent()
        keepPace()
      })
    } else sent()
    subscriber.answered()
    // The client may have left while its subscription was created.
    if (!isOpen()) subscriptions.clear()
  }

  function receive(data: RawData): void {
    incomplete.release()
    incomplete = newBytes()
    const bytes = newBytes()
    const length = (data as Buffer).length
    if (!bytes.receive(length)) {
      closeFull()
      return
    }
    messages.add(bytes)
    requests.begin(length)
    keepPace()
    answer(data, bytes)
      .catch((error) => {
        logger.error({ err: error }, 'Failed to answer a WebSocket')
        webSocket.close(internalError, 'the answer could not be sent')
      })
      .finally(() => {
        requests.end(length)
        keepPace()
      })
  }

  const notifications = new Notifications(webSocket, newBytes(), webSocketBuffer)
  const subscriptions = new Subscriptions({
    limit: subscriptionLimit,
    total: totalSubscriptions,
    holder,
    createId,
    send(text) {
      const problem = isOpen() ? notifications.send(text) : undefined
      if (problem === undefined) return
      logger.warn({ bytes: notifications.waiting, key: caller.key }, 'Closed a WebSocket that reads too slowly')
      subscriptions.clear()
      webSocket.close(policyViolation, `slow reader: ${problem}`)
    },
  })
  webSocket.on('message', receive)
  // Counted before the WebSocket reads it, which resets the count when a message is complete.
  socket.prependListener('data', (chunk: Buffer) => {
    if (!incomplete.receive(chunk.length)) closeFull()
  })
  socket.on('drain', keepPace)
  webSocket.on('ping', keepPace)
  // Errors of a peer close its connection and are not reported further.
  webSocket.on('error', (error) => logger.debug({ err: error }, 'A WebSocket failed'))
  webSocket.on('close', () => {
    gone.abort(clientGone())
    subscriptions.clear()
    for (const bytes of [incomplete, notifications.bytes, ...messages]) bytes.release()
  })
  return {
    isBusy: () => requests.isFull(inFlightLimit),
    answered: () => requests.answered(),
  }
}

/** Returns a function that holds back what is written from now on until the answers of this turn are written. */
function withAnswersOfTurn(socket: Duplex): () => void {
  let isHeld = false
  const release = () => {
    isHeld = false
    socket.uncork()
  }
  return () => {
    if (isHeld) return
    isHeld = true
    socket.cork()
    answersOfTurn.add(release)
  }
}
