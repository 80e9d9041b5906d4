import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { MessageBytes } from '../shared/messageBytes.ts'
import { type Holder, Shares } from '../shared/shares.ts'

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

/** The bytes of a body by its header, as far as they will be read. */
export function saidLength({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  return Math.min(Number(headers['content-length'] ?? 0), bodyLimit)
}

/** Counts a body that comes in chunks, which does not say its length before. There is no answer to one that goes too far. */
export function countUnsaid({ raw }: FastifyRequest, body: Readable, bytes: MessageBytes): void {
  if (raw.headers['transfer-encoding'] === undefined) return
  body.on('data', (chunk: Buffer) => {
    if (!bytes.receive(chunk.length)) raw.destroy()
  })
}
