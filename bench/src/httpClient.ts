import { connect, type Socket } from 'node:net'

/** One open connection with one request at a time: a minimal client, so that the server is measured. */
export type HttpClient = {
  /** Posts a body and returns that of the response, as bytes: to decode a large one takes longer than to answer it. */
  post(body: string): Promise<Buffer>
  close(): void
}

export async function openHttpClient(url: string): Promise<HttpClient> {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const head = `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\ncontent-length: `
  const responses = readResponses(socket)
  return {
    post(body) {
      const response = responses.next()
      socket.write(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`)
      return response
    },
    close: () => socket.destroy(),
  }
}

/** Reads responses with a content-length, one after the other. */
function readResponses(socket: Socket) {
  let head: Buffer = Buffer.alloc(0)
  let body: Buffer | undefined
  let count = 0
  let waiting: { resolve(body: Buffer): void; reject(error: Error): void } | undefined
  socket.on('data', (chunk: Buffer) => {
    let part = chunk
    if (body === undefined) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /\r\ncontent-length: *(\d+)/i.exec(head.toString('latin1', 0, end + 2))?.[1]
      body = Buffer.allocUnsafe(Number(length ?? 0))
      part = head.subarray(end + 4)
    }
    count += part.copy(body, count)
    if (count < body.length) return
    const whole = body
    head = Buffer.alloc(0)
    body = undefined
    count = 0
    waiting?.resolve(whole)
  })
  const fail = () => waiting?.reject(new Error('The connection ended'))
  socket.on('close', fail).on('error', fail)
  return {
    next: () =>
      new Promise<Buffer>((resolve, reject) => {
        waiting = { resolve, reject }
      }),
  }
}
