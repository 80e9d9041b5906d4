import type { EventEmitter } from 'node:events'
import { WebSocket } from 'ws'
import type { Clock, Timer } from '../../shared/clock.ts'
import { NoJsonMessageError } from '../../shared/json/jsonMessages.ts'
import type { Logger } from '../../shared/logger.ts'
import { endpointName, isLocalSocket } from '../endpoint/secrets.ts'
import { LocalSocket } from '../transport/localSocket.ts'
import { backoffMs } from '../transport/retries.ts'
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
export class HeadSocket {
  readonly #options: HeadSocketOptions
  readonly #needs: Needs
  #socket: HeadConnection | undefined
  #timer: Timer | undefined
  #heartbeat: Timer | undefined
  #isOpen = false
  #wasOffered = false
  #failures = 0
  /** It sent more than it may. */
  #isFlood = false
  #urlIndex = 0
  #stopped = true

  constructor(options: HeadSocketOptions, needs: Needs) {
    this.#options = options
    this.#needs = needs
  }

  start(): void {
    this.#stopped = false
    this.#connect()
  }

  stop(): void {
    this.#stopped = true
    this.#timer?.cancel()
    this.#heartbeat?.cancel()
    this.#socket?.terminate()
  }

  #connect(): void {
    const { urls, headers } = this.#options
    const url = urls[this.#urlIndex % urls.length]
    if (!url || this.#stopped) return
    const current = isLocalSocket(url)
      ? new LocalSocket(url, longestMessage)
      : new WebSocket(socketUrl(url), {
          headers: { ...authorization(url), ...headers },
          followRedirects: false,
          maxPayload: longestMessage,
          handshakeTimeout: 10_000,
        })
    this.#follow(current, url)
  }

  #follow(current: HeadConnection, url: URL): void {
    this.#socket = current
    this.#isFlood = false
    const received = this.#countReceived(current, url)
    current.on('upgrade', (response) => response.socket.on('data', (chunk: Buffer) => received(0, chunk.length)))
    current.on('ping', () => received(1))
    current.on('open', () => {
      current.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
      this.#beat(current)
    })
    current.on('message', (data) => {
      if (received(1)) this.#receive(current, url, String(data))
    })
    // An error is followed by a close event.
    current.on('error', (error: NodeJS.ErrnoException) => {
      this.#isFlood ||= error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' || error instanceof NoJsonMessageError
      this.#needs.logger.debug({ upstream: endpointName(url), problem: error.message }, 'A WebSocket failed')
    })
    current.on('close', () => {
      if (current === this.#socket) this.#ended(url)
    })
  }

  /** Counts what a connection receives, and closes it if that is too much. False from then on. */
  #countReceived(current: HeadConnection, url: URL): (messages: number, bytes?: number) => boolean {
    let [since, messages, bytes] = [this.#needs.clock.now(), 0, 0]
    return (moreMessages, moreBytes = 0) => {
      if (this.#needs.clock.now() - since >= 1000) [since, messages, bytes] = [this.#needs.clock.now(), 0, 0]
      messages += moreMessages
      bytes += moreBytes
      if (this.#isFlood || (messages <= mostMessages && bytes <= mostBytes)) return !this.#isFlood
      this.#isFlood = true
      this.#needs.logger.warn({ upstream: endpointName(url) }, 'Upstream sent too much by WebSocket; polling')
      current.terminate()
      return false
    }
  }

  #receive(current: HeadConnection, url: URL, text: string): void {
    const message = parse(text)
    if (message?.id === 1) {
      if (typeof message.result !== 'string') {
        current.terminate()
        return
      }
      this.#isOpen = true
      this.#wasOffered = true
      this.#failures = 0
      this.#needs.logger.info({ upstream: endpointName(url) }, "Subscribed to upstream's heads")
      this.#needs.onChange(true)
      return
    }
    const number = message?.method === 'eth_subscription' ? message.params?.result?.number : undefined
    if (typeof number === 'string' && /^0x[0-9a-f]{1,16}$/i.test(number)) this.#needs.onBlock(BigInt(number))
  }

  /** A connection that was cut in transit looks open: only an answer proves that it works. */
  #beat(current: HeadConnection): void {
    let answered = true
    current.on('pong', () => {
      answered = true
    })
    const next = () => {
      this.#heartbeat = this.#needs.clock.after(heartbeatMs, () => {
        if (!answered) return current.terminate()
        answered = false
        current.ping()
        next()
      })
    }
    next()
  }

  #ended(url: URL): void {
    this.#heartbeat?.cancel()
    const wasOpen = this.#isOpen
    this.#isOpen = false
    if (this.#stopped) return
    if (wasOpen) {
      this.#needs.logger.warn(
        { upstream: endpointName(url) },
        "Lost the subscription to upstream's heads; polling until it is back",
      )
      this.#needs.onChange(false)
    } else this.#urlIndex++
    this.#failures++
    const isExpectedBack = this.#wasOffered && !this.#isFlood && this.#failures < failureLimit
    this.#timer = this.#needs.clock.after(
      isExpectedBack ? backoffMs(this.#failures, this.#needs.random) : notOfferedMs,
      () => this.#connect(),
    )
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
