import { connect } from 'node:net'
import type { Target } from '../target.ts'

const contract = '1337/0x00000000000000000000000000000000000000aa'
const unknown = 'unknown-key-0000'

/** Every path that might read a body, and its status without a key. */
const routes: readonly (readonly [path: string, status: number])[] = [
  ['/', 401],
  [`/rpc/${unknown}`, 401],
  ['/api', 401],
  ['/api/', 401],
  [`/api?apikey=${unknown}`, 401],
  [`/rpc/${unknown}/api`, 401],
  [`/sourcify/v2/verify/${contract}`, 401],
  [`/rpc/${unknown}/sourcify/v2/verify/${contract}`, 401],
  ['/internal/calls', 404],
  ['/metrics', 404],
  ['/health', 404],
  ['/nowhere', 404],
  ['/assets/nothing.js', 404],
]
const lengths = [
  'Content-Length: 50000000',
  'Transfer-Encoding: chunked',
  'Content-Length: 50000000\r\nExpect: 100-continue',
]
const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']

/** Maximum time of an answer that needs no body, in milliseconds. */
const timeoutMs = 2_000

/** Announces a large body on every path, without a key, and does not send it: the answer must come at once. Returns how many were tried. */
export async function tryBodies({ port }: Target): Promise<number> {
  let tried = 0
  for (const [path, status] of routes)
    for (const length of lengths)
      for (const type of types) {
        const answer = await announce(
          port,
          `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${length}`,
        )
        const last = answer.replace('HTTP/1.1 100 Continue\r\n\r\n', '')
        if (!last.startsWith(`HTTP/1.1 ${status} `))
          throw new Error(
            `A body of ${type} for ${path} (${length}) was answered ${JSON.stringify(answer.slice(0, 200))}`,
          )
        tried++
      }
  return tried
}

/** Sends headers. Resolves with what came until the connection was closed. */
function announce(port: number, headers: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1')
    socket.setTimeout(timeoutMs, () => {
      socket.destroy()
      reject(new Error(`Nothing came for ${timeoutMs} ms after ${headers}, but ${JSON.stringify(answer)}`))
    })
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    socket.write(`${headers}\r\n\r\n`)
  })
}
