import type { Entry } from './history.ts'

/** An entry that was recorded of an item; the same object for everybody who is told. */
export type Recorded = { id: string; entry: Entry }

type Listener = (recorded: Recorded) => void

/** Who is told of entries when they are durable. */
export class EntryListeners {
  readonly #onError: (error: unknown) => void
  readonly #listeners = new Set<{ id: string | undefined; listener: Listener }>()

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Whether nobody listens: then nothing has to be told. */
  get isIdle(): boolean {
    return this.#listeners.size === 0
  }

  /** Whether anybody is to be told of this item. */
  listensTo(item: string): boolean {
    return [...this.#listeners].some(({ id }) => id === undefined || id === item)
  }

  /** Without an id, of every item. Returns the function that ends it. */
  add(id: string | undefined, listener: Listener): () => void {
    const entry = { id, listener }
    this.#listeners.add(entry)
    return () => this.#listeners.delete(entry)
  }

  notify(recorded: Recorded): void {
    for (const { id, listener } of this.#listeners) {
      if (id !== undefined && id !== recorded.id) continue
      try {
        listener(recorded)
      } catch (error) {
        this.#onError(error)
      }
    }
  }
}
