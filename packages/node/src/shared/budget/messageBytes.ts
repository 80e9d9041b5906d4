import { NetworkError } from '../errors.ts'
import type { Holder, Shares } from './shares.ts'

/** Bytes of one message and of its answers, from when it comes until its client has taken the answers. */
export class MessageBytes {
  readonly #inFlight: Shares
  readonly #holder: Holder
  readonly #answerLimit: number
  #message = 0
  #answers = 0
  #isReleased = false

  /** `answerLimit` is for all answers of the message together. */
  constructor({ inFlight, holder, answerLimit }: { inFlight: Shares; holder: Holder; answerLimit: number }) {
    this.#inFlight = inFlight
    this.#holder = holder
    this.#answerLimit = answerLimit
  }

  /** Counts bytes of the message itself; less than none gives some back. False when there is no room for them. */
  receive(bytes: number): boolean {
    if (this.#isReleased) return true
    if (!this.#inFlight.take(this.#holder, bytes)) return false
    this.#message += bytes
    return true
  }

  /** The largest answer for which there is room now. */
  get left(): number {
    return Math.min(this.#answerLimit - this.#answers, this.#inFlight.leftFor(this.#holder))
  }

  /** Counts bytes of answers; less than none gives some back. Throws `ANSWER_TOO_LARGE` or `TOO_MUCH_IN_FLIGHT`. */
  answer(bytes: number): void {
    if (bytes > this.#answerLimit - this.#answers)
      throw new NetworkError('ANSWER_TOO_LARGE', { limit: this.#answerLimit })
    if (this.#isReleased) return
    if (!this.#inFlight.take(this.#holder, bytes))
      throw new NetworkError('TOO_MUCH_IN_FLIGHT', { limit: this.#inFlight.limit })
    this.#answers += bytes
  }

  /** Gives everything back: the answers were sent, or nobody waits for them. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#inFlight.give(this.#holder, this.#message + this.#answers)
  }
}

/** The bytes of the answer of one call among those of a message. */
export class CallBytes {
  readonly #message: MessageBytes
  #counted = 0

  constructor(message: MessageBytes) {
    this.#message = message
  }

  /** Those of another call of the same message. */
  another(): CallBytes {
    return new CallBytes(this.#message)
  }

  /** The largest answer for which there is room now. */
  get left(): number {
    return this.#message.left + this.#counted
  }

  /** Counts an answer before it is made, by what is known of it. Throws as `MessageBytes.answer` does. */
  expect(bytes: number): void {
    if (bytes > this.#counted) this.count(bytes)
  }

  /** Counts the answer as it is. Throws as `MessageBytes.answer` does. */
  count(bytes: number): void {
    this.#message.answer(bytes - this.#counted)
    this.#counted = bytes
  }
}
