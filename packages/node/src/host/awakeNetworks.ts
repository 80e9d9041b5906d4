import type { Node } from '../app/createNode.ts'
import { type Clock, every, type Timer, within } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import { createKeyedMutex } from '../shared/mutex.ts'

/** A network as the host finds it: by its name, and by an id that no earlier network of that name has. */
export type Found = { name: string; id: string }

/** Something that keeps a network awake until it is released: a request, or a WebSocket. */
export type Use = { node: Node; release(): void }

export type Sleep = {
  state: 'asleep' | 'waking' | 'awake'
  wakeMs: number | undefined
  problem: string | undefined
}

/** The networks that are awake because they are used, or were a moment ago. */
export type AwakeNetworks = {
  /** Wakes a network if it is asleep. `cut` is called when the network was stopped before the use ended. */
  use(network: Found, cut: () => void): Promise<Use>
  /** A network that is awake, without keeping it so. */
  peek(network: Found): Node | undefined
  stateOf(network: Found): Sleep
  counts(): { awake: number; waking: number }
  /** Puts a network to sleep when its requests are done, or after some time; then runs a task before it can wake again. */
  close<Result>(network: Found, task: () => Promise<Result>): Promise<Result>
  /** Puts to sleep what is not in a list. */
  closeOthers(known: readonly Found[]): Promise<void>
  stop(): Promise<void>
}

type Options = { sleepAfterMs: number | undefined; awakeLimit: number }

