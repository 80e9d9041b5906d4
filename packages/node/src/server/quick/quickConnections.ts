import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Client } from '../../rpc/caller.ts'
import type { Dispatcher } from '../../rpc/dispatch/dispatch.ts'
import type { MessageAnswer } from '../../rpc/dispatch/envelope.ts'
import type { MessageBytes } from '../../shared/budget/messageBytes.ts'
import { LongText, longText } from '../../shared/json/jsonText.ts'
import type { Identity } from '../access.ts'
import type { AccessControl } from '../accessControl.ts'
import type { InFlight } from '../inFlight.ts'
import type { UseBranch } from '../webSockets.ts'
import { AnswerBuffers } from './answerBuffers.ts'
import { answersOfTurn } from './answersOfTurn.ts'
import { OpenConnections, Running } from './openConnections.ts'
import { bodyLength, readSimpleHead, type SimpleHead } from './simpleHead.ts'

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

type Known = { head: SimpleHead; identity: Identity }

/** As much as one read of a socket returns. Parsing and routing cost little beside larger bodies. */
const largestBody = 64 * 1024
/** How long a connection may be silent before its first request, and how long a request may take to arrive, before node:http takes it, which has limits for that. */
const silentMs = 1000

/**
 * Reads and answers JSON-RPC at `POST /` and `POST /n/BRANCH` on a connection itself, which takes half the time that it takes with node:http: as long as
 * the requests are plain ones of a program that is let in, one after the other. The first other bytes are passed to `server` with
 * the connection, and are served or refused there. Start it before other listeners of the server.
 */
export function createQuickConnections(server: Server, { bodyLimit, unreadMs }: QuickConnectionOptions, needs: Needs) {
  const passed = new WeakSet<Socket>()
  const open = new OpenConnections()
  const served = server.listeners('connection') as ((socket: Socket) => void)[]

  function pass(socket: Socket): void {
    passed.add(socket)
    for (const listener of served) listener.call(server, socket)
  }

  const shared: Shared = { ...needs, server, open, pass, unreadMs, limit: Math.min(bodyLimit, largestBody) }

  for (const listener of served) server.removeListener('connection', listener)
  server.on('connection', (socket: Socket) => {
    if (open.isClosed || passed.has(socket)) pass(socket)
    else new QuickConnection(socket, shared).serve()
  })

  return open
}

/** What all connections have. */
type Shared = Needs & {
  server: Server
  open: OpenConnections
  /** Leaves a connection to node:http. */
  pass(socket: Socket): void
  /** The largest body that is read here, in bytes. */
  limit: number
  unreadMs: number
}

/** A connection until it is left to node:http. */
class QuickConnection {
  readonly #socket: Socket
  readonly #shared: Shared
  /** While its headers stay the same, so do the identity of the client and its permission. */
  #known: Known | undefined
  #begun: Arriving | undefined
  /** What came before the last request was answered. */
  #later: Buffer | undefined
  /** The request being answered. */
  #current: Running | undefined

  constructor(socket: Socket, shared: Shared) {
    this.#socket = socket
    this.#shared = shared
  }

