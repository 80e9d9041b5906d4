import type { Entry } from './history.ts'

type Listener = (id: string, entry: Entry) => void

/** Who is told of entries when they are durable. */
export class Watchers {
  readonly #onError: (error: unknown) => void
  readonly #listeners = new Set<{ id: string | undefined; listener: Listener }>()

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Whether nobody listens: then nothing has to be told. */
  get isIdle(): boolean {
    return this.#listeners.size === 0
  }

  /** Without an id, of every item. Returns the function that ends it. */
  add(id: string | undefined, listener: Listener): () => void {
    const entry = { id, listener }
    this.#listeners.add(entry)
    return () => this.#listeners.delete(entry)
  }

  tell(id: string, entry: Entry): void {
    for (const { id: wanted, listener } of this.#listeners) {
      if (wanted !== undefined && wanted !== id) continue
      try {
        listener(id, entry)
      } catch (error) {
        this.#onError(error)
      }
    }
  }
}
