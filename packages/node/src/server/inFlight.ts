import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { MessageBytes } from '../shared/budget/messageBytes.ts'
import { type Holder, Shares } from '../shared/budget/shares.ts'

export type InFlightOptions = {
  /** The most bytes of messages that are received or answered, and of answers that were not taken yet. */
  inFlightLimit: number
  /** The most bytes of the answers of one message. */
  answerLimit: number
}

/** Bytes of messages and answers in memory, of all clients. */
export type InFlight = {
  readonly limit: number
  message(holder: Holder): MessageBytes
  used(): number
}

export function createInFlight({ inFlightLimit, answerLimit }: InFlightOptions): InFlight {
  const shares = new Shares(inFlightLimit)
  return {
    limit: inFlightLimit,
    message: (holder) => new MessageBytes({ inFlight: shares, holder, answerLimit }),
    used: () => shares.used,
  }
}

/**
 * Counts a body before it is read: by its header, or as it comes when it comes in chunks and does not say its length before.
 * It is read as long as `receive` answers true.
 */
export function countBody({ headers }: FastifyRequest, body: Readable, receive: (bytes: number) => boolean): boolean {
  if (headers['transfer-encoding'] === undefined) return receive(Number(headers['content-length'] ?? 0))
  body.on('data', (chunk: Buffer) => receive(chunk.length) || body.pause())
  return true
}
