import { gunzip } from 'node:zlib'
import { Agent, type Dispatcher } from 'undici'
import { OversizedJsonError, requireBoundedJson } from '../../shared/json/boundedJson.ts'
import { NoJsonMessageError } from '../../shared/json/jsonMessages.ts'
import { isLocalSocket } from '../endpoint/secrets.ts'
import { askLocalSocket } from './localSocket.ts'

export type HttpAnswer = {
  status: number
  text: string
  /** The value of a response header. */
  retryAfter: string | undefined
  /** The body as received. */
  bytes: number
}

/** Sends JSON over HTTP or HTTPS with persistent connections, or to a local socket. */
export type Transport = {
  /** Rejects if there is no complete answer, or it exceeds `limit` bytes; the message has no URL. */
  post(url: URL, body: string, limit: number, signal: AbortSignal): Promise<HttpAnswer>
  close(): Promise<void>
}

type TransportOptions = { headers: Readonly<Record<string, string>>; connections: number }

/** Creates a transport with a maximum number of connections per host. */
export function createTransport({ headers, connections }: TransportOptions): Transport {
  const agent = new Agent({ connections, keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 })
  return {
    async post(url, body, limit, signal) {
      if (isLocalSocket(url)) {
        const data = await askLocalSocket(url, body, limit, signal)
        requireBoundedJson(data)
        return { status: 200, text: data.toString(), retryAfter: undefined, bytes: data.length }
      }
      const request = {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST' as const,
        headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip', ...authorization(url), ...headers },
        body,
      }
      const response = await exchange(agent, request, limit, signal)
      const raw = response.body
      const data = response.headers['content-encoding'] === 'gzip' ? await unzip(raw, limit) : raw
      requireBoundedJson(data)
      const text = data.toString()
      const retryAfter = response.headers['retry-after']?.toString()
      return { status: response.status, text, retryAfter, bytes: raw.length }
    },
    close: () => agent.destroy(),
  }
}

/** The authorization header for a URL's user and password. */
export function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

type Response = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

/**
 * Sends a request and takes the whole body as it arrives: a stream of it would cost more than the rest. Stops reading and
 * closes the connection beyond `limit` bytes, and when the signal is aborted.
 */
function exchange(
  agent: Agent,
  request: Dispatcher.DispatchOptions,
  limit: number,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let connection: Dispatcher.DispatchController | undefined
    let head: Omit<Response, 'body'> = { status: 0, headers: {} }
    const chunks: Buffer[] = []
    let size = 0
    const stop = (reason: Error) => {
      end(() => reject(reason))
      connection?.abort(reason)
    }
    const abort = () => stop(signal.reason)
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', abort)
      settle()
    }
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', abort)
    agent.dispatch(request, {
      onRequestStart(controller) {
        connection = controller
        // It may have waited for a connection.
        if (signal.aborted) controller.abort(signal.reason)
      },
      // Informational ones (1xx) come before the response.
      onResponseStart: (_, status, headers) => {
        head = { status, headers }
      },
      onResponseData(_, chunk) {
        size += chunk.length
        if (size > limit) return stop(tooLong(limit))
        chunks.push(chunk)
      },
      onResponseEnd: () =>
        end(() => resolve({ ...head, body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) })),
      onResponseError: (_, error) => end(() => reject(error)),
    })
  })
}

/** Stops beyond `limit` bytes: a megabyte can decompress to a gigabyte. */
function unzip(raw: Buffer, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gunzip(raw, { maxOutputLength: limit }, (error, data) => {
      if (!error) resolve(data)
      else reject((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLong(limit) : error)
    })
  })
}

const tooLong = (limit: number) => new OversizedJsonError(`answered more than ${limit} bytes`)

/** Whether a request is not worth another trial soon: nothing listens at the address, or what answers there sends too much. */
export function isHopeless(error: unknown): boolean {
  if (error instanceof OversizedJsonError) return true
  const { code } = error as { code?: string }
  return code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
}

/** Whether a connection broke that was open. */
export function isConnectionCut(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET'
}

/** A description of a connection error without the URL. */
export function connectionProblem(error: unknown): string {
  if (error instanceof OversizedJsonError) return error.message
  if (error instanceof NoJsonMessageError) return `sent no answer: ${error.message}`
  const { code, message } = error as { code?: string; message?: string }
  switch (code) {
    case 'ECONNREFUSED':
      return 'refused the connection'
    case 'ENOENT':
      return 'is a local socket that is not there'
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
