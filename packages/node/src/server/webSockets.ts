import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Dispatcher } from '../rpc/dispatch/dispatch.ts'
import { encodeError } from '../rpc/encode/error.ts'
import { randomId } from '../rpc/subscriptions/subscriptions.ts'
import { Shares } from '../shared/budget/shares.ts'
import { type Clock, every, type Timer, within } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import type { Identity } from './access.ts'
import { type AccessControl, isRefusal, type Refusal } from './accessControl.ts'
import type { InFlight } from './inFlight.ts'
import { IpcSocket } from './ipc/ipcSocket.ts'
import { isWebSocketUpgrade, serveWithoutUpgrade } from './otherUpgrades.ts'
import { refuse } from './refusal.ts'
import { type Connection, type ConnectionOptions, type MessageSocket, serveConnection } from './webSocketConnection.ts'

export type WebSocketOptions = Omit<ConnectionOptions, 'createId'> & {
  /** Maximum message size in bytes. */
  bodyLimit: number
  /** Maximum number of connections. */
  webSocketLimit: number
  /** Maximum number of subscriptions of all connections. */
  totalSubscriptionLimit: number
  /** Set if there are several keys: each has a share of connections and subscriptions. */
  apiKeys: readonly unknown[]
}

export type WebSockets = {
  /** Serves the upgrade requests of a server. */
  attach(server: Server): void
  /** Serves a connection of a local socket, which counts as a WebSocket. */
  welcomeLocal(socket: Socket): void
  /** Closes every connection and resolves when they are closed. */
  stop(): Promise<void>
  count(): { connections: number; subscriptions: number }
}

/**
 * Opens a branch by its id or name, until it is released. When it is removed or closed before, its requests fail, and `cut`
 * is called. Throws `BRANCH_NOT_FOUND`.
 */
export type UseBranch = (idOrName: string, cut: (reason: NetworkError) => void) => Promise<UsedNetwork>

type UsedNetwork = { dispatcher: Dispatcher; release(): void }

type Needs = {
  dispatcher: Dispatcher
  useBranch: UseBranch
  accessControl: AccessControl
  inFlight: InFlight
  clock: Clock
  logger: Logger
}

/** A peer that does not answer a ping before the next one is disconnected. */
export const pingIntervalMs = 30_000
/** The most bytes of the reason in a close frame. Names of branches and messages have no others than those of ASCII. */
const longestReason = 123
/** How long a peer may take to answer a close. */
const closeGraceMs = 500

/** The owner of a share of connections. */
const holderOf = ({ key }: Identity) => key ?? 'everybody'

/** Paths of the network and of branches, with or without a key. */
const path = /^\/(?:n\/([^/?]+)\/?)?(?:rpc\/[^/?]+)?(?:\?|$)/

