import type { FastifyReply, FastifyRequest } from 'fastify'
import { inOnePiece, type MessageAnswer } from '../rpc/dispatch/envelope.ts'
import { encodeError } from '../rpc/encode/error.ts'
import { NetworkError } from '../shared/errors.ts'

/** The configuration of a route. */
export type RouteConfig = {
  /** The JSON of an error of the route, found before its handler ran; JSON-RPC's by default. */
  problemText?: (error: NetworkError, status: number) => string
}

export function sendJson(reply: FastifyReply, status: number, text: NonNullable<MessageAnswer['text']>): FastifyReply {
  return reply.code(status).header('content-type', 'application/json').send(inOnePiece(text))
}

export function sendTooLarge(reply: FastifyReply, limit: number): FastifyReply {
  return sendError(reply, 413, new NetworkError('LIMIT_EXCEEDED', { what: 'the body in bytes', limit }))
}

/** Sends an error in the form of the route. */
export function sendError(reply: FastifyReply, status: number, error: NetworkError): FastifyReply {
  const { problemText = jsonRpcText } = reply.request.routeOptions.config as RouteConfig
  return sendJson(reply, status, problemText(error, status))
}

const jsonRpcText = (error: NetworkError) => `{"jsonrpc":"2.0","id":null,"error":${encodeError(error)}}`

/** Accept any content type as JSON: simple clients send none, and browsers send text/plain to avoid a preflight. */
export function takeAsJson(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.headers['content-type'] = 'application/json'
  done()
}

/** JSON-RPC answers have status 200, except for statuses that proxies and clients act on. */
export function statusOf({ error }: MessageAnswer): number {
  if (error === 'UNAUTHORIZED') return 403
  return error !== undefined && spentErrors.has(error) ? 429 : 200
}

/** Errors that go away when the client waits. */
const spentErrors: ReadonlySet<string> = new Set([
  'RATE_LIMITED',
  'KEY_COMPUTE_QUOTA_EXCEEDED',
  'KEY_FETCH_QUOTA_EXCEEDED',
])
