import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Peers } from '../cluster/forwarder.ts'
import type { Client } from '../rpc/caller.ts'
import { importRole } from '../rpc/defineMethod.ts'
import type { Dispatcher } from '../rpc/dispatch/dispatch.ts'
import type { Services } from '../rpc/services.ts'
import type { MessageBytes } from '../shared/budget/messageBytes.ts'
import { clientGone } from '../shared/budget/requestBudget.ts'
import type { Clock } from '../shared/clock.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { mayDo } from '../shared/role.ts'
import { yieldToEventLoop } from '../shared/yieldToEventLoop.ts'
import { type AccessControl, type AccessControlOptions, isRefusal } from './accessControl.ts'
import { allowCrossOrigin } from './crossOrigin.ts'
import { serveDashboard } from './dashboard.ts'
import { serveDocumentation } from './documentation.ts'
import { createIdentification, type Identification } from './identification.ts'
import { countBody, createInFlight, type InFlight, type InFlightOptions } from './inFlight.ts'
import { serveInternalCalls } from './internalCalls.ts'
import { createIpcServer } from './ipc/ipcServer.ts'
import { listen, urlOf } from './limits/connectionLimit.ts'
import { serveMcp } from './mcp.ts'
import { describeHealth } from './monitoring/health.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { createQuickConnections } from './quick/quickConnections.ts'
import { sendError, sendJson, sendTooLarge, statusOf, takeAsJson } from './replies.ts'
import type { UseNetwork } from './tenderly/route.ts'
import { serveTenderly } from './tenderly/tenderly.ts'
import { createUnfinished, type Unfinished } from './unfinished.ts'
import { serveEtherscan } from './verification/etherscan.ts'
import { serveSourcify } from './verification/sourcify.ts'
import { createWebSockets, type UseBranch, type WebSocketOptions } from './webSockets.ts'

export type HttpOptions = AccessControlOptions &
  WebSocketOptions &
  InFlightOptions & {
    /** 0 selects a free port. */
    port: number
    /** Maximum time for a client to send a request, in seconds. */
    requestTimeout: number
    /** Maximum number of connections. */
    connectionLimit: number
    /** Maximum body size of imports and states, in bytes. */
    importBodyLimit: number
    /** By which clients reach the server from outside, if that is not where it listens; without a trailing slash. */
    publicUrl: string | undefined
    /** Path of the local socket; `undefined`: there is none. */
    ipc: string | undefined
  }

/** The server of a process in which a network does not listen itself. */
export type ServedBy = {
  useNetwork: UseNetwork
  /** Where clients reach the network, without a trailing slash. */
  url(): string
  /** Shared by all networks of the process. */
  inFlight: InFlight
}

type Needs = {
  /** Set if another server passes the requests on. */
  servedBy?: ServedBy | undefined
  dispatcher: Dispatcher
  useBranch: UseBranch
  /** Whether a body may be as large as `importBodyLimit`. */
  isImport(body: string): boolean
  accessControl: AccessControl
  metrics: Metrics
  services: Services
  /** The other nodes, if several share the network. */
  peers: Peers | undefined
  logger: Logger
  clock: Clock
}

export type HttpServer = Service & {
  /** The URL that it listens on, without a trailing slash. Known after `start`. */
  url(): string
  readonly http: Server
  readonly dispatcher: Dispatcher
  readonly useBranch: UseBranch
}

/** How many bytes of a refused request's body are received and discarded. */
const unreadLimit = 1024 * 1024
/** Bytes of the answers that one call of a tool of the Model Context Protocol may get from methods. */
const toolAnswersLimit = 8 * 1024 * 1024
/** How long running requests may take when the server stops. */
const graceMs = 1000
/** How long answers to the rest may take to be written. */
const answerMs = 100
/** Maximum time for the headers of a request, in milliseconds, if the whole request may take longer. */
const headersTimeoutMs = 20_000

/**
 * Serves JSON-RPC at `/` and `/rpc/KEY` over HTTP and WebSocket, and that of branches at `/n/NAME` and `/n/NAME/rpc/KEY`, `/mcp` behind each of them, `/health`, the verification APIs,
 * Tenderly's REST interface, the documentation at `/docs/`, and the dashboard for browsers.
 */
