/** Whose work waits. */
export type Sender = {
  /** The API key, or the address of the client if there are no keys. */
  holder: string
  /** One of the connections of the holder. */
  connection: object
}

/** What waits of one connection. What was begun comes before the rest. */
type Waiting<Work> = { begun: Work[]; rest: Work[] }

/** Connections of a holder; the first has the next turn. */
type Connections<Work> = Map<object, Waiting<Work>>

type OfHolder<Work> = {
  /** Connections with work that was begun, and those without. */
  begun: Connections<Work>
  fresh: Connections<Work>
  wasFresh: boolean
}

/**
 * Work that waits for its turn: holders take turns, however many connections each has, and then the connections of each.
 * Clients at one address, such as those behind a proxy, are told apart by their connections: every other turn is for one
 * that has begun nothing, so that short work waits for little of what is long.
 */
export class FairQueue<Work> {
  /** The first has the next turn. */
  readonly #holders = new Map<string, OfHolder<Work>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add({ holder, connection }: Sender, work: Work, { isBegun = false } = {}): void {
    const of: OfHolder<Work> = this.#holders.get(holder) ?? { begun: new Map(), fresh: new Map(), wasFresh: false }
    this.#holders.set(holder, of)
    const { begun, fresh } = of
    const waiting = begun.get(connection) ?? fresh.get(connection) ?? { begun: [], rest: [] }
    waiting[isBegun ? 'begun' : 'rest'].push(work)
    if (isBegun) fresh.delete(connection)
    const connections = waiting.begun.length > 0 ? begun : fresh
    connections.set(connection, waiting)
    this.#size++
  }

  /** Takes the work whose turn it is. */
  next(): Work | undefined {
    const [holder] = this.#holders
    if (!holder) return undefined
    const [name, of] = holder
    const { begun, fresh } = of
    of.wasFresh = begun.size === 0 || (fresh.size > 0 && !of.wasFresh)
    const connections = of.wasFresh ? fresh : begun
    const [first] = connections
    if (!first) return undefined
    const [connection, waiting] = first
    connections.delete(connection)
    const work = waiting.begun.shift() ?? waiting.rest.shift()
    if (waiting.begun.length > 0) begun.set(connection, waiting)
    else if (waiting.rest.length > 0) fresh.set(connection, waiting)
    this.#holders.delete(name)
    if (begun.size + fresh.size > 0) this.#holders.set(name, of)
    this.#size--
    return work
  }
}
