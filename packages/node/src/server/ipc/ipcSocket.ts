import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { JsonMessages, NoJsonMessageError } from '../../shared/json/jsonMessages.ts'
import type { MessageSocket } from '../webSocketConnection.ts'

type Options = {
  /** Maximum message size in bytes. */
  bodyLimit: number
}

const newline = '\n'

/**
 * A connection of a local socket as one of messages, like a WebSocket: JSON texts that follow each other, as geth sends
 * and receives them. Each that is sent ends with a line break.
 */
export class IpcSocket extends EventEmitter implements MessageSocket {
  readonly OPEN = 1
  readonly #socket: Socket
  readonly #messages: JsonMessages
  #isPaused = false

  constructor(socket: Socket, { bodyLimit }: Options) {
    super()
    this.#socket = socket
    this.#messages = new JsonMessages(bodyLimit)
    socket.on('data', (chunk: Buffer) => {
      this.#messages.push(chunk)
      this.#read()
    })
    socket.on('error', (error) => this.emit('error', error))
    socket.on('close', () => this.emit('close'))
  }

  get readyState(): number {
    return this.#socket.writable && !this.#socket.destroyed ? this.OPEN : 3
  }

  get bufferedAmount(): number {
    return this.#socket.writableLength
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#socket.resume()
    // A chunk may have many messages.
    this.#read()
  }

  /** Emits what has arrived, until the receiver pauses. */
  #read(): void {
    try {
      while (!this.#isPaused && this.readyState === this.OPEN) {
        const message = this.#messages.next()
        if (!message) return
        this.emit('message', message)
      }
    } catch (error) {
      if (!(error instanceof NoJsonMessageError)) throw error
      const problem = { code: -32700, message: `parse error: ${error.message}; the connection is closed` }
      this.#socket.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: problem }) + newline)
      this.#socket.removeAllListeners('data').resume()
    }
  }

  send(
    data: string | Uint8Array,
    given?: object | ((error?: Error) => void),
    done = typeof given === 'function' ? (given as (error?: Error) => void) : undefined,
  ): void {
    this.#socket.cork()
    this.#socket.write(data)
    this.#socket.write(newline, (error) => done?.(error ?? undefined))
    this.#socket.uncork()
  }

  /** Its end is noticed without it. */
  ping(): void {
    this.emit('pong')
  }

  /** There are no codes; a client that reads too slowly would not get one either. */
  close(code?: number): void {
    if (code === 1001) this.#socket.end()
    else this.#socket.destroy()
  }

  terminate(): void {
    this.#socket.destroy()
  }
}
