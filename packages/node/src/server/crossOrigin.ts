import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { NetworkError } from '../shared/errors.ts'
import { isLoopback, nameFromHostHeader } from '../shared/urls.ts'

/** The parts of a request that identify the page that sent it. */
type Sender = { method?: string | undefined; headers: IncomingHttpHeaders }

/** The user installed browser extensions, so they are trusted like programs. */
const extension = /^(chrome|moz|safari-web)-extension:\/\//

/**
 * Checks the page that sent a request. Allowed are pages of this machine, pages that this server served, configured
 * origins, and programs, which send no origin. Extensions are allowed if the browser lets them: their requests are then
 * not cross-site.
 */
export function createOriginCheck(allowedOrigins: readonly string[]): (request: Sender) => NetworkError | undefined {
  const allowed = new Set(allowedOrigins)

  function mayAsk({ method, headers }: Sender): boolean {
    if (allowed.has('*')) return true
    const isCrossSite = headers['sec-fetch-site'] === 'cross-site'
    // A request without an origin that a page caused: an image, a script, a form. Links to the dashboard are harmless.
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

/** Whether a person opens an address in a tab: the linking page cannot see the answer. */
function isFollowedLink({ method, headers }: Sender): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/** Headers that allow the page of a request to read the answer (CORS), without cookies. */
export function crossOriginHeaders({ method, headers }: Sender): Record<string, string> {
  if (headers.origin === undefined) return {}
  const allowed = { 'access-control-allow-origin': headers.origin, vary: 'Origin' }
  if (method !== 'OPTIONS') return allowed
  return {
    ...allowed,
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? 'content-type',
    'access-control-max-age': '86400',
    // Chrome sends a preflight before a public page may reach this machine.
    ...(headers['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  }
}

/** Allows pages of other origins to read the answers, and answers their preflights. */
export function allowCrossOrigin(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(crossOriginHeaders(request))
    if (isPreflight(request)) return reply.code(204).send()
  })
}

export const isPreflight = ({ method, headers }: Sender): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined
