import { setMaxListeners } from 'node:events'
import type { WebSocket } from 'ws'
import type { Dispatcher } from '../rpc/dispatch.ts'
import { Subscriptions } from '../rpc/subscriptions/subscriptions.ts'
import type { Logger } from '../shared/logger.ts'
import { clientGone } from '../shared/requestBudget.ts'
import type { Identity } from './access.ts'

export type ConnectionOptions = {
  /** The most subscriptions of a connection. */
  subscriptionLimit: number
  /** The most bytes of notifications that wait for a slow reader. */
  webSocketBuffer: number
  createId: () => string
}

export type Connection = {
  /** How many there are. */
  subscriptions(): number
  /** Whether it waits for answers to so many requests that it is not read. */
  isBusy(): boolean
}

type Needs = { dispatcher: Dispatcher; caller: Identity; logger: Logger }

/** Messages that are answered at a time, and bytes of answers that wait, before the connection is no longer read. */
const underWayLimit = 1000
const answerBuffer = 16 * 1024 * 1024

/** RFC 6455: the peer breaks a rule of ours. */
const policyViolation = 1008

/** Answers the JSON-RPC messages of a WebSocket, and sends what it subscribed to. */
export function serveConnection(
  webSocket: WebSocket,
  { subscriptionLimit, webSocketBuffer, createId }: ConnectionOptions,
  { dispatcher, caller, logger }: Needs,
): Connection {
  const gone = new AbortController()
  // One listener for each request that waits: no leak.
  setMaxListeners(0, gone.signal)
  let underWay = 0
  /** Bytes that the system did not take yet. */
  let waitingAnswers = 0
  let waitingNotifications = 0
  const isOpen = () => webSocket.readyState === webSocket.OPEN

  /** Whoever does not read its answers is not asked for more questions. */
  function keepPace(): void {
    const isBehind = underWay >= underWayLimit || waitingAnswers > answerBuffer
    if (isBehind === webSocket.isPaused || !isOpen()) return
    if (isBehind) webSocket.pause()
    else webSocket.resume()
  }

  function notify(text: string): void {
    if (!isOpen()) return
    if (waitingNotifications + text.length > webSocketBuffer) {
      logger.warn({ bytes: waitingNotifications, key: caller.key }, 'Closed a WebSocket that reads too slowly')
      subscriptions.clear()
      webSocket.close(policyViolation, `slow reader: more than ${webSocketBuffer} bytes of notifications wait`)
      return
    }
    waitingNotifications += text.length
    webSocket.send(text, () => {
      waitingNotifications -= text.length
    })
  }

  async function answer(body: string): Promise<void> {
    const subscriber = subscriptions.forRequest()
    const { text } = await dispatcher.answer(body, {
      ...caller,
      subscriber,
      signal: gone.signal,
      connection: webSocket,
    })
    if (isOpen() && text !== undefined) {
      waitingAnswers += text.length
      webSocket.send(text, () => {
        waitingAnswers -= text.length
        keepPace()
      })
    }
    subscriber.answered()
    // Whoever left while its subscription was made has no use for it.
    if (!isOpen()) subscriptions.clear()
  }

  const subscriptions = new Subscriptions({ limit: subscriptionLimit, createId, send: notify })
  webSocket.on('message', (data) => {
    underWay++
    keepPace()
    void answer(String(data)).finally(() => {
      underWay--
      keepPace()
    })
  })
  // What is wrong with a peer ends its connection; there is nobody to tell.
  webSocket.on('error', (error) => logger.debug({ err: error }, 'A WebSocket failed'))
  webSocket.on('close', () => {
    gone.abort(clientGone())
    subscriptions.clear()
  })
  return { subscriptions: () => subscriptions.size, isBusy: () => underWay >= underWayLimit }
}
