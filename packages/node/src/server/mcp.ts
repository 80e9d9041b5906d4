import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from '../rpc/caller.ts'
import type { Dispatcher } from '../rpc/dispatch/dispatch.ts'
import { invalid } from '../rpc/dispatch/envelope.ts'
import { type ErrorKind, isNetworkError, NetworkError } from '../shared/errors.ts'
import { isNestedDeeper, nestingLimit, requireFewValues, requireFewValuesIn } from '../shared/json/valueLimit.ts'
import type { Logger } from '../shared/logger.ts'
import { yieldToEventLoop } from '../shared/yieldToEventLoop.ts'
import type { Identification } from './identification.ts'
import { sendError, takeAsJson } from './replies.ts'

type Needs = {
  dispatcher: Dispatcher
  /** That of a branch, until the request is answered. Throws `BRANCH_NOT_FOUND`. */
  dispatcherOf(branch: string, reply: FastifyReply): Promise<Dispatcher>
  identification: Identification
  /** A route hook that identifies the sender. */
  identify: ReturnType<Identification['hook']>
  /** The sender of a request, for methods that are called for it. */
  clientOf(request: FastifyRequest, reply: FastifyReply): Client
  bodyLimit: number
  version: () => string
  /** The path of the network, if it is one of several: `/n/NAME`. */
  path: () => string
  logger: Logger
}

/** The largest message, in bytes, if other requests may be larger: agents write less. */
const messageLimit = 1_000_000

const paths = ['', '/n/:branch'].flatMap((network) => [`${network}/mcp`, `${network}/rpc/:key/mcp`])

const statuses: Partial<Record<ErrorKind, number>> = { RATE_LIMITED: 429, BRANCH_NOT_FOUND: 404 }

/**
 * The Model Context Protocol at `POST /mcp`, and `/n/NAME/mcp` for a branch (streamable HTTP without sessions): tools for agents, which call methods
 * through the dispatcher. https://modelcontextprotocol.io/specification
 */
export function serveMcp(
  server: FastifyInstance,
  { dispatcher, dispatcherOf, identification, identify, clientOf, bodyLimit, version, path, logger }: Needs,
): void {
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    identification.requireRole(request, 'read')
    // Of many large ones, one is read in each turn of the loop.
    await yieldToEventLoop()
    const message = messageFrom(request.body)
    // Most networks are never asked, and the protocol takes time to load.
    const { createToolHandler, createToolNetwork } = await import('../mcp/mcpHandler.ts')
    const url = `${request.protocol}://${request.host}${path()}`
    const { branch: served } = request.params as { branch?: string }
    if (served !== undefined) await dispatcherOf(served, reply)
    const client = clientOf(request, reply)
    const networkOf = async (branch = served) =>
      branch === undefined
        ? createToolNetwork(dispatcher, client, url)
        : createToolNetwork(await dispatcherOf(branch, reply), client, `${url}/n/${encodeURIComponent(branch)}`)
    const handler = createToolHandler(networkOf, { version: version(), logger, createId: randomUUID })
    const asked = new Request('http://localhost/mcp', { method: 'POST', headers: headersOf(request) })
    const answered = await handler.fetch(asked, { parsedBody: message })
    return reply
      .code(answered.status)
      .headers(Object.fromEntries(answered.headers))
      .send(await answered.text())
  }

  for (const url of paths) {
    server.post(
      url,
      { bodyLimit: Math.min(bodyLimit, messageLimit), onRequest: [takeAsJson, identify] },
      (request, reply) =>
        answer(request, reply).catch((error) => {
          if (!isNetworkError(error)) throw error
          return sendError(reply, statuses[error.kind] ?? 400, error)
        }),
    )
    // Streams and sessions, which clients of earlier revisions look for.
    server.route({
      method: ['GET', 'DELETE'],
      url,
      onRequest: identify,
      handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
    })
  }
}

/** A message of the protocol; its content is checked by the protocol. */
function messageFrom(body: unknown): object {
  let message: unknown
  const text = String(body)
  requireFewValuesIn(text, 'a message to a tool')
  try {
    message = JSON.parse(text)
  } catch {
    throw new NetworkError('PARSE_ERROR', {})
  }
  if (Array.isArray(message)) throw invalid('expected one message, got an array. Send each by itself')
  if (typeof message !== 'object' || message === null) throw invalid('expected an object with jsonrpc, id and method')
  requireFewValues(message, 'a message to a tool')
  if (isNestedDeeper(message)) throw invalid(`arrays and objects are nested more than ${nestingLimit} deep`)
  return message
}

/** Only those that the protocol has, so that no key goes further. */
function headersOf({ headers }: FastifyRequest): Headers {
  const names = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']
  return new Headers(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])))
}
