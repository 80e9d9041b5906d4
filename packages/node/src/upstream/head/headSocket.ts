import type { EventEmitter } from 'node:events'
import { WebSocket } from 'ws'
import type { Clock, Timer } from '../../shared/clock.ts'
import { NoJsonMessageError } from '../../shared/json/jsonMessages.ts'
import type { Logger } from '../../shared/logger.ts'
import { backoffMs } from '../transport/backoff.ts'
import { isLocalSocket, LocalSocket } from '../transport/localSocket.ts'
import { endpointName } from '../transport/secrets.ts'
import { authorization } from '../transport/transport.ts'

/** How long an address without WebSocket support is not tried again. */
const notOfferedMs = 5 * 60_000
/** Number of failures in a row after which an address that did support it is treated the same. */
const failureLimit = 20
/** Ping interval; the connection is closed if a ping was not answered before the next one. */
const heartbeatMs = 15_000
/** Maximum size of a message, which is a header, in bytes. */
const longestMessage = 256 << 10
/** What a live chain may send in a second: more than the quickest does. */
const mostMessages = 500
const mostBytes = 4 << 20

type HeadSocketOptions = {
  /** HTTP URLs, where WebSocket is tried at the same addresses, and those of local sockets, in turn. */
  urls: readonly URL[]
  headers: Readonly<Record<string, string>>
}

type Needs = {
  clock: Clock
  logger: Logger
  random: () => number
  /** Upstream announced a block with this number. */
  onBlock(number: bigint): void
  /** The subscription was opened or closed. */
  onChange(isOpen: boolean): void
}

/** What is used of a WebSocket. */
type HeadConnection = {
  on(event: 'open' | 'close' | 'ping' | 'pong', listener: () => void): unknown
  on(event: 'upgrade', listener: (response: { socket: Pick<EventEmitter, 'on'> }) => void): unknown
  on(event: 'message', listener: (data: unknown) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  send(text: string): void
  ping(): void
  terminate(): void
}

type Message = {
  id?: unknown
  result?: unknown
  error?: unknown
  method?: string
  params?: { result?: { number?: string } }
}

/** Subscribes to upstream's new heads by WebSocket if it is supported, and resubscribes after failures. */
export function createHeadSocket({ urls, headers }: HeadSocketOptions, needs: Needs) {
  const { clock, logger, random, onBlock, onChange } = needs
  let socket: HeadConnection | undefined
  let timer: Timer | undefined
  let heartbeat: Timer | undefined
  let isOpen = false
  let wasOffered = false
  let failures = 0
  /** It sent more than it may. */
  let isFlood = false
  let place = 0
  let stopped = true

  function connect(): void {
    const url = urls[place % urls.length]
    if (!url || stopped) return
    const current = isLocalSocket(url)
      ? new LocalSocket(url, longestMessage)
      : new WebSocket(socketUrl(url), {
          headers: { ...authorization(url), ...headers },
          followRedirects: false,
          maxPayload: longestMessage,
          handshakeTimeout: 10_000,
        })
    follow(current, url)
  }

  function follow(current: HeadConnection, url: URL): void {
    socket = current
    isFlood = false
    const received = countReceived(current, url)
    current.on('upgrade', (response) => response.socket.on('data', (chunk: Buffer) => received(0, chunk.length)))
    current.on('ping', () => received(1))
    current.on('open', () => {
      current.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
      beat(current)
    })
    current.on('message', (data) => {
      if (received(1)) receive(current, url, String(data))
    })
    // An error is followed by a close event.
    current.on('error', (error: NodeJS.ErrnoException) => {
      isFlood ||= error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' || error instanceof NoJsonMessageError
      logger.debug({ upstream: endpointName(url), problem: error.message }, 'A WebSocket failed')
    })
    current.on('close', () => {
      if (current === socket) ended(url)
    })
  }

  /** Counts what a connection receives, and closes it if that is too much. False from then on. */
  function countReceived(current: HeadConnection, url: URL): (messages: number, bytes?: number) => boolean {
    let [since, messages, bytes] = [clock.now(), 0, 0]
    return (moreMessages, moreBytes = 0) => {
      if (clock.now() - since >= 1000) [since, messages, bytes] = [clock.now(), 0, 0]
      messages += moreMessages
      bytes += moreBytes
      if (isFlood || (messages <= mostMessages && bytes <= mostBytes)) return !isFlood
      isFlood = true
      logger.warn({ upstream: endpointName(url) }, 'Upstream sent too much by WebSocket; polling')
      current.terminate()
      return false
    }
  }

  function receive(current: HeadConnection, url: URL, text: string): void {
    const message = parse(text)
    if (message?.id === 1) {
      if (typeof message.result !== 'string') {
        current.terminate()
        return
      }
      isOpen = true
      wasOffered = true
      failures = 0
      logger.info({ upstream: endpointName(url) }, "Subscribed to upstream's heads")
      onChange(true)
      return
    }
    const number = message?.method === 'eth_subscription' ? message.params?.result?.number : undefined
    if (typeof number === 'string' && /^0x[0-9a-f]{1,16}$/i.test(number)) onBlock(BigInt(number))
  }

  /** A connection that was cut in transit looks open: only an answer proves that it works. */
  function beat(current: HeadConnection): void {
    let answered = true
    current.on('pong', () => {
      answered = true
    })
    const next = () => {
      heartbeat = clock.after(heartbeatMs, () => {
        if (!answered) return current.terminate()
        answered = false
        current.ping()
        next()
      })
    }
    next()
  }

  function ended(url: URL): void {
    heartbeat?.cancel()
    const wasOpen = isOpen
    isOpen = false
    if (stopped) return
    if (wasOpen) {
      logger.warn(
        { upstream: endpointName(url) },
        "Lost the subscription to upstream's heads; polling until it is back",
      )
      onChange(false)
    } else place++
    failures++
    const isExpectedBack = wasOffered && !isFlood && failures < failureLimit
    timer = clock.after(isExpectedBack ? backoffMs(failures, random) : notOfferedMs, connect)
  }

  return {
    start() {
      stopped = false
      connect()
    },
    stop() {
      stopped = true
      timer?.cancel()
      heartbeat?.cancel()
      socket?.terminate()
    },
  }
}

function socketUrl({ href }: URL): string {
  const url = new URL(href.replace(/^http/, 'ws'))
  url.username = ''
  url.password = ''
  return url.href
}

function parse(text: string): Message | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
