import type { Entry } from './history.ts'

/** A recorded entry of an item; the same object for all listeners. */
export type Recorded = { id: string; entry: Entry }

type Listener = (recorded: Recorded) => void

/** Listeners for durable entries. */
export class EntryListeners {
  readonly #onError: (error: unknown) => void
  readonly #listeners = new Set<{ id: string | undefined; listener: Listener }>()

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Whether there are no listeners, so that nothing needs to be sent. */
  get isIdle(): boolean {
    return this.#listeners.size === 0
  }

  /** Whether there is a listener for this item. */
  listensTo(item: string): boolean {
    return [...this.#listeners].some(({ id }) => id === undefined || id === item)
  }

  /** Without an id, listens to every item. Returns a function that removes the listener. */
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
