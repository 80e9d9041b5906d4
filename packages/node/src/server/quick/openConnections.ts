import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { MessageBytes } from '../../shared/budget/messageBytes.ts'
import { clientGone } from '../../shared/budget/requestBudget.ts'
import type { NetworkError } from '../../shared/errors.ts'

/** The connections that are read here, and how they are ended. */
export class OpenConnections extends Map<Socket, { closeIdle(): void; running(): Running | undefined }> {
  isClosed = false

  /** Closes idle connections, and the others after their answer. New ones are passed on. */
  close(): void {
    this.isClosed = true
    for (const connection of this.values()) connection.closeIdle()
  }

  /** Lets the requests fail that are being answered. Returns their number. */
  end(reason: NetworkError): number {
    const requests = [...this.values()].flatMap((connection) => connection.running() ?? [])
    for (const request of requests) request.end(reason)
    return requests.length
  }

  /** Closes all connections. */
  destroy(): void {
    for (const socket of this.keys()) socket.destroy()
  }
}

/** A request that is being answered. */
export class Running {
  readonly bytes: MessageBytes
  readonly socket: Socket
  #gone: AbortController | undefined

  constructor(socket: Socket, bytes: MessageBytes) {
    this.socket = socket
    this.bytes = bytes
  }

  /** Aborted when the connection is closed before the answer was written. */
  get signal(): AbortSignal {
    if (!this.#gone) {
      this.#gone = new AbortController()
      // One listener for each waiting request of a batch, so this is not a leak.
      setMaxListeners(0, this.#gone.signal)
      if (this.socket.destroyed) this.cancel()
    }
    return this.#gone.signal
  }

  end(reason: NetworkError): void {
    this.#gone?.abort(reason)
  }

  cancel(): void {
    this.end(clientGone())
    this.bytes.release()
  }
}
