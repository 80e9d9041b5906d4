import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Client } from '../../rpc/caller.ts'
import type { Dispatcher } from '../../rpc/dispatch.ts'
import type { MessageAnswer } from '../../rpc/envelope.ts'
import type { MessageBytes } from '../../shared/budget/messageBytes.ts'
import { LongText, longText } from '../../shared/json/longText.ts'
import type { Identity } from '../access.ts'
import type { AccessControl } from '../accessControl.ts'
import type { InFlight } from '../inFlight.ts'
import type { UseBranch } from '../webSockets.ts'
import { AnswerBuffers } from './answerBuffers.ts'
import { answersOfTurn } from './answersOfTurn.ts'
import { OpenConnections, Running } from './openConnections.ts'
import { bodyLength, readUsualHead, type UsualHead } from './usualHead.ts'

export type QuickConnectionOptions = {
  /** The largest body that is read here, in bytes. */
  bodyLimit: number
  /** How long a client may read no part of an answer, in milliseconds. */
  unreadMs: number
}

type Needs = {
  dispatcher: Dispatcher
  useBranch: UseBranch
  accessControl: AccessControl
  inFlight: InFlight
  statusOf(answer: MessageAnswer): number
}

type Known = { head: UsualHead; identity: Identity }

/** As much as one read of a socket returns. Parsing and routing cost little beside larger bodies. */
const largestBody = 64 * 1024
/** How long a connection may be silent before its first request, and how long a request may take to arrive, before node:http takes it, which has limits for that. */
const silentMs = 1000

/**
 * Reads and answers JSON-RPC at `POST /` and `POST /n/BRANCH` on a connection itself, which takes half the time that it takes with node:http: as long as
 * the requests are the usual ones of a program that is let in, one after the other. The first other bytes are passed to `server` with
 * the connection, and are served or refused there. Start it before other listeners of the server.
 */
export function createQuickConnections(
  server: Server,
  { bodyLimit, unreadMs }: QuickConnectionOptions,
  { dispatcher, useBranch, accessControl, inFlight, statusOf }: Needs,
) {
  const limit = Math.min(bodyLimit, largestBody)
  const passed = new WeakSet<Socket>()
  const open = new OpenConnections()
  const served = server.listeners('connection') as ((socket: Socket) => void)[]

  function pass(socket: Socket): void {
    passed.add(socket)
    for (const listener of served) listener.call(server, socket)
  }

  function admit(socket: Socket, { headers }: UsualHead): Identity | undefined {
    const request = { method: 'POST', headers, url: '/', ip: socket.remoteAddress }
    return accessControl.check(request) ? undefined : accessControl.recognise(request)
  }

  function serve(socket: Socket): void {
    /** While its headers stay the same, so do the identity of the client and its permission. */
    let known: Known | undefined
    let begun: Arriving | undefined
    /** What came before the last request was answered. */
    let later: Buffer | undefined
    /** The request being answered. */
    let current: Running | undefined

    function handOver(bytes: Buffer | undefined): void {
      begun?.held.release()
      leave()
      socket.setTimeout(0)
      socket.pause()
      if (bytes) socket.unshift(bytes)
      pass(socket)
      socket.resume()
    }

    function leave(): void {
      open.delete(socket)
      socket.off('data', onData).off('end', endToo).off('timeout', onTimeout).off('close', onClose).off('error', ignore)
    }

    function onData(chunk: Buffer): void {
      // Refused, or closed after its last answer.
      if (!socket.writable) return
      if (current) {
        later = later ? Buffer.concat([later, chunk]) : chunk
        socket.pause()
      } else if (begun) {
        begun.add(chunk)
        if (begun.mayWait) return
        const { bytes, isWhole, held } = begun
        held.release()
        begun = undefined
        socket.setTimeout(server.keepAliveTimeout)
        if (isWhole) receive(bytes)
        else handOver(bytes)
      } else receive(chunk)
    }

    /** Answers the request that these bytes are or begin. */
    function receive(chunk: Buffer): void {
      const length = lengthOf(chunk)
      const size = length === undefined ? 0 : (known?.head.size(length) ?? 0)
      if (!known || length === undefined || length > limit || chunk.length > size) handOver(chunk)
      else if (chunk.length === size) answer(chunk, length, known)
      else {
        const held = inFlight.message(known.identity.key ?? socket)
        if (!held.receive(length)) {
          handOver(chunk)
          return
        }
        begun = new Arriving(chunk, size, held)
        socket.setTimeout(silentMs)
      }
    }

    /** The length of the body of a request of a client that is let in. */
    function lengthOf(chunk: Buffer): number | undefined {
      const length = known && bodyLength(known.head, chunk)
      if (length !== undefined) return length
      const head = readUsualHead(chunk)
      const identity = head && admit(socket, head)
      if (!identity) return undefined
      known = { head, identity }
      socket.setTimeout(server.keepAliveTimeout)
      return bodyLength(head, chunk)
    }

    function answer(chunk: Buffer, length: number, { head: { branch }, identity }: Known): void {
      answersOfTurn.writeDue()
      const bytes = inFlight.message(identity.key ?? socket)
      if (open.isClosed || !bytes.receive(length)) {
        handOver(chunk)
        return
      }
      current = new Running(socket, bytes)
      const text = chunk.toString('utf8', chunk.length - length)
      const client = new QuickClient(identity, current)
      const answer =
        branch === ''
          ? dispatcher.answer(text, client)
          : answerOf(
              useBranch(branch, () => {}),
              text,
              client,
            )
      if (answer instanceof Promise) void answer.then((found) => (found ? send(found) : refuse(chunk)))
      else answersOfTurn.add(() => send(answer))
    }

    /** Leaves the request that is being answered to node:http. */
    function refuse(chunk: Buffer): void {
      if (!current) return
      current.bytes.release()
      current = undefined
      handOver(later ? Buffer.concat([chunk, later]) : chunk)
    }

    function send(answer: MessageAnswer): void {
      // Otherwise the client is gone.
      if (socket.writable) write(socket, answer.text === undefined ? 204 : statusOf(answer), answer.text, keepAlive())
      if (!socket.writable || socket.writableLength === 0) finish()
      else {
        socket.setTimeout(unreadMs)
        socket.write('', () => {
          socket.setTimeout(server.keepAliveTimeout)
          finish()
        })
      }
    }

    function keepAlive(): string {
      return open.isClosed ? 'close' : `keep-alive\r\nKeep-Alive: timeout=${Math.floor(server.keepAliveTimeout / 1000)}`
    }

    function finish(): void {
      current?.bytes.release()
      current = undefined
      if (open.isClosed) socket.destroySoon()
      if (!later || !socket.writable) return
      const bytes = later
      later = undefined
      socket.resume()
      receive(bytes)
    }

    function onTimeout(): void {
      if (!current && (begun || !known)) handOver(begun?.bytes)
      else if (!current || socket.writableLength > 0) socket.destroy()
    }

    function onClose(): void {
      current?.cancel()
      current = undefined
      begun?.held.release()
      leave()
    }

    /** A request that is still arriving has the time that node:http's have. */
    function closeIdle(): void {
      if (begun) handOver(begun.bytes)
      else if (!current) socket.destroy()
    }

    open.set(socket, { closeIdle, running: () => current })
    socket.on('data', onData).on('end', endToo).on('timeout', onTimeout).on('close', onClose).on('error', ignore)
    socket.setTimeout(silentMs)
  }

  for (const listener of served) server.removeListener('connection', listener)
  server.on('connection', (socket: Socket) => {
    if (open.isClosed || passed.has(socket)) pass(socket)
    else serve(socket)
  })

  return open
}

