/** Entries that are read between two pauses: some milliseconds. */
const readTogether = 512

/** Whether to yield before entry `index`. */
export function isTime(index: number): boolean {
  return index % readTogether === readTogether - 1
}

/** An expensive value that is read once. */
export class Lazy<T> {
  readonly #parts: () => Generator<undefined, T>
  #value: { of: T } | undefined

  constructor(parts: () => Generator<undefined, T>) {
    this.#parts = parts
  }

  /** Reads it, and yields now and then. */
  *read(): Generator<undefined, T> {
    this.#value ??= { of: yield* this.#parts() }
    return this.#value.of
  }

  get(): T {
    if (this.#value !== undefined) return this.#value.of
    const parts = this.read()
    for (;;) {
      const part = parts.next()
      if (part.done) return part.value
    }
  }
}
