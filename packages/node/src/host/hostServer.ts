import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Config } from '../config/config.ts'
import { createDispatcher, type Dispatcher } from '../rpc/dispatch/dispatch.ts'
import { type AnsweredCall, inOnePiece } from '../rpc/dispatch/envelope.ts'
import { encodeError } from '../rpc/encode/error.ts'
import { createNetwork } from '../rpc/methods/dev/createNetwork.ts'
import { getNetworks } from '../rpc/methods/dev/getNetworks.ts'
import { getRole } from '../rpc/methods/dev/getRole.ts'
import { removeNetwork } from '../rpc/methods/dev/removeNetwork.ts'
import type { Services } from '../rpc/services.ts'
import type { Access } from '../server/access.ts'
import { createAccessControl } from '../server/accessControl.ts'
import { allowCrossOrigin } from '../server/crossOrigin.ts'
import { isPage, serveDashboard } from '../server/dashboard.ts'
import { isForDocumentation, serveDocumentation } from '../server/documentation.ts'
import { createIdentification, type Identification } from '../server/identification.ts'
import type { InFlight } from '../server/inFlight.ts'
import { listen, urlOf } from '../server/limits/connectionLimit.ts'
import { createHostMetrics } from '../server/monitoring/metrics.ts'
import { isWebSocketUpgrade, serveWithoutUpgrade } from '../server/otherUpgrades.ts'
import { refuse } from '../server/refusal.ts'
import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import { requireFewValuesIn } from '../shared/json/valueLimit.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { AwakeNetworks } from './awakeNetworks.ts'
import type { HostNetworks } from './networks.ts'
import { createRouter } from './router.ts'

type Needs = {
  networks: HostNetworks
  awake: AwakeNetworks
  access: Access
  inFlight: InFlight
  version: string
  /** Sees each call of the root once it is answered; must not throw. */
  onAnswered: ((call: AnsweredCall) => void) | undefined
  clock: Clock
  logger: Logger
}

export type HostServer = Service & { url(): string }

/** The largest body of a call that is about networks, in bytes. */
const bodyLimit = 1_000_000
const headersTimeoutMs = 20_000
/** The script learns from its own address which network it is of, and has the key for it. */
const walletScript = /^\/wallet\.js(?:\?|$)/
/** The dashboard's list of networks, at the path of the list itself. */
const listPage = /^\/networks(?:\?|$)/
/** How long running requests may take when the server stops. */
const graceMs = 1_000

/** The one server of several networks: passes on what is at `/n/NAME`, and serves the list of networks at the root. */
export function createHostServer(
  config: Config,
  { networks, awake, access, inFlight, version, onAnswered, clock, logger }: Needs,
): HostServer {
  const accessControl = createAccessControl(config, { access })
  const router = createRouter({ networks, awake, accessControl, logger })
  const requestTimeout = config.requestTimeout * 1000
  const limits = {
    requestTimeout,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeout),
    connectionsCheckingInterval: Math.min(5000, requestTimeout / 2),
    shouldUpgradeCallback: isWebSocketUpgrade,
  }
  const root = fastify({
    bodyLimit,
    forceCloseConnections: 'idle',
    frameworkErrors: (_error, _request, reply) => void sendProblem(reply, 400, 'the URL is not valid'),
    serverFactory: (handler) =>
      createServer(limits, (request, response) => {
        const target = router.targetOf(request)
        if (target && isForDocumentation(request.method, target.path))
          return handler(Object.assign(request, { url: target.path }), response)
        // The page asks for its data itself, with a key, so it needs no network.
        if (isPage(request) && (target || listPage.test(request.url ?? '')))
          return handler(Object.assign(request, { url: '/index.html' }), response)
        if (!target) return handler(request, response)
        if (walletScript.test(target.path)) return handler(Object.assign(request, { url: '/wallet.js' }), response)
        void router.pass(target, request, response)
      }),
  })
  const server: Server = root.server
  const dispatcher = createDispatcher([createNetwork, getNetworks, removeNetwork, getRole], servicesOf(networks), {
    ...config,
    logger,
    createId: randomUUID,
    onAnswered(call) {
      access.count(call.caller.key, call.error !== undefined)
      onAnswered?.(call)
    },
  })
  const identification = createIdentification(accessControl)
  const dashboard = serveDashboard(root)
  serveDocumentation(root)

  root.removeAllContentTypeParsers()
  root.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  root.addHook('onRequest', async (request, reply) => {
    const refusal = accessControl.check(request)
    if (refusal) return send(reply, refusal.status, errorText(refusal.error))
  })
  allowCrossOrigin(root)

  serveCalls(root, { dispatcher, identification, inFlight })
  root.get('/health', (_request, reply) =>
    send(reply, 200, JSON.stringify({ status: 'ready', version, networks: awake.counts() })),
  )
  const metrics = createHostMetrics(() => awake.counts())
  root.get('/metrics', { onRequest: identifyWith(identification) }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  )
  root.get('/', (request, reply) =>
    dashboard.wants(request)
      ? reply.redirect('/networks')
      : reply
          .type('text/plain; charset=utf-8')
          .send(`Understudy ${version}: networks at /n/NAME, their list at GET /networks, health at GET /health\n`),
  )
  root.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, 404, 'nothing is at this address; networks are at /n/NAME, their list at /networks'),
  )
  root.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) => {
    if (error.statusCode !== undefined && error.statusCode < 500)
      return sendProblem(reply, error.statusCode, error.message)
    const id = randomUUID()
    logger.error({ err: error, id }, 'Failed unexpectedly')
    return send(reply, 500, errorText(new NetworkError('INTERNAL', { id })))
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isWebSocketUpgrade(request)) return serveWithoutUpgrade(server, request, socket, head)
    const target = router.targetOf(request)
    if (target) return void router.passUpgrade(target, request, socket, head)
    const problem = 'WebSocket is served at /n/NAME; the root has the list of networks, over HTTP'
    return refuse(socket, 404, encodeError(new NetworkError('INVALID_REQUEST', { problem })))
  })

  return {
    start: () => listen(root, config),
    async stop() {
      const cut = clock.after(graceMs, () => server.closeAllConnections())
      await root.close()
      cut.cancel()
    },
    url: () => urlOf(root, config.host),
  }
}

