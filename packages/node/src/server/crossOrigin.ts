import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { NetworkError } from '../shared/errors.ts'
import { isLoopback, nameFromHostHeader } from '../shared/hostName.ts'

/** A request as far as it says which page sent it. */
type Sender = { method?: string | undefined; headers: IncomingHttpHeaders }

/** Browser extensions are programs that the user installed. */
const extension = /^(chrome|moz|safari-web)-extension:\/\//

/**
 * Says what is wrong with the page that sent a request. Pages of this machine may ask, pages that this server itself served, those
 * that were named, and programs, which send no origin. Extensions may where the browser lets them: then their requests are not cross-site.
 */
export function createOriginCheck(allowedOrigins: readonly string[]): (request: Sender) => NetworkError | undefined {
  const allowed = new Set(allowedOrigins)

  function mayAsk({ method, headers }: Sender): boolean {
    if (allowed.has('*')) return true
    const isCrossSite = headers['sec-fetch-site'] === 'cross-site'
    // A request without an origin that a page caused: an image, a script, a form. Following a link to the dashboard is harmless.
    if (headers.origin === undefined) return !isCrossSite || isFollowedLink({ method, headers })
    const origin = headers.origin.toLowerCase()
    if (allowed.has(origin)) return true
    if (extension.test(origin)) return !isCrossSite
    const host = /^https?:\/\/([^/@]+)$/.exec(origin)?.[1]
    return host !== undefined && (host === headers.host?.toLowerCase() || isLoopback(nameFromHostHeader(host)))
  }

  return (request) => {
    if (mayAsk(request)) return undefined
    const { origin } = request.headers
    const page = origin === undefined ? 'other sites' : JSON.stringify(origin.slice(0, 100))
    const problem = `pages of ${page} may not use this network. Start with --allowed-origin ORIGIN to allow them`
    return new NetworkError('UNAUTHORIZED', { problem })
  }
}

/** Whether a person opens an address in a tab: the page that has the link sees nothing of the answer. */
function isFollowedLink({ method, headers }: Sender): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
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