export function createHttpServer(
  options: HttpOptions,
  { servedBy, isImport, accessControl, metrics, services, peers, logger, clock, ...needs }: Needs,
): HttpServer {
  const { dispatcher, useBranch, endAll } = createUnfinished(needs)
  const requestTimeoutMs = options.requestTimeout * 1000
  const server = newServer(options)
  const inFlight = servedBy?.inFlight ?? createInFlight(options)
  // A stop closes their connections, and other nodes know what to do about calls that were cut off.
  const sockets = createWebSockets(options, { ...needs, accessControl, inFlight, clock, logger })
  const ipc =
    options.ipc === undefined ? undefined : createIpcServer(options.ipc, { welcome: sockets.welcomeLocal, logger })
  const pointer = `Understudy ${services.info().version}: JSON-RPC at POST / and by WebSocket, health at GET /health, metrics at GET /metrics\n`

  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  server.addHook('onRequest', async (request, reply) => {
    const refusal = accessControl.check(request)
    if (refusal) return sendError(reply, refusal.status, refusal.error)
  })
  allowCrossOrigin(server)
  // Bodies sent to unknown paths are not read.
  server.addHook('onRequest', async (request, reply) => (request.is404 ? sendNotFound(request, reply) : undefined))
  server.addHook('onSend', async ({ raw }, reply) => {
    if (!raw.complete && isLarge(raw)) reply.header('connection', 'close')
  })
  const identification = createIdentification(accessControl)
  const identify = identification.hook((reply, { status, error }) => sendError(reply, status, error))

  const bytesOf = countBodies(server, options, { identification, inFlight })
  const running = new RunningRequests()
  const clientOf = (request: FastifyRequest, reply: FastifyReply, bytes: MessageBytes): Client => ({
    ...identification.identityOf(request),
    subscriber: undefined,
    signal: whenGone(reply.raw, running),
    connection: request.raw.socket,
    bytes,
  })

  const quickConnections = createQuickConnections(
    server.server,
    { bodyLimit: options.bodyLimit, unreadMs: requestTimeoutMs },
    { dispatcher, useBranch, accessControl, inFlight, statusOf },
  )

  /** Of a branch, which stays open until the request is answered. Throws `BRANCH_NOT_FOUND`. */
  async function dispatcherOf(branch: string, reply: FastifyReply): Promise<Dispatcher> {
    const used = await useBranch(branch, () => {})
    reply.raw.once('close', used.release)
    return used.dispatcher
  }
  serveCalls(server, options, {
    ...{ dispatcher, dispatcherOf, identify, isImport },
    clientOf: (request, reply) => clientOf(request, reply, bytesOf(request)),
  })
  if (peers) serveInternalCalls(server, { ...needs, peers, bytesOf, clock })
  serveInterfaces(server, options, {
    ...{ dispatcher, dispatcherOf, identification, identify, accessControl, services, servedBy, logger },
    clientOf(request, reply, limit) {
      if (limit === undefined) return clientOf(request, reply, bytesOf(request))
      const bytes = inFlight.message(identification.identityOf(request).key ?? request.raw.socket, limit)
      reply.raw.once('close', () => bytes.release())
      return clientOf(request, reply, bytes)
    },
  })
  const dashboard = serveDashboard(server)
  server.get('/', (request, reply) =>
    dashboard.wants(request) ? dashboard.send(reply) : reply.type('text/plain; charset=utf-8').send(pointer),
  )
  server.get('/health', async (request, reply) => {
    const health = await describeHealth(services, clock, { isStranger: isRefusal(accessControl.identify(request)) })
    return sendJson(reply, health.status === 'ready' ? 200 : 503, JSON.stringify(health))
  })
  server.get('/metrics', { onRequest: identify }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text(sockets.count())),
  )
  serveDocumentation(server)
  function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (dashboard.wants(request)) return dashboard.send(reply)
    // The path is not repeated because it may contain a key.
    const problem = 'nothing is at this address; JSON-RPC is at POST /'
    return sendError(reply, 404, new NetworkError('INVALID_REQUEST', { problem }))
  }
  server.setNotFoundHandler(sendNotFound)
  server.setErrorHandler(errorHandler(Math.max(options.bodyLimit, options.importBodyLimit), logger))

  return {
    async start() {
      sockets.attach(server.server)
      await ipc?.start()
      if (servedBy) await server.ready()
      else await listen(server, options)
    },
    async stop() {
      quickConnections.close()
      await sockets.stop()
      await ipc?.stop()
      // The host has given them their time.
      if (servedBy) await endRequests([quickConnections, running], endAll, clock)
      const cut = clock.after(graceMs, async () => {
        await endRequests([quickConnections, running], endAll, clock)
        quickConnections.destroy()
        server.server.closeAllConnections()
      })
      await server.close()
      cut.cancel()
    },
    url: servedBy?.url ?? (() => urlOf(server, options.host)),
    http: server.server,
    ...{ dispatcher, useBranch },
  }
}

