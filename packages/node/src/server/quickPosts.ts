import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Dispatcher } from '../rpc/dispatch.ts'
import type { MessageAnswer } from '../rpc/envelope.ts'
import type { Identity } from './access.ts'
import type { AccessControl } from './accessControl.ts'
import type { InFlight } from './inFlight.ts'

export type QuickPostOptions = {
  /** The largest body that is taken here, in bytes. */
  bodyLimit: number
  /** How long a client may read no part of an answer, in milliseconds. */
  unreadMs: number
}

type Needs = {
  dispatcher: Dispatcher
  accessControl: AccessControl
  inFlight: InFlight
  /** Aborted when the connection of an answer is closed before it was written. */
  whenGone(response: ServerResponse): AbortSignal
  statusOf(answer: MessageAnswer): number
}

/** What is known of a connection. While its headers stay the same, so do the identity of the client and its permission. */
type Door = { headers: readonly string[]; identity: Identity }

/** Larger bodies are rare and gain nothing here. */
const largestBody = 1024 * 1024

/**
 * Takes JSON-RPC at `POST /` before the other routes: the usual request of a program, which is let in, with a body of a known length.
 * Everything else is passed on unchanged, and is served or refused there.
 */
export function createQuickPosts(
  { bodyLimit, unreadMs }: QuickPostOptions,
  { dispatcher, accessControl, inFlight, whenGone, statusOf }: Needs,
) {
  const doors = new WeakMap<Socket, Door>()
  const limit = Math.min(bodyLimit, largestBody)
  let isClosed = false

  /** The client of a request, if the request may be answered here. */
  function admit(request: IncomingMessage): Identity | undefined {
    const { socket, rawHeaders } = request
    const known = doors.get(socket)
    if (known && hasSameHeaders(known.headers, rawHeaders)) return known.identity
    const { headers, method, url = '/' } = request
    // Pages of browsers, for which there are rules.
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return undefined
    if (accessControl.check({ method, headers, url })) return undefined
    const identity = accessControl.recognise({ headers, url, ip: socket.remoteAddress })
    if (!identity) return undefined
    doors.set(socket, { headers: rawHeaders, identity })
    return identity
  }

  function receive(request: IncomingMessage, response: ServerResponse, identity: Identity, length: number): boolean {
    const { socket } = request
    const bytes = inFlight.message(identity.key ?? socket)
    if (!bytes.receive(length)) return false
    response.once('close', () => bytes.release())
    let first: Buffer | undefined
    let others: Buffer[] | undefined
    request.on('data', (chunk: Buffer) => {
      if (!first) first = chunk
      else if (others) others.push(chunk)
      else others = [first, chunk]
    })
    request.on('end', () => {
      const body = others ? Buffer.concat(others) : first
      let gone: AbortSignal | undefined
      const answer = dispatcher.answer(body ? body.toString() : '', {
        role: identity.role,
        key: identity.key,
        mayAsk: identity.mayAsk,
        quotas: identity.quotas,
        subscriber: undefined,
        get signal() {
          gone ??= whenGone(response)
          return gone
        },
        connection: socket,
        bytes,
      })
      if (answer instanceof Promise) void answer.then((settled) => send(response, settled))
      else send(response, answer)
    })
    return true
  }

  function send(response: ServerResponse, answer: MessageAnswer): void {
    const { text } = answer
    if (text === undefined) {
      response.writeHead(204).end()
      return
    }
    response.writeHead(statusOf(answer), {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
    if (response.writableLength > 0) response.setTimeout(unreadMs)
  }

  return {
    /** A listener that answers what it can, and passes other requests to `listener`. */
    before(listener: RequestListener): RequestListener {
      return (request, response) => {
        const length = Number(request.headers['content-length'])
        const isTaken =
          request.method === 'POST' &&
          request.url === '/' &&
          !isClosed &&
          length <= limit &&
          request.headers['transfer-encoding'] === undefined
        const identity = isTaken ? admit(request) : undefined
        if (!identity || !receive(request, response, identity, length)) listener(request, response)
      }
    },
    /** Passes everything on from now on: the server stops. */
    close() {
      isClosed = true
    },
  }
}

/** Whether the headers are those, but for the length of the body. */
function hasSameHeaders(known: readonly string[], given: readonly string[]): boolean {
  if (known.length !== given.length) return false
  for (let index = 0; index < known.length; index++) {
    if (known[index] === given[index]) continue
    if (index % 2 === 0 || given[index - 1]?.toLowerCase() !== 'content-length') return false
  }
  return true
}