type Needs = {
  /** Gives up when the signal is aborted: the network's place is needed. */
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
/** How long a network may take to open before another one may have its place, in milliseconds: its live chain may hang. */
const openingMs = 2_000
/** How often networks are put to sleep that are quiet, in milliseconds. */
const lookMs = 1_000

export function createAwakeNetworks(
  { sleepAfterMs, awakeLimit }: Options,
  { open, clock, logger }: Needs,
): AwakeNetworks {
  const entries = new Map<string, Entry>()
  const outcomes = new Map<string, Pick<Sleep, 'wakeMs' | 'problem'>>()
  const mutex = createKeyedMutex<string>()
  let isStopping = false

  const isQuiet = ({ node, cuts }: Entry) => node !== undefined && cuts.size === 0

  /** `reason`: what requests get that wait for the network to open. */
  async function shut(
    entry: Entry,
    reason: NetworkError = new NetworkError('HOSTED_NETWORK_NOT_FOUND', { name: entry.network.name }),
  ): Promise<void> {
    entries.delete(entry.network.id)
    if (!entry.node) entry.opening.abort(reason)
    const node = await entry.opened.catch(() => undefined)
    await node
      ?.stop()
      .catch((error) => logger.error({ err: error, network: entry.network.name }, 'A network did not close cleanly'))
  }

  function sleep(entry: Entry, why: string): Promise<void> {
    const { name, id } = entry.network
    return mutex.run(id, async () => {
      if (entries.get(id) !== entry || entry.cuts.size > 0) return
      await shut(entry)
      logger.info({ network: name }, why)
    })
  }

  const timer: Timer | undefined =
    sleepAfterMs === undefined
      ? undefined
      : every(clock, lookMs, () => {
          for (const entry of entries.values())
            if (isQuiet(entry) && clock.now() - entry.usedAt >= sleepAfterMs)
              void sleep(entry, 'Put a quiet network to sleep')
        })

  /** Makes room for one more network. */
  async function makeRoom(): Promise<void> {
    while (entries.size >= awakeLimit) {
      const quiet = [...entries.values()].filter(isQuiet).sort((a, b) => a.usedAt - b.usedAt)
      const [oldest] = quiet
      if (oldest) await sleep(oldest, 'Put the network to sleep that was quiet for longest, because of "awake-limit"')
      else if (!(await stopWaiting())) throw new NetworkError('HOSTED_NETWORKS_BUSY', { limit: awakeLimit })
    }
  }

  /** Gives up the network that has been opening for longest, if that is long. Returns whether there was one. */
  async function stopWaiting(): Promise<boolean> {
    const late = [...entries.values()].find(
      ({ node, usedAt }) => node === undefined && clock.now() - usedAt >= openingMs,
    )
    if (!late) return false
    const { name, id } = late.network
    await mutex.run(id, async () => {
      if (entries.get(id) !== late || late.node) return
      await shut(late, new NetworkError('HOSTED_NETWORKS_BUSY', { limit: awakeLimit }))
      logger.warn({ network: name }, 'Gave up a network that was slow to open, because of "awake-limit"')
    })
    return true
  }

  function wake(network: Found): Entry {
    const { name, id } = network
    const startedAt = performance.now()
    const opening = new AbortController()
    const entry: Entry = {
      ...{ network, node: undefined, cuts: new Set<() => void>(), usedAt: clock.now(), onIdle() {} },
      opening,
      opened: open(network, opening.signal).catch((error) => {
        throw opening.signal.reason ?? error
      }),
    }
    entries.set(id, entry)
    entry.opened.then(
      (node) => {
        entry.node = node
        const wakeMs = Math.round(performance.now() - startedAt)
        outcomes.set(id, { wakeMs, problem: undefined })
        logger.info({ network: name, ms: wakeMs }, 'Woke a network')
        void node.failed.then((error) => {
          if (entries.get(id) !== entry) return
          logger.error({ err: error, network: name }, 'A network failed; the next request opens it again')
          outcomes.set(id, { wakeMs, problem: error.message })
          void close(network, async () => {})
        })
      },
      (error) => {
        if (entries.get(id) === entry) entries.delete(id)
        const problem = error instanceof Error ? error.message : String(error)
        outcomes.set(id, { wakeMs: outcomes.get(id)?.wakeMs, problem })
        logger.warn({ network: name, problem }, 'Could not open a network; the next request tries it again')
      },
    )
    return entry
  }

  async function enter(network: Found): Promise<Entry> {
    const known = entries.get(network.id)
    if (known?.node) return known
    return mutex.run(network.id, async () => {
      if (isStopping) throw new NetworkError('HOSTED_NETWORK_NOT_FOUND', { name: network.name })
      const entry = entries.get(network.id)
      if (entry) return entry
      await makeRoom()
      return wake(network)
    })
  }

  function close<Result>(network: Found, task: () => Promise<Result>): Promise<Result> {
    return mutex.run(network.id, async () => {
      const entry = entries.get(network.id)
      if (entry) {
        if (entry.cuts.size > 0) {
          const idle = new Promise<void>((resolve) => Object.assign(entry, { onIdle: resolve }))
          await within(clock, graceMs, idle, () => {})
        }
        // The network closes its WebSockets with a code, and answers what still runs.
        await shut(entry)
        for (const cut of entry.cuts) cut()
      }
      return task()
    })
  }

  return {
    async use(network, cut) {
      const entry = await enter(network)
      entry.cuts.add(cut)
      const release = () => {
        if (!entry.cuts.delete(cut)) return
        entry.usedAt = clock.now()
        if (entry.cuts.size === 0) entry.onIdle()
      }
      try {
        return { node: entry.node ?? (await entry.opened), release }
      } catch (error) {
        release()
        throw error
      }
    },
    peek: ({ id }) => entries.get(id)?.node,
    stateOf({ id }) {
      const entry = entries.get(id)
      const { wakeMs, problem } = outcomes.get(id) ?? {}
      return { state: !entry ? 'asleep' : entry.node ? 'awake' : 'waking', wakeMs, problem }
    },
    counts() {
      const all = [...entries.values()]
      const awake = all.filter(({ node }) => node).length
      return { awake, waking: all.length - awake }
    },
    close,
    async closeOthers(known) {
      const ids = new Set(known.map(({ id }) => id))
      for (const id of outcomes.keys()) if (!ids.has(id)) outcomes.delete(id)
      const others = [...entries.values()].filter(({ network }) => !ids.has(network.id))
      await Promise.all(others.map(({ network }) => close(network, async () => {})))
    },
    async stop() {
      isStopping = true
      timer?.cancel()
      await Promise.all([...entries.values()].map((entry) => mutex.run(entry.network.id, () => shut(entry))))
    },
  }
}
