import type { Node } from '../app/createNode.ts'
import { createKeyedMutex } from '../shared/async/mutex.ts'
import { type Clock, every, type Timer, within } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'

/** A network as the host finds it: by its name, and by an id that no earlier network of that name has. */
export type Found = { name: string; id: string }

/** Something that keeps a network awake until it is released: a request, or a WebSocket. */
export type Use = { node: Node; release(): void }

export type Sleep = {
  state: 'asleep' | 'waking' | 'awake'
  wakeMs: number | undefined
  problem: string | undefined
}

type Options = { sleepAfterMs: number | undefined; awakeLimit: number }

type Needs = {
  /** Gives up when the signal is aborted: another network needs its slot. */
  open(network: Found, signal: AbortSignal): Promise<Node>
  clock: Clock
  logger: Logger
}

type Entry = {
  network: Found
  opened: Promise<Node>
  opening: AbortController
  node: Node | undefined
  cuts: Set<() => void>
  usedAt: number
  onIdle: () => void
}

/** How long its requests may take to end before a network is removed. */
const graceMs = 2_000
/** How long a network may take to open before another one may have its slot, in milliseconds: its live chain may hang. */
const openingMs = 2_000
/** How often networks are put to sleep that are quiet, in milliseconds. */
const checkMs = 1_000

/** The networks that are awake because they are used, or were a moment ago. */
export class AwakeNetworks {
  readonly #awakeLimit: number
  readonly #open: Needs['open']
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #entries = new Map<string, Entry>()
  readonly #outcomes = new Map<string, Pick<Sleep, 'wakeMs' | 'problem'>>()
  readonly #mutex = createKeyedMutex<string>()
  readonly #timer: Timer | undefined
  #isStopping = false

  constructor({ sleepAfterMs, awakeLimit }: Options, { open, clock, logger }: Needs) {
    this.#awakeLimit = awakeLimit
    this.#open = open
    this.#clock = clock
    this.#logger = logger
    if (sleepAfterMs !== undefined) this.#timer = every(clock, checkMs, () => this.#sleepQuiet(sleepAfterMs))
  }

  /** Wakes a network if it is asleep. `cut` is called when the network was stopped before the use ended. */
  async use(network: Found, cut: () => void): Promise<Use> {
    const entry = await this.#enter(network)
    entry.cuts.add(cut)
    const release = () => {
      if (!entry.cuts.delete(cut)) return
      entry.usedAt = this.#clock.now()
      if (entry.cuts.size === 0) entry.onIdle()
    }
    try {
      return { node: entry.node ?? (await entry.opened), release }
    } catch (error) {
      release()
      throw error
    }
  }

  /** A network that is awake, without keeping it so. */
  peek({ id }: Found): Node | undefined {
    return this.#entries.get(id)?.node
  }

  stateOf({ id }: Found): Sleep {
    const entry = this.#entries.get(id)
    const { wakeMs, problem } = this.#outcomes.get(id) ?? {}
    return { state: !entry ? 'asleep' : entry.node ? 'awake' : 'waking', wakeMs, problem }
  }

  counts(): { awake: number; waking: number } {
    const all = [...this.#entries.values()]
    const awake = all.filter(({ node }) => node).length
    return { awake, waking: all.length - awake }
  }

  /** Puts a network to sleep when its requests are done, or after some time; then runs a task before it can wake again. */
  close<Result>(network: Found, task: () => Promise<Result>): Promise<Result> {
    return this.#mutex.run(network.id, async () => {
      const entry = this.#entries.get(network.id)
      if (entry) {
        if (entry.cuts.size > 0) {
          const idle = new Promise<void>((resolve) => Object.assign(entry, { onIdle: resolve }))
          await within(this.#clock, graceMs, idle, () => {})
        }
        // The network closes its WebSockets with a code, and answers what still runs.
        await this.#shut(entry)
        for (const cut of entry.cuts) cut()
      }
      return task()
    })
  }

