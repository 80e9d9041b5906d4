import type { FastifyInstance } from 'fastify'
import { NetworkError } from '../shared/errors.ts'

/**
 * Says what is wrong with the origin of a web page: by default nothing, as dapps under development run on other ports.
 * Requests that come from no page have none; a page that this server itself served is of its own origin.
 */
export function createOriginCheck(
  allowedOrigins: readonly string[],
): (headers: { origin?: string | undefined; host?: string | undefined }) => NetworkError | undefined {
  const allowed = new Set(allowedOrigins)
  return ({ origin, host }) => {
    if (origin === undefined || allowed.has('*') || allowed.has(origin.toLowerCase())) return undefined
    if (host !== undefined && /^https?:\/\//.test(origin) && origin.replace(/^https?:\/\//, '') === host)
      return undefined
    const problem = `pages of ${JSON.stringify(origin.slice(0, 100))} may not use this network. Start with --allowed-origin to allow them`
    return new NetworkError('UNAUTHORIZED', { problem })
  }
}

/** Lets pages of other origins read the answers (CORS). No cookies are involved. */
export function allowCrossOrigin(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    if (origin === undefined) return
    reply.header('access-control-allow-origin', origin).header('vary', 'Origin')
    if (request.method !== 'OPTIONS') return
    reply
      .header('access-control-allow-methods', 'GET, POST, OPTIONS')
      .header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? 'content-type')
      .header('access-control-max-age', '86400')
    // Chrome asks before a page of the internet may reach this machine.
    if (request.headers['access-control-request-private-network'] === 'true')
      reply.header('access-control-allow-private-network', 'true')
    return reply.code(204).send()
  })
}
