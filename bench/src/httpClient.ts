import { connect, type Socket } from 'node:net'

/** One open connection with one request at a time: a minimal client, so that the server is measured. */
export type HttpClient = {
  /** Posts a body and returns that of the response. */
  post(body: string): Promise<string>
  close(): void
}

export async function openHttpClient(url: string): Promise<HttpClient> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const head = `POST / HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\ncontent-length: `
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
  let received: Buffer[] = []
  let count = 0
  let whole: number | undefined
  let waiting: { resolve(body: string): void; reject(error: Error): void } | undefined
  let bodyAt = 0
  socket.on('data', (chunk: Buffer) => {
    received.push(chunk)
    count += chunk.length
    if (whole === undefined) {
      if (received.length > 1) received = [Buffer.concat(received)]
      const text = (received[0] as Buffer).toString('latin1', 0, 2048)
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end + 2))?.[1]
      bodyAt = end + 4
      whole = bodyAt + Number(length ?? 0)
    }
    if (count < whole) return
    const body = (received.length === 1 ? (received[0] as Buffer) : Buffer.concat(received)).toString(
      'utf8',
      bodyAt,
      whole,
    )
    received = []
    count = 0
    whole = undefined
    waiting?.resolve(body)
  })
  const fail = () => waiting?.reject(new Error('The connection ended'))
  socket.on('close', fail).on('error', fail)
  return {
    next: () =>
      new Promise<string>((resolve, reject) => {
        waiting = { resolve, reject }
      }),
  }
}
