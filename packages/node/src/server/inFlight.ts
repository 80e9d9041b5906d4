import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { MessageBytes } from '../shared/budget/messageBytes.ts'
import { type Holder, Shares } from '../shared/budget/shares.ts'

export type InFlightOptions = {
  /** Maximum bytes of messages being received or answered, and of answers not yet read by clients. */
  inFlightLimit: number
  /** Maximum bytes of the answers of one message. */
  answerLimit: number
}

/** The bytes of messages and answers in memory, of all clients. */
export type InFlight = {
  readonly limit: number
  /** `limit` is for all answers of the message, in bytes. */
  message(holder: Holder, limit?: number): MessageBytes
  used(): number
}

export function createInFlight({ inFlightLimit, answerLimit }: InFlightOptions): InFlight {
  const shares = new Shares(inFlightLimit)
  return {
    limit: inFlightLimit,
    message: (holder, limit = answerLimit) => new MessageBytes({ inFlight: shares, holder, answerLimit: limit }),
    used: () => shares.used,
  }
}

/**
 * Counts a body before it is read: by its header or, for chunked bodies without a length, as it arrives. It is read
 * while `receive` returns true.
 */
export function countBody({ headers }: FastifyRequest, body: Readable, receive: (bytes: number) => boolean): boolean {
  if (headers['transfer-encoding'] === undefined) return receive(Number(headers['content-length'] ?? 0))
  body.on('data', (chunk: Buffer) => receive(chunk.length) || body.pause())
  return true
}
