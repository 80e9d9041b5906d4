/** Larger buffers are not kept. In bytes. */
const largestKept = 4 << 20
/** How many buffers are kept at most. */
const keptBuffers = 4

/** Memory for long answers, which is used again: new memory is cleared by the operating system, page by page, and takes longer than the answer. */
export class AnswerBuffers {
  readonly #free: Buffer[] = []

  /** A buffer of at least so many bytes, with any content. */
  take(bytes: number): Buffer {
    const index = this.#free.findIndex(({ length }) => length >= bytes)
    const [found] = index < 0 ? [] : this.#free.splice(index, 1)
    // Sizes are powers of two, so that one buffer fits the next answer.
    return found ?? Buffer.allocUnsafeSlow(bytes > largestKept ? bytes : 2 ** Math.ceil(Math.log2(bytes)))
  }

  /** Takes back what nothing reads any more. */
  give(buffer: Buffer): void {
    if (buffer.length > largestKept) return
    this.#free.push(buffer)
    if (this.#free.length > keptBuffers) this.#free.shift()
  }
}
