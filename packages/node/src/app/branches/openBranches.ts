import { type Clock, type Timer, within } from '../../shared/clock.ts'
import type { Logger } from '../../shared/logger.ts'
import { createKeyedMutex } from '../../shared/mutex.ts'
import type { NetworkNumber } from '../../storage/branches/layers.ts'
import type { OpenNetwork } from './branchPoint.ts'
import type { NamedBranch } from './branchRecords.ts'
import type { OpenBranch } from './openBranch.ts'

/** A branch that no client has used for this long is closed; the next request opens it again. */
const quietMs = 30_000
/** The most branches that are open while no client uses them. */
const quietLimit = 200
/** How long its requests may take to finish before a branch is closed to be removed. */
const graceMs = 2_000

/** A network that is open while it is used. */
export type UsedNetwork = { network: OpenNetwork; release(): void }

/** The branches that are open because they are used, or were a moment ago. */
export type OpenBranches = {
  /** Opens a branch if necessary; it stays open until it is released. */
  use(branch: NamedBranch): Promise<UsedNetwork>
  /** Closes a branch if it is open, when its requests are done or after some time. */
  close(number: NetworkNumber): Promise<void>
  stop(): Promise<void>
}

type Needs = { open(branch: NamedBranch): Promise<OpenBranch>; clock: Clock; logger: Logger }

type Entry = {
  network: Promise<OpenBranch>
  users: number
  /** Closes it when it is quiet. */
  timer: Timer | undefined
  onIdle: () => void
}

export function createOpenBranches({ open, clock, logger }: Needs): OpenBranches {
  /** The one that was used last comes last. */
  const entries = new Map<NetworkNumber, Entry>()
  const mutex = createKeyedMutex<NetworkNumber>()

  /** Returns whether it was closed: not if it is used again. */
  function closeQuiet(number: NetworkNumber): Promise<void> {
    return mutex.run(number, async () => {
      const entry = entries.get(number)
      if (entry?.users === 0) await shut(number, entry)
    })
  }

  async function shut(number: NetworkNumber, entry: Entry): Promise<void> {
    entry.timer?.cancel()
    entries.delete(number)
    const network = await entry.network.catch(() => undefined)
    await network?.stop().catch((error) => logger.error({ err: error }, 'A branch did not close cleanly'))
  }

  function closeOldest(): void {
    // Every request comes here.
    if (entries.size <= quietLimit) return
    const quiet = [...entries].filter(([, { users }]) => users === 0)
    for (const [number] of quiet.slice(0, Math.max(0, quiet.length - quietLimit))) void closeQuiet(number)
  }

  function release(number: NetworkNumber, entry: Entry): void {
    entry.users--
    if (entry.users > 0) return
    entry.onIdle()
    entry.timer?.cancel()
    entry.timer = clock.after(quietMs, () => void closeQuiet(number))
    if (entries.get(number) === entry) {
      entries.delete(number)
      entries.set(number, entry)
    }
    closeOldest()
  }

  async function enter(branch: NamedBranch): Promise<Entry> {
    const known = entries.get(branch.number)
    if (known) {
      known.users++
      known.timer?.cancel()
      return known
    }
    return mutex.run(branch.number, async () => {
      const entry = entries.get(branch.number) ?? { network: open(branch), users: 0, timer: undefined, onIdle() {} }
      entry.network.catch(() => entries.delete(branch.number))
      entries.set(branch.number, entry)
      entry.users++
      return entry
    })
  }

  return {
    async use(branch) {
      const entry = await enter(branch)
      let isReleased = false
      const leave = () => {
        if (!isReleased) release(branch.number, entry)
        isReleased = true
      }
      const network = await entry.network.catch((error) => {
        leave()
        throw error
      })
      return { network, release: leave }
    },
    close: (number) =>
      mutex.run(number, async () => {
        const entry = entries.get(number)
        if (!entry) return
        if (entry.users > 0)
          await within(
            clock,
            graceMs,
            new Promise<void>((resolve) => Object.assign(entry, { onIdle: resolve })),
            () => {},
          )
        await shut(number, entry)
      }),
    async stop() {
      await Promise.all([...entries].map(([number, entry]) => mutex.run(number, () => shut(number, entry))))
    },
  }
}
