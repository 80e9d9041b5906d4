/** Thrown for bytes that are no sequence of JSON objects and arrays. */
export class NoJsonMessageError extends Error {
  override name = 'NoJsonMessageError'
}

const [quote, backslash] = [0x22, 0x5c]
const isOpening = (byte: number) => byte === 0x7b || byte === 0x5b
const isClosing = (byte: number) => byte === 0x7d || byte === 0x5d
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * Finds the messages in a stream of JSON objects and arrays that follow each other, with or without space between them.
 * Each byte is looked at once.
 */
export class JsonMessages {
  readonly #limit: number
  /** Bytes that belong to no complete message. */
  #chunks: Buffer[] = []
  #length = 0
  /** What was not looked at of the newest chunk. */
  #rest: Buffer = Buffer.alloc(0)
  #depth = 0
  #isText = false
  #isEscaped = false

  /** `limit`: most bytes of a message. */
  constructor(limit: number) {
    this.#limit = limit
  }

  push(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
  }

  /**
   * The next message; `undefined` if it is not complete. Throws `NoJsonMessageError` for what cannot become one, and if it
   * is longer than the limit.
   */
  next(): Buffer | undefined {
    if (this.#depth === 0) this.#skipSpace()
    const end = this.#findEnd()
    const taken = this.#rest.subarray(0, end ?? this.#rest.length)
    this.#rest = this.#rest.subarray(taken.length)
    this.#length += taken.length
    if (this.#length > this.#limit) throw new NoJsonMessageError(`a message has more than ${this.#limit} bytes`)
    if (taken.length > 0) this.#chunks.push(taken)
    if (end === undefined) return undefined
    const message = this.#chunks.length === 1 ? taken : Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#length = 0
    return message
  }

  #skipSpace(): void {
    let start = 0
    while (start < this.#rest.length && isSpace(this.#rest[start] as number)) start++
    this.#rest = this.#rest.subarray(start)
    const first = this.#rest[0]
    if (first !== undefined && !isOpening(first))
      throw new NoJsonMessageError('a message begins with something else than { or [')
  }

  /** The position after the end of the message in what is left. */
  #findEnd(): number | undefined {
    for (let at = 0; at < this.#rest.length; at++) {
      const byte = this.#rest[at] as number
      if (this.#isEscaped) this.#isEscaped = false
      else if (this.#isText) {
        if (byte === quote) this.#isText = false
        else if (byte === backslash) this.#isEscaped = true
      } else if (byte === quote) this.#isText = true
      else if (isOpening(byte)) this.#depth++
      else if (isClosing(byte) && --this.#depth === 0) return at + 1
    }
    return undefined
  }
}
