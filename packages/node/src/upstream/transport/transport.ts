import { gunzip } from 'node:zlib'
import { Agent } from 'undici'

export type HttpAnswer = {
  status: number
  text: string
  /** The header of that name, as it came. */
  retryAfter: string | undefined
  /** Bytes as they were sent. */
  bytes: number
}

/** Sends JSON over HTTP or HTTPS, on connections that are kept. */
export type Transport = {
  /** Rejects when there is no whole answer; the message names no URL. */
  post(url: URL, body: string, signal: AbortSignal): Promise<HttpAnswer>
  close(): Promise<void>
}

type TransportOptions = { headers: Readonly<Record<string, string>>; connections: number }

/** Makes a transport with at most so many connections to each host. */
export function createTransport({ headers, connections }: TransportOptions): Transport {
  const agent = new Agent({ connections, keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 })
  return {
    async post(url, body, signal) {
      const response = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip', ...authorization(url), ...headers },
        body,
        signal,
      })
      const raw = Buffer.from(await response.body.arrayBuffer())
      const text = response.headers['content-encoding'] === 'gzip' ? await unzip(raw) : raw.toString()
      const retryAfter = response.headers['retry-after']?.toString()
      return { status: response.statusCode, text, retryAfter, bytes: raw.length }
    },
    close: () => agent.destroy(),
  }
}

/** The header for the user and the password that a URL holds. */
export function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function unzip(raw: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    gunzip(raw, (error, data) => (error ? reject(error) : resolve(data.toString())))
  })
}

/** What went wrong with a connection, in words that hold no URL. */
export function connectionProblem(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  switch (code) {
    case 'ECONNREFUSED':
      return 'refused the connection'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'has a host name that was not found'
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'closed the connection before it answered'
    default:
      return `could not be reached (${code ?? message ?? 'unknown'})`
  }
}
