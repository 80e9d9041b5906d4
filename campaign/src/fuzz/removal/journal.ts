/** How a request ended: by a result, by the kind of an error, or because its connection was closed or was cut. */
export type Ending = 'answered' | `refused ${string}` | `closed ${number}` | 'cut off' | 'not answered'

/** One request of a user. Times are those of `performance.now()`. */
export type Entry = { user: string; method: string; sentAt: number; endedAt: number; ending: Ending }

/** A connection that stays open between requests, and the code with which it was closed. */
export type Connection = {
  user: string
  askedAt: number
  closedAt: number | undefined
  code: number | undefined
  /** Whether the user closed it. */
  isLeft: boolean
}

/** The longest time that a user waits for an answer or for a close, in milliseconds. */
export const timeoutMs = 30_000

/** Thrown by a request that was not answered by a result. */
export class Unanswered extends Error {
  readonly ending: Ending

  constructor(ending: Ending) {
    super(ending)
    this.ending = ending
  }
}

/** What all users of a network have seen. */
export class Journal {
  readonly entries: Entry[] = []
  readonly connections: Connection[] = []
  readonly #gone: ReadonlySet<Ending>
  /** Set when users have seen enough. */
  isOver = false

  /** `gone`: the kinds of errors that say that the network is no longer there. */
  constructor(gone: readonly string[]) {
    this.#gone = new Set(gone.map((kind): Ending => `refused ${kind}`))
  }

  isGone = (ending: Ending): boolean => this.#gone.has(ending)

  /** Notes how a request ends. Throws `Unanswered` unless it has a result. */
  async note<T>(user: string, method: string, answer: () => Promise<T>): Promise<T> {
    const sentAt = performance.now()
    let ending: Ending = 'answered'
    try {
      return await answer()
    } catch (error) {
      ending = error instanceof Unanswered ? error.ending : 'cut off'
      throw new Unanswered(ending)
    } finally {
      this.entries.push({ user, method, sentAt, endedAt: performance.now(), ending })
    }
  }

  /** When a user was first told that the network is gone. */
  goneAt(): number {
    const told = this.entries.filter(({ ending }) => this.isGone(ending))
    return Math.min(...told.map(({ endedAt }) => endedAt))
  }
}
