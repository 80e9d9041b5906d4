import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Where a connection is cut. The server goes on with what it has been sent. */
export type Cut = 'before the commit is sent' | 'before the commit is answered'

/** A way to a PostgreSQL that can be cut at a chosen moment. */
export type CutProxy = {
  /** The same database by way of the proxy. */
  url: string
  /** Cuts the next connection that commits, once; others may come in then, or not before `open`. */
  cutNext(where: Cut, after?: 'and lets in' | 'and stays away'): void
  /** Lets nobody in, and lets go of those who are, until `open`. */
  close(): void
  open(): void
  stop(): Promise<void>
}

const commit = Buffer.from('commit\0')
const committed = Buffer.from('COMMIT\0')

export async function startCutProxy(url: string): Promise<CutProxy> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let next: Cut | undefined
  let staysAway = false
  let isClosed = false

  const server = createServer((client) => {
    if (isClosed) return client.destroy()
    const upstream = connect({ host: target.hostname, port: Number(target.port || 5432) })
    let awaitsAnswer = false
    const end = () => {
      client.destroy()
      upstream.end()
    }
    const cut = () => {
      next = undefined
      isClosed = staysAway
      end()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on('data', (data) => {
      const commits = next !== undefined && data.includes(commit)
      if (commits && next === 'before the commit is sent') return cut()
      if (commits) awaitsAnswer = true
      upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (awaitsAnswer && data.includes(committed)) return cut()
      client.write(data)
    })
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = new URL(url)
  own.hostname = '127.0.0.1'
  own.port = String((server.address() as AddressInfo).port)

  const close = () => {
    isClosed = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: own.href,
    cutNext(where, after = 'and lets in') {
      next = where
      staysAway = after === 'and stays away'
    },
    close,
    open() {
      isClosed = false
    },
    async stop() {
      close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