type CallNeeds = { dispatcher: Dispatcher; identification: Identification; inFlight: InFlight }

/** Calls that are about networks: as JSON-RPC, and as `/networks`. */
function serveCalls(root: FastifyInstance, { dispatcher, identification, inFlight }: CallNeeds): void {
  async function answer(request: FastifyRequest, body: string) {
    const identity = identification.identityOf(request)
    const bytes = inFlight.message(identity.key ?? request.raw.socket)
    try {
      const connection = request.raw.socket
      const { text } = await dispatcher.answer(body, { ...identity, subscriber: undefined, connection, bytes })
      return text === undefined ? undefined : String(inOnePiece(text))
    } finally {
      bytes.release()
    }
  }

  /** Answers a call as HTTP does: with its result, or with its error and a status. */
  async function answerAsHttp(
    request: FastifyRequest,
    reply: FastifyReply,
    method: string,
    params: unknown[],
    status = 200,
  ) {
    const text = await answer(request, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const { result, error } = JSON.parse(text ?? '{}')
    return error ? send(reply, statusOf(error), JSON.stringify({ error })) : send(reply, status, JSON.stringify(result))
  }

  const options = { onRequest: identifyWith(identification) }
  for (const path of ['/', '/rpc/:key'])
    root.post(path, options, async (request, reply) => {
      const text = await answer(request, String(request.body ?? ''))
      return text === undefined ? reply.code(204).send() : send(reply, 200, text)
    })
  root.get('/networks', options, (request, reply) => answerAsHttp(request, reply, 'dev_getNetworks', []))
  root.post('/networks', options, (request, reply) => {
    const wanted = parse(request.body)
    if (wanted === undefined) return sendProblem(reply, 400, 'the body is not valid JSON')
    return answerAsHttp(request, reply, 'dev_createNetwork', [wanted], 201)
  })
  root.delete<{ Params: { name: string } }>('/networks/:name', options, (request, reply) =>
    answerAsHttp(request, reply, 'dev_removeNetwork', [request.params.name]),
  )
}

const identifyWith = (identification: Identification) =>
  identification.hook((reply, { status, error }) => send(reply, status, errorText(error)))

/** All that the methods of the root use. */
const servicesOf = (networks: HostNetworks) => ({ networks }) as unknown as Services

function parse(body: unknown): unknown {
  const text = String(body)
  try {
    requireFewValuesIn(text, 'a request')
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const errorText = (error: NetworkError) => `{"jsonrpc":"2.0","id":null,"error":${encodeError(error)}}`

const sendProblem = (reply: FastifyReply, status: number, problem: string) =>
  send(reply, status, errorText(new NetworkError('INVALID_REQUEST', { problem })))

const send = (reply: FastifyReply, status: number, text: string) =>
  reply.code(status).header('content-type', 'application/json').send(text)

/** The status of an answer to `/networks`, by the code of the error. */
function statusOf({ code, data }: { code: number; data?: { kind?: string } }): number {
  if (data?.kind === 'UNAUTHORIZED') return 403
  return { [-32001]: 404, [-32004]: 409, [-32005]: 429, [-32002]: 503, [-32603]: 500 }[code] ?? 400
}
