import type { FastifyInstance } from 'fastify'
import { encodeError } from '../rpc/encode/error.ts'
import { NetworkError } from '../shared/errors.ts'
import { isLoopback, nameFromHostHeader } from '../shared/hostName.ts'

/**
 * Refuses requests that name a host which is not this machine, when only this machine can reach the server.
 * A web page can make its own name resolve to 127.0.0.1 and would then be of the same origin (DNS rebinding).
 */
export function refuseForeignHosts(
  server: FastifyInstance,
  { host, allowedHosts }: { host: string; allowedHosts: readonly string[] },
): void {
  if (!isLoopback(host)) return
  const allowed = new Set(allowedHosts.map(nameFromHostHeader))
  server.addHook('onRequest', async (request, reply) => {
    const header = request.headers.host
    if (header === undefined) return
    const name = nameFromHostHeader(header)
    if (isLoopback(name) || allowed.has(name)) return
    const problem = `the host name ${JSON.stringify(name.slice(0, 100))} is not this machine's. Start with --allowed-host to allow it`
    const error = encodeError(new NetworkError('UNAUTHORIZED', { problem }))
    return reply
      .code(403)
      .header('content-type', 'application/json')
      .send(`{"jsonrpc":"2.0","id":null,"error":${error}}`)
  })
}
