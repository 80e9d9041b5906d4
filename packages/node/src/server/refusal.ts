import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** Sends an error over a connection that is not served, and closes it. `error` is JSON. */
export function refuse(socket: Duplex, status: number, error: string): void {
  const body = `{"jsonrpc":"2.0","id":null,"error":${error}}`
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
}
