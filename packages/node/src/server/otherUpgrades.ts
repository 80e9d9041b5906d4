import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Headers with which a client offers another protocol. */
const offers = new Set(['upgrade', 'connection', 'http2-settings'])

/**
 * Whether a request asks for a WebSocket. Node.js 24 and later call this as a property of the server, and then serve
 * offers of other protocols themselves.
 */
export function isWebSocketUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Serves a request that offers a protocol other than WebSocket as if it did not. Java's HTTP client offers HTTP/2 with
 * every request, and older Node.js versions treat each of them as an upgrade with an unread body.
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
