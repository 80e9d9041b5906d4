import type { FastifyInstance } from 'fastify'

/**
 * Lets pages of any origin read the answers (CORS), as dapps under development on other ports need it.
 * No cookies are involved. Other host names than this machine's are refused elsewhere, against DNS rebinding.
 */
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