  serve(): void {
    const socket = this.#socket
    this.#shared.open.set(socket, this)
    socket
      .on('data', this.#onData)
      .on('end', endToo)
      .on('timeout', this.#onTimeout)
      .on('close', this.#onClose)
      .on('error', ignore)
    socket.setTimeout(silentMs)
  }

  running(): Running | undefined {
    return this.#current
  }

  /** A request that is still arriving has the time that node:http's have. */
  closeIdle(): void {
    if (this.#begun) this.#handOver(this.#begun.bytes)
    else if (!this.#current) this.#socket.destroy()
  }

  #handOver(bytes: Buffer | undefined): void {
    this.#begun?.held.release()
    this.#leave()
    this.#socket.setTimeout(0)
    this.#socket.pause()
    if (bytes) this.#socket.unshift(bytes)
    this.#shared.pass(this.#socket)
    this.#socket.resume()
  }

  #leave(): void {
    this.#shared.open.delete(this.#socket)
    this.#socket
      .off('data', this.#onData)
      .off('end', endToo)
      .off('timeout', this.#onTimeout)
      .off('close', this.#onClose)
      .off('error', ignore)
  }

  readonly #onData = (chunk: Buffer): void => {
    // Refused, or closed after its last answer.
    if (!this.#socket.writable) return
    if (this.#current) {
      this.#later = this.#later ? Buffer.concat([this.#later, chunk]) : chunk
      this.#socket.pause()
    } else if (this.#begun) {
      this.#begun.add(chunk)
      if (this.#begun.mayWait) return
      const { bytes, isWhole, held } = this.#begun
      held.release()
      this.#begun = undefined
      this.#socket.setTimeout(this.#shared.server.keepAliveTimeout)
      if (isWhole) this.#receive(bytes)
      else this.#handOver(bytes)
    } else this.#receive(chunk)
  }

  /** Answers the request that these bytes are or begin. */
  #receive(chunk: Buffer): void {
    const length = this.#lengthOf(chunk)
    const size = length === undefined ? 0 : (this.#known?.head.size(length) ?? 0)
    if (!this.#known || length === undefined || length > this.#shared.limit || chunk.length > size)
      this.#handOver(chunk)
    else if (chunk.length === size) this.#answer(chunk, length, this.#known)
    else {
      const held = this.#shared.inFlight.message(this.#known.identity.key ?? this.#socket)
      if (!held.receive(length)) {
        this.#handOver(chunk)
        return
      }
      this.#begun = new Arriving(chunk, size, held)
      this.#socket.setTimeout(silentMs)
    }
  }

  /** The length of the body of a request of a client that is let in. */
  #lengthOf(chunk: Buffer): number | undefined {
    const length = this.#known && bodyLength(this.#known.head, chunk)
    if (length !== undefined) return length
    const head = readSimpleHead(chunk)
    const identity = head && this.#admit(head)
    if (!identity) return undefined
    this.#known = { head, identity }
    this.#socket.setTimeout(this.#shared.server.keepAliveTimeout)
    return bodyLength(head, chunk)
  }

  #answer(chunk: Buffer, length: number, { head: { branch }, identity }: Known): void {
    answersOfTurn.writeDue()
    const bytes = this.#shared.inFlight.message(identity.key ?? this.#socket)
    if (this.#shared.open.isClosed || !bytes.receive(length)) {
      this.#handOver(chunk)
      return
    }
    this.#current = new Running(this.#socket, bytes)
    const text = chunk.toString('utf8', chunk.length - length)
    const client = new QuickClient(identity, this.#current)
    const answer =
      branch === ''
        ? this.#shared.dispatcher.answer(text, client)
        : answerOf(
            this.#shared.useBranch(branch, () => {}),
            text,
            client,
          )
    if (answer instanceof Promise) void answer.then((found) => (found ? this.#send(found) : this.#refuse(chunk)))
    else answersOfTurn.add(() => this.#send(answer))
  }

  /** Leaves the request that is being answered to node:http. */
  #refuse(chunk: Buffer): void {
    if (!this.#current) return
    this.#current.bytes.release()
    this.#current = undefined
    this.#handOver(this.#later ? Buffer.concat([chunk, this.#later]) : chunk)
  }

  #send(answer: MessageAnswer): void {
    // Otherwise the client is gone.
    if (this.#socket.writable)
      write(
        this.#socket,
        answer.text === undefined ? 204 : this.#shared.statusOf(answer),
        answer.text,
        this.#keepAlive(),
      )
    if (!this.#socket.writable || this.#socket.writableLength === 0) this.#finish()
    else {
      this.#socket.setTimeout(this.#shared.unreadMs)
      this.#socket.write('', () => {
        this.#socket.setTimeout(this.#shared.server.keepAliveTimeout)
        this.#finish()
      })
    }
  }

  #keepAlive(): string {
    return this.#shared.open.isClosed
      ? 'close'
      : `keep-alive\r\nKeep-Alive: timeout=${Math.floor(this.#shared.server.keepAliveTimeout / 1000)}`
  }

  #finish(): void {
    this.#current?.bytes.release()
    this.#current = undefined
    if (this.#shared.open.isClosed) this.#socket.destroySoon()
    if (!this.#later || !this.#socket.writable) return
    const bytes = this.#later
    this.#later = undefined
    this.#socket.resume()
    this.#receive(bytes)
  }

  readonly #onTimeout = (): void => {
    if (!this.#current && (this.#begun || !this.#known)) this.#handOver(this.#begun?.bytes)
    else if (!this.#current || this.#socket.writableLength > 0) this.#socket.destroy()
  }

  readonly #onClose = (): void => {
    this.#current?.cancel()
    this.#current = undefined
    this.#begun?.held.release()
    this.#leave()
  }

  #admit({ headers }: SimpleHead): Identity | undefined {
    const request = { method: 'POST', headers, url: '/', ip: this.#socket.remoteAddress }
    return this.#shared.accessControl.check(request) ? undefined : this.#shared.accessControl.recognise(request)
  }
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
