import { NetworkError } from '../errors.ts'
import type { Holder, Shares } from './shares.ts'

/** The bytes of one message and its answers, from its arrival until the client has read the answers. */
export class MessageBytes {
  readonly #inFlight: Shares
  readonly #holder: Holder
  readonly #answerLimit: number
  #message = 0
  #answers = 0
  #isReleased = false

  /** `answerLimit` applies to all answers of the message together. */
  constructor({ inFlight, holder, answerLimit }: { inFlight: Shares; holder: Holder; answerLimit: number }) {
    this.#inFlight = inFlight
    this.#holder = holder
    this.#answerLimit = answerLimit
  }

  /** Counts bytes of the message; a negative number releases some. False if there is no room. */
  receive(bytes: number): boolean {
    if (this.#isReleased) return true
    if (!this.#inFlight.take(this.#holder, bytes)) return false
    this.#message += bytes
    return true
  }

  /** The largest answer that currently fits. */
  get left(): number {
    return Math.min(this.#answerLimit - this.#answers, this.#inFlight.leftFor(this.#holder))
  }

  /** Counts bytes of answers; a negative number releases some. Throws `ANSWER_TOO_LARGE` or `IN_FLIGHT_LIMIT_EXCEEDED`. */
  answer(bytes: number): void {
    if (bytes > this.#answerLimit - this.#answers)
      throw new NetworkError('ANSWER_TOO_LARGE', { limit: this.#answerLimit })
    if (this.#isReleased) return
    if (!this.#inFlight.take(this.#holder, bytes))
      throw new NetworkError('IN_FLIGHT_LIMIT_EXCEEDED', { limit: this.#inFlight.limit })
    this.#answers += bytes
  }

  /** Releases everything: the answers were sent, or the client has disconnected. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#inFlight.give(this.#holder, this.#message + this.#answers)
  }
}

/** The bytes of the answer of one call of a message. */
export class CallBytes {
  readonly #message: MessageBytes
  #counted = 0

  constructor(message: MessageBytes) {
    this.#message = message
  }

  /** A counter for another call of the same message. */
  another(): CallBytes {
    return new CallBytes(this.#message)
  }

  /** The largest answer that currently fits. */
  get left(): number {
    return this.#message.left + this.#counted
  }

  /** Counts an answer before it is encoded, by its known minimum. Throws like `MessageBytes.answer`. */
  expect(bytes: number): void {
    if (bytes > this.#counted) this.count(bytes)
  }

  /** Counts the final size of the answer. Throws like `MessageBytes.answer`. */
  count(bytes: number): void {
    this.#message.answer(bytes - this.#counted)
    this.#counted = bytes
  }
}