function newServer(options: HttpOptions) {
  const requestTimeoutMs = options.requestTimeout * 1000
  return fastify({
    bodyLimit: Math.max(options.bodyLimit, options.importBodyLimit),
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    requestTimeout: requestTimeoutMs,
    // The path is not repeated because it may contain a key.
    frameworkErrors: (_error, _request, reply) =>
      void sendError(reply, 400, new NetworkError('INVALID_REQUEST', { problem: 'the URL is not valid' })),
    http: {
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(5000, requestTimeoutMs / 2),
    },
  })
}

/** Counts each body from before it is read until the answer was sent, and refuses what is too large. Returns what is counted of a request. */
function countBodies(
  server: FastifyInstance,
  { bodyLimit: defaultLimit }: Pick<HttpOptions, 'bodyLimit'>,
  { identification, inFlight }: { identification: Identification; inFlight: InFlight },
): (request: FastifyRequest) => MessageBytes {
  /** Only callers that may import get the larger limit. */
  function bodyLimitOf(request: FastifyRequest): number {
    const { bodyLimit } = request.routeOptions
    const { role = importRole } = identification.find(request) ?? {}
    return mayDo(role, importRole) ? bodyLimit : Math.min(bodyLimit, defaultLimit)
  }

  const tooMuchInFlight = new NetworkError('IN_FLIGHT_LIMIT_EXCEEDED', { limit: inFlight.limit })
  const messages = new WeakMap<FastifyRequest, MessageBytes>()
  server.addHook('preParsing', (request, reply, body, next) => {
    const bytes = inFlight.message(identification.find(request)?.key ?? request.raw.socket)
    reply.raw.once('close', () => bytes.release())
    messages.set(request, bytes)
    const limit = bodyLimitOf(request)
    let received = 0
    const receive = (count: number): boolean => {
      received += count
      if (received <= limit && bytes.receive(count)) return true
      if (received > limit) sendTooLarge(reply, limit)
      else sendError(reply.header('connection', 'close'), 503, tooMuchInFlight)
      return false
    }
    if (countBody(request, body, receive)) next()
  })
  return (request) => messages.get(request) as MessageBytes
}

/** `bodyLimit`: the largest that any caller may send. */
function errorHandler(bodyLimit: number, logger: Logger) {
  return (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
    if (error.statusCode === 413) return sendTooLarge(reply, bodyLimit)
    if (error.statusCode !== undefined && error.statusCode < 500)
      return sendError(reply, error.statusCode, new NetworkError('INVALID_REQUEST', { problem: error.message }))
    const id = randomUUID()
    logger.error({ err: error, id }, 'Failed unexpectedly')
    return sendError(reply, 500, new NetworkError('INTERNAL', { id }))
  }
}

type CallNeeds = Pick<Needs, 'dispatcher' | 'isImport'> & {
  /** That of a branch, which stays open until the request is answered. Throws `BRANCH_NOT_FOUND`. */
  dispatcherOf(branch: string, reply: FastifyReply): Promise<Dispatcher>
  identify: ReturnType<Identification['hook']>
  clientOf(request: FastifyRequest, reply: FastifyReply): Client
}