/** The name in a path; a broken one is the name of no branch. */
function nameFrom(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/** Close codes: of RFC 6455, of its registry, and of this network, like the status of HTTP. */
const goingAway = 1001
const serviceRestart = 1012
const branchRemoved = 4404

/** The connections that are open, of which each key has a share. Those whose peers do not answer are closed. */
class Connections {
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #all = new Map<MessageSocket, Connection>()
  readonly #shares: Shares
  /** Those that have not answered the last ping. */
  readonly #silent = new Set<MessageSocket>()
  #timer: Timer | undefined

  constructor(
    { webSocketLimit, apiKeys }: Pick<WebSocketOptions, 'webSocketLimit' | 'apiKeys'>,
    { clock, logger }: Pick<Needs, 'clock' | 'logger'>,
  ) {
    this.#clock = clock
    this.#logger = logger
    this.#shares = new Shares(webSocketLimit, { isShared: apiKeys.length > 1 })
  }

  get size(): number {
    return this.#all.size
  }

  start(): void {
    this.#timer = every(this.#clock, pingIntervalMs, () => this.#ping())
  }

  hasRoom(caller: Identity): boolean {
    return this.#shares.leftFor(holderOf(caller)) >= 1
  }

  add(webSocket: MessageSocket, connection: Connection, caller: Identity): void {
    const holder = holderOf(caller)
    this.#shares.take(holder, 1)
    this.#all.set(webSocket, connection)
    webSocket.on('pong', () => this.#silent.delete(webSocket))
    webSocket.on('close', () => {
      this.#all.delete(webSocket)
      this.#shares.give(holder, 1)
      this.#silent.delete(webSocket)
    })
  }

  /** Closes the connection of a branch that is no longer there, after the answers that say so. */
  closeFor(webSocket: MessageSocket, { kind, message }: NetworkError): void {
    const [code, why] =
      kind === 'BRANCH_NOT_FOUND' ? ([branchRemoved, 'the branch was removed'] as const) : [serviceRestart, message]
    const answered = this.#all.get(webSocket)?.answered() ?? Promise.resolve()
    void within(this.#clock, closeGraceMs, answered, () => {}).then(() => {
      webSocket.close(code, why.slice(0, longestReason))
      this.#clock.after(closeGraceMs, () => webSocket.terminate())
    })
  }

  async closeAll(): Promise<void> {
    this.#timer?.cancel()
    const closed = [...this.#all.keys()].map((webSocket) => new Promise((resolve) => webSocket.once('close', resolve)))
    for (const webSocket of this.#all.keys()) webSocket.close(goingAway, 'the network is stopping')
    const cut = this.#clock.after(closeGraceMs, () => {
      for (const webSocket of this.#all.keys()) webSocket.terminate()
    })
    await Promise.all(closed)
    cut.cancel()
  }

  /** Disconnects peers that did not answer the last ping, and pings the others. */
  #ping(): void {
    for (const [webSocket, connection] of this.#all) {
      // While its requests wait, the connection is not read.
      if (connection.isBusy()) continue
      if (this.#silent.has(webSocket)) {
        this.#logger.debug('Closed a WebSocket that did not answer a ping')
        webSocket.terminate()
      } else {
        this.#silent.add(webSocket)
        webSocket.ping()
      }
    }
  }
}

/** JSON-RPC over WebSocket. */
export function createWebSockets(
  options: WebSocketOptions,
  { dispatcher, useBranch, accessControl, inFlight, clock, logger }: Needs,
): WebSockets {
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: options.bodyLimit })
  const connections = new Connections(options, { clock, logger })
  const totalSubscriptions = new Shares(options.totalSubscriptionLimit, { isShared: options.apiKeys.length !== 1 })
  let stopping = false

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {})
    const found = admit(request)
    if (isRefusal(found)) {
      refuse(socket, found.status, encodeError(found.error))
      return
    }
    const accept = (dispatcher: Dispatcher, opened: (webSocket: MessageSocket) => void = () => {}) =>
      server.handleUpgrade(request, socket, head, (webSocket) => {
        welcome(webSocket, socket, found, dispatcher)
        opened(webSocket)
      })
    const [, branch] = path.exec(request.url ?? '/') ?? []
    if (branch === undefined) accept(dispatcher)
    else void upgradeToBranch(branch, socket, accept)
  }

  async function upgradeToBranch(
    encoded: string,
    socket: Duplex,
    accept: (dispatcher: Dispatcher, opened: (webSocket: MessageSocket) => void) => void,
  ) {
    let cut = (_reason: NetworkError): void => {
      socket.destroy()
    }
    try {
      const network = await useBranch(nameFrom(encoded), (reason) => cut(reason))
      if (socket.destroyed) return network.release()
      socket.once('close', network.release)
      accept(network.dispatcher, (webSocket) => {
        cut = (reason) => connections.closeFor(webSocket, reason)
      })
    } catch (error) {
      if (!(error instanceof NetworkError)) logger.error({ err: error }, 'Could not open a branch')
      const known =
        error instanceof NetworkError
          ? error
          : new NetworkError('INVALID_REQUEST', { problem: 'the branch could not be opened' })
      refuse(socket, 404, encodeError(known))
    }
  }

  function welcome(webSocket: MessageSocket, socket: Duplex, caller: Identity, dispatcher: Dispatcher): void {
    const connection = serveConnection(
      webSocket,
      socket,
      { ...options, createId: randomId },
      { dispatcher, caller, inFlight, totalSubscriptions, logger },
    )
    connections.add(webSocket, connection, caller)
  }

  function admit(raw: IncomingMessage): Identity | Refusal {
    const { method, headers, url = '/', socket } = raw
    const refusal = accessControl.check({ method, headers, url, raw })
    if (refusal) return refusal
    if (stopping)
      return { status: 503, error: new NetworkError('INVALID_REQUEST', { problem: 'the network is stopping' }) }
    if (!path.test(url))
      return {
        status: 404,
        error: new NetworkError('INVALID_REQUEST', {
          problem: 'WebSocket is served at / and, of branches, at /n/NAME',
        }),
      }
    const found = accessControl.identify({ headers, url, ip: socket.remoteAddress })
    if (isRefusal(found) || connections.hasRoom(found)) return found
    const what = 'WebSocket connections; a key may have as many as it leaves free (--websocket-limit)'
    return { status: 503, error: new NetworkError('LIMIT_EXCEEDED', { what, limit: options.webSocketLimit }) }
  }

  return {
    attach(http) {
      Object.assign(http, { shouldUpgradeCallback: isWebSocketUpgrade })
      http.on('upgrade', (request, socket, head) => {
        if (isWebSocketUpgrade(request)) upgrade(request, socket, head)
        else serveWithoutUpgrade(http, request, socket, head)
      })
      connections.start()
    },
    welcomeLocal(socket) {
      const caller = accessControl.local()
      if (stopping || !connections.hasRoom(caller)) socket.destroy()
      else welcome(new IpcSocket(socket, options), socket, caller, dispatcher)
    },
    async stop() {
      stopping = true
      await connections.closeAll()
    },
    count: () => ({ connections: connections.size, subscriptions: totalSubscriptions.used }),
  }
}
