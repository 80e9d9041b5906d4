import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { encodeError } from '../rpc/encode/error.ts'
import { NetworkError } from '../shared/errors.ts'
import { refuse } from './refusal.ts'

/** Refuses connections beyond a number, whatever they are for. */
export function limitConnections(server: Server, limit: number): void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    // One that is served after it had offered another protocol comes twice.
    if (open.has(socket)) return
    if (open.size < limit) {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      return
    }
    socket.on('error', () => {})
    refuse(socket, 503, encodeError(new NetworkError('LIMIT_EXCEEDED', { what: 'connections', limit })))
    socket.destroySoon()
  })
}