/** A request of `size` bytes that has begun to arrive. It holds what is `held` of the bytes in flight. */
class Arriving {
  readonly held: MessageBytes
  readonly #size: number
  readonly #until = performance.now() + silentMs
  readonly #parts: Buffer[] = []
  #received = 0

  constructor(start: Buffer, size: number, held: MessageBytes) {
    this.#size = size
    this.held = held
    this.add(start)
  }

  add(part: Buffer): void {
    this.#parts.push(part)
    this.#received += part.length
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }

  get isWhole(): boolean {
    return this.#received === this.#size
  }

  /** Whether the rest may come yet. */
  get mayWait(): boolean {
    return this.#received < this.#size && performance.now() < this.#until
  }
}

/** The sender of a request. A class, because an object with a getter takes microseconds to make. */
class QuickClient implements Client {
  readonly role: Client['role']
  readonly key: Client['key']
  readonly holder: Client['holder']
  readonly mayAsk: Client['mayAsk']
  readonly quotas: Client['quotas']
  readonly subscriber = undefined
  readonly connection: object
  readonly bytes: MessageBytes
  readonly #request: Running

  constructor({ role, key, holder, mayAsk, quotas }: Identity, request: Running) {
    this.role = role
    this.key = key
    this.holder = holder
    this.mayAsk = mayAsk
    this.quotas = quotas
    this.connection = request.socket
    this.bytes = request.bytes
    this.#request = request
  }

  get signal() {
    return this.#request.signal
  }
}

/** The answer of a branch; `undefined` if it cannot be opened: nothing was done. */
async function answerOf(
  opened: ReturnType<UseBranch>,
  text: string,
  client: Client,
): Promise<MessageAnswer | undefined> {
  const used = await opened.catch(() => undefined)
  if (!used) return undefined
  try {
    return await used.dispatcher.answer(text, client)
  } finally {
    used.release()
  }
}

/** As node:http does when the client ends its side. */
function endToo(this: Socket): void {
  this.end()
}

/** The connection is closed after an error. */
function ignore(): void {}

/** Writes a response at once. */
function write(socket: Socket, status: number, text: MessageAnswer['text'], connection: string): void {
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  const end = `Date: ${currentDate()}\r\nConnection: ${connection}\r\n\r\n`
  if (text === undefined) {
    socket.write(start + end, 'latin1')
    return
  }
  const parts = typeof text === 'string' ? [text] : text instanceof LongText ? text.parts : []
  const length = Buffer.isBuffer(text) ? text.length : parts.reduce((total, part) => total + Buffer.byteLength(part), 0)
  const head = `${start}content-type: application/json; charset=utf-8\r\ncontent-length: ${length}\r\n${end}`
  if (Buffer.isBuffer(text)) {
    socket.cork()
    socket.write(head, 'latin1')
    socket.write(text)
    socket.uncork()
    return
  }
  // Where all is ASCII, Latin-1 is the quicker encoding.
  const encoding = length === text.length ? 'latin1' : 'utf8'
  if (length < longText) {
    socket.write(head + text, encoding)
    return
  }
  const bytes = buffers.take(head.length + length)
  let written = bytes.write(head, 'latin1')
  for (const part of parts) written += bytes.write(part, written, encoding)
  socket.write(bytes.subarray(0, written), () => buffers.give(bytes))
}
const buffers = new AnswerBuffers()
let dateSecond = 0
let dateText = ''

function currentDate(): string {
  const now = Date.now()
  const second = Math.floor(now / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = new Date(now).toUTCString()
  }
  return dateText
}