  /** Puts to sleep what is not in a list. */
  async closeOthers(known: readonly Found[]): Promise<void> {
    const ids = new Set(known.map(({ id }) => id))
    for (const id of this.#outcomes.keys()) if (!ids.has(id)) this.#outcomes.delete(id)
    const others = [...this.#entries.values()].filter(({ network }) => !ids.has(network.id))
    await Promise.all(others.map(({ network }) => this.close(network, async () => {})))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#timer?.cancel()
    await Promise.all(
      [...this.#entries.values()].map((entry) => this.#mutex.run(entry.network.id, () => this.#shut(entry))),
    )
  }

  #sleepQuiet(afterMs: number): void {
    for (const entry of this.#entries.values())
      if (isQuiet(entry) && this.#clock.now() - entry.usedAt >= afterMs)
        void this.#sleep(entry, 'Put a quiet network to sleep')
  }

  /** `reason`: what requests get that wait for the network to open. */
  async #shut(
    entry: Entry,
    reason: NetworkError = new NetworkError('HOSTED_NETWORK_NOT_FOUND', { name: entry.network.name }),
  ): Promise<void> {
    this.#entries.delete(entry.network.id)
    if (!entry.node) entry.opening.abort(reason)
    const node = await entry.opened.catch(() => undefined)
    await node
      ?.stop()
      .catch((error) =>
        this.#logger.error({ err: error, network: entry.network.name }, 'A network did not close cleanly'),
      )
  }

  #sleep(entry: Entry, why: string): Promise<void> {
    const { name, id } = entry.network
    return this.#mutex.run(id, async () => {
      if (this.#entries.get(id) !== entry || entry.cuts.size > 0) return
      await this.#shut(entry)
      this.#logger.info({ network: name }, why)
    })
  }

  /** Makes room for one more network. */
  async #makeRoom(): Promise<void> {
    while (this.#entries.size >= this.#awakeLimit) {
      const quiet = [...this.#entries.values()].filter(isQuiet).sort((a, b) => a.usedAt - b.usedAt)
      const [oldest] = quiet
      if (oldest)
        await this.#sleep(oldest, 'Put the network to sleep that was quiet for longest, because of "awake-limit"')
      else if (!(await this.#stopWaiting()))
        throw new NetworkError('AWAKE_NETWORK_LIMIT_EXCEEDED', { limit: this.#awakeLimit })
    }
  }

  /** Gives up the network that has been opening for longest, if that is long. Returns whether there was one. */
  async #stopWaiting(): Promise<boolean> {
    const late = [...this.#entries.values()].find(
      ({ node, usedAt }) => node === undefined && this.#clock.now() - usedAt >= openingMs,
    )
    if (!late) return false
    const { name, id } = late.network
    await this.#mutex.run(id, async () => {
      if (this.#entries.get(id) !== late || late.node) return
      await this.#shut(late, new NetworkError('AWAKE_NETWORK_LIMIT_EXCEEDED', { limit: this.#awakeLimit }))
      this.#logger.warn({ network: name }, 'Gave up a network that was slow to open, because of "awake-limit"')
    })
    return true
  }

  #wake(network: Found): Entry {
    const { name, id } = network
    const startedAt = performance.now()
    const opening = new AbortController()
    const entry: Entry = {
      ...{ network, node: undefined, cuts: new Set<() => void>(), usedAt: this.#clock.now(), onIdle() {} },
      opening,
      opened: this.#open(network, opening.signal).catch((error) => {
        throw opening.signal.reason ?? error
      }),
    }
    this.#entries.set(id, entry)
    entry.opened.then(
      (node) => {
        entry.node = node
        const wakeMs = Math.round(performance.now() - startedAt)
        this.#outcomes.set(id, { wakeMs, problem: undefined })
        this.#logger.info({ network: name, ms: wakeMs }, 'Woke a network')
        void node.failed.then((error) => {
          if (this.#entries.get(id) !== entry) return
          this.#logger.error({ err: error, network: name }, 'A network failed; the next request opens it again')
          this.#outcomes.set(id, { wakeMs, problem: error.message })
          void this.close(network, async () => {})
        })
      },
      (error) => {
        if (this.#entries.get(id) === entry) this.#entries.delete(id)
        const problem = error instanceof Error ? error.message : String(error)
        this.#outcomes.set(id, { wakeMs: this.#outcomes.get(id)?.wakeMs, problem })
        this.#logger.warn({ network: name, problem }, 'Could not open a network; the next request tries it again')
      },
    )
    return entry
  }

  async #enter(network: Found): Promise<Entry> {
    const known = this.#entries.get(network.id)
    if (known?.node) return known
    return this.#mutex.run(network.id, async () => {
      if (this.#isStopping) throw new NetworkError('HOSTED_NETWORK_NOT_FOUND', { name: network.name })
      const entry = this.#entries.get(network.id)
      if (entry) return entry
      await this.#makeRoom()
      return this.#wake(network)
    })
  }
}

const isQuiet = ({ node, cuts }: Entry) => node !== undefined && cuts.size === 0
