import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * - `pass`: everything, at once.
 * - `trickle`: a few bytes at a time.
 * - `silent`: connections stay open and new ones are accepted, but no data passes.
 */
export type WireMode = 'pass' | 'trickle' | 'silent'

/** A TCP connection in between, below HTTP. */
export type Wire = {
  readonly port: number
  mode: WireMode
  /** Resets every connection. */
  cut(): void
  stop(): Promise<void>
}

const trickleBytes = 20
const trickleMs = 50

/** Passes HTTP on to one port and WebSockets to another. */
export async function startWire(httpPort: number, webSocketPort: number): Promise<Wire> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  const server = createServer((near) => {
    keep(near)
    near.once('data', (first) => {
      if (wire.mode === 'silent') return
      const far = connect(/^upgrade: websocket/im.test(String(first)) ? webSocketPort : httpPort, '127.0.0.1')
      keep(far)
      far.write(first)
      near.on('data', (chunk) => wire.mode === 'silent' || far.write(chunk))
      passOn(far, near)
      near.once('close', () => far.destroy())
      far.once('close', () => near.destroy())
    })
  })

  /** Answers pass according to the current mode. */
  function passOn(far: Socket, near: Socket): void {
    const waiting: Buffer[] = []
    let timer: NodeJS.Timeout | undefined
    const trickle = () => {
      const all = Buffer.concat(waiting.splice(0))
      const size = wire.mode === 'trickle' ? trickleBytes : all.length
      if (all.length > 0 && wire.mode !== 'silent') near.write(all.subarray(0, size))
      if (all.length > size) waiting.push(all.subarray(size))
      timer = waiting.length > 0 ? setTimeout(trickle, trickleMs) : undefined
    }
    far.on('data', (chunk) => {
      if (wire.mode === 'silent') return
      if (wire.mode === 'pass' && !timer) return void near.write(chunk)
      waiting.push(chunk)
      timer ??= setTimeout(trickle, trickleMs)
    })
    far.once('close', () => clearTimeout(timer))
  }

  const wire: Wire = {
    port: 0,
    mode: 'pass',
    cut() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        wire.cut()
      }),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(wire, { port: (server.address() as AddressInfo).port })
}
