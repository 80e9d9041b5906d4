import { EventEmitter } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { JsonMessages } from '../../shared/json/jsonMessages.ts'

const pathOf = (url: URL) => fileURLToPath(url.href.replace(/^ipc:/, 'file:'))

/**
 * A connection to a local socket as one of messages, with the events and methods of a WebSocket that are used. A message
 * of more than `limit` bytes ends it.
 */
export class LocalSocket extends EventEmitter<{
  /** The stream, as a WebSocket tells it. */
  upgrade: [response: { socket: Socket }]
  open: []
  message: [data: Buffer]
  error: [error: Error]
  close: []
  ping: []
  pong: []
}> {
  readonly #socket: Socket

  constructor(url: URL, limit: number) {
    super()
    const messages = new JsonMessages(limit)
    this.#socket = connect(pathOf(url))
    this.#socket.on('connect', () => {
      this.emit('upgrade', { socket: this.#socket })
      this.emit('open')
    })
    this.#socket.on('data', (chunk: Buffer) => {
      messages.push(chunk)
      try {
        for (let next = messages.next(); next && !this.#socket.destroyed; next = messages.next())
          this.emit('message', next)
      } catch (error) {
        this.#socket.destroy(error as Error)
      }
    })
    this.#socket.on('error', (error) => this.emit('error', error))
    this.#socket.on('close', () => this.emit('close'))
  }

  send(text: string): void {
    this.#socket.write(`${text}\n`)
  }

  /** The system tells when the other process ends. */
  ping(): void {
    this.emit('pong')
  }

  terminate(): void {
    this.#socket.destroy()
  }
}

/**
 * Sends a JSON text to a local socket and resolves with the JSON text that comes back. Each has a connection of its own:
 * answers may come in any order, and connections of this machine cost nothing.
 */
export function askLocalSocket(url: URL, body: string, limit: number, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = new LocalSocket(url, limit)
    const abort = () => {
      socket.terminate()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.on('open', () => socket.send(body))
    socket.on('message', (data) => {
      resolve(data)
      socket.terminate()
    })
    socket.on('error', reject)
    socket.on('close', () => {
      signal.removeEventListener('abort', abort)
      reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    })
  })
}
