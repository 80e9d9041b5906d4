import { setMaxListeners } from 'node:events'
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import type { Dispatcher } from '../rpc/dispatch.ts'
import { Subscriptions } from '../rpc/subscriptions/subscriptions.ts'
import type { MessageBytes } from '../shared/budget/messageBytes.ts'
import { clientGone } from '../shared/budget/requestBudget.ts'
import type { Shares } from '../shared/budget/shares.ts'
import type { Logger } from '../shared/logger.ts'
import type { Identity } from './access.ts'
import type { InFlight } from './inFlight.ts'

export type ConnectionOptions = {
  /** The most subscriptions of a connection. */
  subscriptionLimit: number
  /** The most bytes of notifications that wait for a slow reader. */
  webSocketBuffer: number
  createId: () => string
}

export type Connection = {
  /** Whether it waits for answers to so many requests that it is not read. */
  isBusy(): boolean
}

type Needs = {
  dispatcher: Dispatcher
  caller: Identity
  inFlight: InFlight
  /** The subscriptions of all connections. */
  totalSubscriptions: Shares
  logger: Logger
}

/** Messages that are answered at a time, their bytes, and bytes that wait to be sent, before the connection is no longer read. */
const underWayLimit = 1000
const underWayBytesLimit = 16 * 1024 * 1024
const unsentBytesLimit = 16 * 1024 * 1024

/** Close codes of RFC 6455: the peer breaks a rule of ours; we failed; there is no room now. */
const policyViolation = 1008
const internalError = 1011
const tryAgainLater = 1013

/** Answers the JSON-RPC messages of a WebSocket, and sends what it subscribed to. */
export function serveConnection(
  webSocket: WebSocket,
  /** What the WebSocket reads from. */
  socket: Duplex,
  { subscriptionLimit, webSocketBuffer, createId }: ConnectionOptions,
  { dispatcher, caller, inFlight, totalSubscriptions, logger }: Needs,
): Connection {
  const gone = new AbortController()
  // One listener for each request that waits: no leak.
  setMaxListeners(0, gone.signal)
  const holder = caller.key ?? webSocket
  const newBytes = () => inFlight.message(holder)
  /** Messages that are answered, and answers that the system did not take yet. */
  const messages = new Set<MessageBytes>()
  let underWay = 0
  let underWayBytes = 0
  /** What came since the last message that is whole. */
  let incomplete = newBytes()
  const notifications = newBytes()
  let waitingNotifications = 0
  const isOpen = () => webSocket.readyState === webSocket.OPEN

  /** Whoever does not read its answers is not asked for more questions. */
  function keepPace(): void {
    // Pongs wait among the answers, for a peer that sends pings and reads nothing.
    const isBehind =
      underWay >= underWayLimit ||
      underWayBytes > underWayBytesLimit ||
      webSocket.bufferedAmount - waitingNotifications > unsentBytesLimit
    if (isBehind === webSocket.isPaused || !isOpen()) return
    if (isBehind) webSocket.pause()
    else webSocket.resume()
  }

  function notify(text: string): void {
    if (!isOpen()) return
    const problem =
      waitingNotifications + text.length > webSocketBuffer
        ? `more than ${webSocketBuffer} bytes of notifications wait`
        : notifications.receive(text.length)
          ? undefined
          : 'notifications wait, and --in-flight-limit has no room'
    if (problem !== undefined) {
      logger.warn({ bytes: waitingNotifications, key: caller.key }, 'Closed a WebSocket that reads too slowly')
      subscriptions.clear()
      webSocket.close(policyViolation, `slow reader: ${problem}`)
      return
    }
    waitingNotifications += text.length
    webSocket.send(text, () => {
      waitingNotifications -= text.length
      notifications.receive(-text.length)
    })
  }

  /** Nothing more is read of a peer for whose messages there is no room. */
  function closeFull(): void {
    if (!isOpen()) return
    logger.warn({ key: caller.key }, 'Closed a WebSocket for whose messages there was no room')
    webSocket.close(tryAgainLater, 'no room for the message: it is beyond your share of --in-flight-limit')
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
    if (isOpen() && text !== undefined)
      webSocket.send(text, () => {
        sent()
        keepPace()
      })
    else sent()
    subscriber.answered()
    // Whoever left while its subscription was made has no use for it.
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
    underWay++
    underWayBytes += length
    keepPace()
    answer(data, bytes)
      .catch((error) => {
        logger.error({ err: error }, 'Failed to answer a WebSocket')
        webSocket.close(internalError, 'the answer could not be sent')
      })
      .finally(() => {
        underWay--
        underWayBytes -= length
        keepPace()
      })
  }

  const subscriptions = new Subscriptions({
    limit: subscriptionLimit,
    total: totalSubscriptions,
    holder,
    createId,
    send: notify,
  })
  webSocket.on('message', receive)
  // Before the WebSocket reads it: what completes a message is no longer counted here then.
  socket.prependListener('data', (chunk: Buffer) => {
    if (!incomplete.receive(chunk.length)) closeFull()
  })
  socket.on('drain', keepPace)
  webSocket.on('ping', keepPace)
  // What is wrong with a peer ends its connection; there is nobody to tell.
  webSocket.on('error', (error) => logger.debug({ err: error }, 'A WebSocket failed'))
  webSocket.on('close', () => {
    gone.abort(clientGone())
    subscriptions.clear()
    for (const bytes of [incomplete, notifications, ...messages]) bytes.release()
  })
  return {
    isBusy: () => underWay >= underWayLimit || underWayBytes > underWayBytesLimit,
  }
}
