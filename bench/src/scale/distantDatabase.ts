import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A database behind a slow connection. */
export type DistantDatabase = { url: string; stop(): Promise<void> }

/** A proxy that delays data to and from a database by half of `roundTripMs` each. */
export async function startDistantDatabase(url: string, roundTripMs: number): Promise<DistantDatabase> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect({ host: target.hostname, port: Number(target.port || 5432), noDelay: true })
    client.setNoDelay(true)
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => setTimeout(() => to.write(data), roundTripMs / 2))
      from.on('error', () => to.destroy()).on('close', () => setTimeout(() => to.end(), roundTripMs / 2))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const distant = new URL(url)
  distant.hostname = '127.0.0.1'
  distant.port = String((server.address() as AddressInfo).port)
  return {
    url: distant.href,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
