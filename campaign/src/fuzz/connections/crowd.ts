import { connect, type Socket } from 'node:net'

/** What each connection of a crowd does after it is opened. */
export type Crowd = { name: string; hello: string; drip?: string }

export const crowds = {
  silent: { name: 'that say nothing', hello: '' },
  idle: { name: 'idle over HTTP', hello: 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n' },
  webSockets: {
    name: 'of WebSocket',
    hello:
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nx-api-key: KEY\r\n\r\n',
  },
  slowHeaders: { name: 'with headers that never end', hello: 'POST / HTTP/1.1\r\nHost: localhost\r\nX-A: ', drip: 'x' },
  slowBodies: {
    name: 'with bodies that never end',
    hello: 'POST / HTTP/1.1\r\nHost: localhost\r\nx-api-key: KEY\r\nContent-Length: 100000\r\n\r\n',
    drip: ' ',
  },
} as const satisfies Record<string, Crowd>

export type Gathered = {
  sockets: Socket[]
  /** Those that were answered 200 or 101, and 503, first. */
  served: number
  refused: number
  close(): Promise<void>
}

/** How many connections are opened at a time. */
const atATime = 200

/** Opens connections, sends their data, and waits for their answers, if there should be any. */
export async function gather(port: number, { hello }: Crowd, count: number, key: string): Promise<Gathered> {
  const gathered: Gathered = { sockets: [], served: 0, refused: 0, close: () => closeAll(gathered.sockets) }
  for (let opened = 0; opened < count; opened += atATime)
    await Promise.all(
      Array.from({ length: Math.min(atATime, count - opened) }, () => join(port, hello.replace('KEY', key), gathered)),
    )
  return gathered
}

function join(port: number, hello: string, gathered: Gathered): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    gathered.sockets.push(socket)
    const isAnswered = hello.endsWith('\r\n\r\n') && !hello.startsWith('POST')
    socket.once('connect', () => {
      if (hello !== '') socket.write(hello)
      if (!isAnswered) resolve()
    })
    socket.on('data', (chunk) => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1]
      if (status === '200' || status === '101') gathered.served++
      if (status === '503') gathered.refused++
      resolve()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
}

/** Sends single bytes on each connection until the server has closed all. Returns how long that took, in milliseconds. */
export async function dripUntilClosed({ sockets }: Gathered, byte: string, timeoutMs: number): Promise<number> {
  const startedAt = performance.now()
  const open = () => sockets.filter((socket) => !socket.destroyed && !socket.readableEnded)
  while (open().length > 0) {
    const ms = performance.now() - startedAt
    if (ms > timeoutMs) throw new Error(`${open().length} slow connections are still open after ${Math.round(ms)} ms`)
    for (const socket of open()) socket.write(byte)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return performance.now() - startedAt
}

async function closeAll(sockets: readonly Socket[]): Promise<void> {
  await Promise.all(
    sockets.map((socket) =>
      socket.closed ? undefined : new Promise((resolve) => socket.once('close', resolve).destroy()),
    ),
  )
}
