import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Headers by which a client offers to go on in another protocol. */
const offers = new Set(['upgrade', 'connection', 'http2-settings'])

/** Whether a request asks for a WebSocket. Node.js 24 and later ask this, as a property of the server, and serve what offers another protocol. */
export function isWebSocketUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Serves a request that offers another protocol than WebSocket as if it had not: Java's HTTP client offers HTTP/2 with every
 * request, and older versions hand each of them over as an upgrade, its body unread.
 */
export function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/1.1`]
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? ''
    if (!offers.has(name.toLowerCase())) lines.push(`${name}: ${request.rawHeaders[index + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}
