import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { encodeError } from '../../rpc/encode/error.ts'
import { Shares } from '../../shared/budget/shares.ts'
import { NetworkError } from '../../shared/errors.ts'
import { hostInUrl } from '../../shared/urls.ts'
import { refuse } from '../refusal.ts'
import { holderOfAddress, thisMachine } from './addresses.ts'

/**
 * Refuses connections beyond a limit, whatever they are for. An address may have as many as it leaves free; this
 * machine may have all.
 */
function limitConnections(server: Server, limit: number): void {
  const shares = new Shares(limit, { exempt: thisMachine })
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    // A connection that is served after an offer of another protocol is reported twice.
    if (open.has(socket)) return
    const holder = holderOfAddress(socket.remoteAddress)
    if (shares.take(holder, 1)) {
      open.add(socket)
      socket.once('close', () => {
        open.delete(socket)
        shares.give(holder, 1)
      })
      return
    }
    socket.on('error', () => {})
    const what = 'connections; an address may have as many as it leaves free (--connection-limit)'
    refuse(socket, 503, encodeError(new NetworkError('LIMIT_EXCEEDED', { what, limit })))
    socket.destroySoon()
  })
}

/** Listens, with a limit of connections. Throws `CANNOT_LISTEN`. */
export async function listen(
  fastify: FastifyInstance,
  { host, port, connectionLimit }: { host: string; port: number; connectionLimit: number },
): Promise<void> {
  limitConnections(fastify.server, connectionLimit)
  try {
    await fastify.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port })
  } catch (cause) {
    throw new NetworkError('CANNOT_LISTEN', { host, port, problem: listenProblem(cause) }, { cause })
  }
}

/** The URL of a server that listens. */
export function urlOf({ server }: FastifyInstance, host: string): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen')
  return `http://${hostInUrl(host)}:${address.port}`
}

function listenProblem(cause: unknown): string {
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return 'the port is in use. Stop the program that uses it, or choose another with --port'
    case 'EACCES':
      return 'the port needs more privileges. Choose one above 1023 with --port'
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'this machine does not have this address. Choose another with --host'
    default:
      return cause instanceof Error ? cause.message : String(cause)
  }
}
