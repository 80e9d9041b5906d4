import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { encodeError } from '../rpc/encode/error.ts'
import { Shares } from '../shared/budget/shares.ts'
import { NetworkError } from '../shared/errors.ts'
import { holderOfAddress, thisMachine } from './addresses.ts'
import { refuse } from './refusal.ts'

/**
 * Refuses connections beyond a limit, whatever they are for. An address may have as many as it leaves free; this
 * machine may have all.
 */
export function limitConnections(server: Server, limit: number): void {
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
