import type { BranchRequest } from '../../rpc/services.ts'
import { type Clock, type Timer, within } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import { createKeyedMutex } from '../../shared/mutex.ts'
import type { NetworkNumber } from '../../storage/branches/layers.ts'
import type { OpenNetwork } from './branchPoint.ts'
import type { NamedBranch } from './branchRecords.ts'
import { BranchUse, currentRequest } from './branchUse.ts'
import type { OpenBranch } from './openBranch.ts'

/** A branch that no client has used for this long is closed; the next request opens it again. */
const quietMs = 30_000
/** The most branches that are open while no client uses them. */
const quietLimit = 200
/** How long its requests may take to finish before a branch is closed to be removed. */
const graceMs = 2_000

/** A network that is open while it is used. */
export type UsedNetwork = {
  network: OpenNetwork
  /** Answers a request, until the branch is closed. */
  answer<Answer>(request: BranchRequest<Answer>): Answer | Promise<Answer>
  release(): void
}

/** The branches that are open because they are used, or were a moment ago. */
export type OpenBranches = {
  /**
   * Opens a branch if necessary; it stays open until it is released, or closed by a removal or a stop: then running
   * requests fail, and `cut` is called. Throws what `open` throws.
   */
  use(branch: NamedBranch, cut: (reason: NetworkError) => void): Promise<UsedNetwork>
  /** Runs a task on a branch, which is not closed before the task ends. */
  run<Result>(branch: NamedBranch, task: (network: OpenNetwork) => Promise<Result>): Promise<Result>
  /**
   * Closes a branch if it is open, when its requests are done or after some time, and then runs a task, before it can
   * be opened again.
   */
  close(branch: NamedBranch, reason: NetworkError, task: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** `open` throws if the branch was removed. */
type Needs = { open(branch: NamedBranch): Promise<OpenBranch>; clock: Clock; logger: Logger }

type Entry = {
  branch: NamedBranch
  network: Promise<OpenBranch>
  uses: Set<BranchUse>
  /** Tasks of this process. */
  tasks: Set<Promise<unknown>>
  isClosing: boolean
  /** Closes it when it is quiet. */
  timer: Timer | undefined
}

export function createOpenBranches({ open, clock, logger }: Needs): OpenBranches {
  /** The one that was used last comes last. */
  const entries = new Map<NetworkNumber, Entry>()
  const mutex = createKeyedMutex<NetworkNumber>()

  const isQuiet = ({ uses, tasks }: Entry) => uses.size === 0 && tasks.size === 0

  /** Returns whether it was closed: not if it is used again. */
  function closeQuiet(number: NetworkNumber): Promise<void> {
    return mutex.run(number, async () => {
      const entry = entries.get(number)
      if (entry && isQuiet(entry)) await shut(entry)
    })
  }

  async function shut(entry: Entry): Promise<void> {
    entry.timer?.cancel()
    entries.delete(entry.branch.number)
    const network = await entry.network.catch(() => undefined)
    await network?.stop().catch((error) => logger.error({ err: error }, 'A branch did not close cleanly'))
  }

  function closeOldest(): void {
    // Every request comes here.
    if (entries.size <= quietLimit) return
    const quiet = [...entries].filter(([, entry]) => isQuiet(entry))
    for (const [number] of quiet.slice(0, Math.max(0, quiet.length - quietLimit))) void closeQuiet(number)
  }

  function released(entry: Entry): void {
    const { number } = entry.branch
    if (!isQuiet(entry) || entries.get(number) !== entry) return
    entry.timer?.cancel()
    entry.timer = clock.after(quietMs, () => void closeQuiet(number))
    entries.delete(number)
    entries.set(number, entry)
    closeOldest()
  }

  /** `begin` is called at once, so that the branch stays open. */
  async function enter(branch: NamedBranch, begin: (entry: Entry) => void): Promise<Entry> {
    const known = entries.get(branch.number)
    if (known && !known.isClosing) {
      known.timer?.cancel()
      begin(known)
      return known
    }
    return mutex.run(branch.number, async () => {
      const entry = entries.get(branch.number) ?? {
        ...{ branch, network: open(branch), uses: new Set(), tasks: new Set(), isClosing: false, timer: undefined },
      }
      entry.network.catch(() => entries.delete(branch.number))
      entries.set(branch.number, entry)
      entry.timer?.cancel()
      begin(entry)
      return entry
    })
  }

  /** Waits for requests and tasks; only so long for requests. */
  async function finished(entry: Entry): Promise<void> {
    const asking = currentRequest()
    const running = [...entry.uses].flatMap(({ requests }) => [...requests]).filter((request) => request !== asking)
    const answered = Promise.all(running.map((request) => request.finished()))
    if (running.length > 0) await within(clock, graceMs, answered, () => {})
    while (entry.tasks.size > 0) await Promise.allSettled(entry.tasks)
  }

  async function end(entry: Entry, reason: NetworkError): Promise<void> {
    const asking = currentRequest()
    for (const use of entry.uses) use.end(reason, asking)
    await shut(entry)
  }

  return {
    async use(branch, cut) {
      const use = new BranchUse(cut)
      const entry = await enter(branch, ({ uses }) => uses.add(use))
      const release = () => {
        if (entry.uses.delete(use)) released(entry)
      }
      try {
        const network = await entry.network
        if (use.refusal) throw use.refusal
        return { network, release, answer: (request) => use.answer(request) }
      } catch (error) {
        release()
        throw error
      }
    },
    async run(branch, task) {
      let done = () => {}
      const running = new Promise<void>((resolve) => {
        done = resolve
      })
      const entry = await enter(branch, ({ tasks }) => tasks.add(running))
      try {
        return await task(await entry.network)
      } finally {
        entry.tasks.delete(running)
        done()
        released(entry)
      }
    },
    close: (branch, reason, task) =>
      mutex.run(branch.number, async () => {
        const entry = entries.get(branch.number)
        if (entry) {
          entry.isClosing = true
          for (const use of entry.uses) use.refuse(reason)
          await finished(entry)
          await end(entry, reason)
        }
        await task()
      }),
    async stop() {
      await Promise.all(
        [...entries].map(([number, entry]) =>
          mutex.run(number, async () => {
            if (entries.get(number) === entry)
              await end(entry, new NetworkError('BRANCH_CLOSED', { branch: entry.branch.name }))
          }),
        ),
      )
    },
  }
}