/** JSON-RPC of the network and of its branches. */
function serveCalls(
  server: FastifyInstance,
  options: HttpOptions,
  { dispatcher, dispatcherOf, identify, isImport, clientOf }: CallNeeds,
): void {
  async function answerWith({ answer: answerOf }: Dispatcher, request: FastifyRequest, reply: FastifyReply) {
    const body = typeof request.body === 'string' ? request.body : ''
    if (body.length > options.bodyLimit && !isImport(body)) return sendTooLarge(reply, options.bodyLimit)
    // Reading a large body took its time, and parsing it takes as long.
    if (body.length > unreadLimit) await yieldToEventLoop()
    const answer = await answerOf(body, clientOf(request, reply))
    // Disconnects a client that reads no part of an answer for this long.
    reply.raw.setTimeout(options.requestTimeout * 1000)
    return answer.text === undefined ? reply.code(204).send() : sendJson(reply, statusOf(answer), answer.text)
  }
  const asJson = { onRequest: [takeAsJson, identify] }
  for (const path of ['/', '/rpc/:key'])
    server.post(path, asJson, (request, reply) => answerWith(dispatcher, request, reply))
  for (const path of ['/n/:branch', '/n/:branch/', '/n/:branch/rpc/:key'])
    server.post<{ Params: { branch: string } }>(path, asJson, async (request, reply) => {
      const found = await dispatcherOf(request.params.branch, reply).catch((error) => {
        if (isNetworkError(error, 'BRANCH_NOT_FOUND')) return error
        throw error
      })
      if (found instanceof NetworkError) return sendError(reply, 404, found)
      return answerWith(found, request, reply)
    })
}

type InterfaceNeeds = Pick<Needs, 'accessControl' | 'dispatcher' | 'services' | 'servedBy' | 'logger'> &
  Pick<CallNeeds, 'dispatcherOf' | 'identify'> & {
    identification: Identification
    /** `limit`: of the bytes of answers, if it is not that of all. */
    clientOf(request: FastifyRequest, reply: FastifyReply, limit?: number): Client
  }

/** What is not JSON-RPC: the interfaces of explorers, of agents, and of Tenderly. */
function serveInterfaces(
  server: FastifyInstance,
  { bodyLimit, answerLimit, publicUrl, requestTimeout }: HttpOptions,
  { servedBy, clientOf, ...needs }: InterfaceNeeds,
): void {
  const { services, identification } = needs
  /** Of the network, if it is one of several: `/n/NAME`. */
  const path = () => (servedBy ? new URL(servedBy.url()).pathname : '')
  const verification = { services, identification, bodyLimit }
  serveEtherscan(server, verification)
  serveSourcify(server, { ...verification, chainId: () => services.info().chainId })
  serveMcp(server, {
    ...{ ...needs, bodyLimit, path },
    version: () => services.info().version,
    clientOf: (request, reply) => clientOf(request, reply, toolAnswersLimit),
  })
  serveTenderly(server, {
    ...{
      ...needs,
      bodyLimit,
      answerLimit,
      clientOf,
      unreadMs: requestTimeout * 1000,
      useNetwork: servedBy?.useNetwork,
    },
    baseUrl: ({ protocol, host }) =>
      publicUrl === undefined ? `${protocol}://${host}${path()}` : (servedBy?.url() ?? publicUrl),
  })
}

/** What ends requests that are being answered. */
class RunningRequests extends Set<AbortController> {
  end(reason: NetworkError): number {
    for (const gone of this) gone.abort(reason)
    return this.size
  }
}

/** Lets requests fail that still run, and waits a moment for their answers. Those that cannot be cancelled get one, too. */
async function endRequests(
  running: readonly { end(reason: NetworkError): number }[],
  endAll: Unfinished['endAll'],
  clock: Clock,
): Promise<void> {
  const pause = () => new Promise<void>((resolve) => clock.after(answerMs, resolve))
  const reason = new NetworkError('NETWORK_STOPPING', {})
  const ended = running.map((each) => each.end(reason))
  if (ended.some((count) => count > 0)) await pause()
  if (endAll(new NetworkError('STOPPED_DURING_CALL', {})) > 0) await pause()
}

/** Routes have no schemas. The compilers for them, which Fastify would load by itself, take time at every start. */
function noSchemas(): never {
  throw new Error('a route has a schema')
}

/**
 * Whether to close the connection instead of reading the rest of a body: a small body is read to keep the connection
 * open.
 */
function isLarge({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > unreadLimit
}

/** Aborted when the connection is closed before the answer was written. It is one of `running` until then. */
function whenGone(raw: ServerResponse, running: RunningRequests): AbortSignal {
  const gone = new AbortController()
  running.add(gone)
  // One listener per waiting request of a batch, so this is not a leak.
  setMaxListeners(0, gone.signal)
  const check = () => {
    running.delete(gone)
    if (!raw.writableFinished) gone.abort(clientGone())
  }
  if (raw.closed) check()
  else raw.once('close', check)
  return gone.signal
}
