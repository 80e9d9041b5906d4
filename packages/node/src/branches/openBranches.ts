import type { MaybePromise } from '../shared/async/maybePromise.ts'
import { createKeyedMutex } from '../shared/async/mutex.ts'
import { type Clock, type Timer, within } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import type { NetworkNumber } from '../storage/branches/layers.ts'
import type { BranchRequest } from './branch.ts'
import type { OpenBranch, OpenNetwork } from './branchPoint.ts'
import type { NamedBranch } from './branchRecords.ts'
import { BranchUse, currentRequest } from './branchUse.ts'

/** A branch that no client has used for this long is closed; the next request opens it again. */
const quietMs = 30_000
/** The most branches that are open while no client uses them. */
const quietLimit = 200
/** How long its requests may take to finish before a branch is closed to be removed. */
const graceMs = 2_000

/** A network that is open while it is used. */
export type UsedNetwork<Services> = {
  network: OpenNetwork<Services>
  /** Answers a request, until the branch is closed. */
  answer<Answer>(request: BranchRequest<Answer>): MaybePromise<Answer>
  release(): void
}

/** `open` throws if the branch was removed. */
type Needs<Services> = { open(branch: NamedBranch): Promise<OpenBranch<Services>>; clock: Clock; logger: Logger }

type Entry<Services> = {
  branch: NamedBranch
  network: Promise<OpenBranch<Services>>
  uses: Set<BranchUse>
  /** Tasks of this process. */
  tasks: Set<Promise<unknown>>
  isClosing: boolean
  /** Closes it when it is quiet. */
  timer: Timer | undefined
}

/** The branches that are open because they are used, or were a moment ago. */
export class OpenBranches<Services> {
  readonly #needs: Needs<Services>
  /** The one that was used last comes last. */
  readonly #entries = new Map<NetworkNumber, Entry<Services>>()
  readonly #mutex = createKeyedMutex<NetworkNumber>()

  constructor(needs: Needs<Services>) {
    this.#needs = needs
  }

  /**
   * Opens a branch if necessary; it stays open until it is released, or closed by a removal or a stop: then running
   * requests fail, and `cut` is called. Throws what `open` throws.
   */
  async use(branch: NamedBranch, cut: (reason: NetworkError) => void): Promise<UsedNetwork<Services>> {
    const use = new BranchUse(cut)
    const entry = await this.#enter(branch, ({ uses }) => uses.add(use))
    const release = () => {
      if (entry.uses.delete(use)) this.#released(entry)
    }
    try {
      const network = await entry.network
      if (use.refusal) throw use.refusal
      return { network, release, answer: (request) => use.answer(request) }
    } catch (error) {
      release()
      throw error
    }
  }

  /** Runs a task on a branch, which is not closed before the task ends. */
  async run<Result>(branch: NamedBranch, task: (network: OpenNetwork<Services>) => Promise<Result>): Promise<Result> {
    let done = () => {}
    const running = new Promise<void>((resolve) => {
      done = resolve
    })
    const entry = await this.#enter(branch, ({ tasks }) => tasks.add(running))
    try {
      return await task(await entry.network)
    } finally {
      entry.tasks.delete(running)
      done()
      this.#released(entry)
    }
  }

  /**
   * Closes a branch if it is open, when its requests are done or after some time, and then runs a task, before it can
   * be opened again.
   */
  close(branch: NamedBranch, reason: NetworkError, task: () => Promise<void>): Promise<void> {
    return this.#mutex.run(branch.number, async () => {
      const entry = this.#entries.get(branch.number)
      if (entry) {
        entry.isClosing = true
        for (const use of entry.uses) use.refuse(reason)
        await this.#finished(entry)
        await this.#end(entry, reason)
      }
      await task()
    })
  }

  async stop(): Promise<void> {
    await Promise.all(
      [...this.#entries].map(([number, entry]) =>
        this.#mutex.run(number, async () => {
          if (this.#entries.get(number) === entry)
            await this.#end(entry, new NetworkError('BRANCH_CLOSED', { branch: entry.branch.name }))
        }),
      ),
    )
  }

  /** Closes a branch, unless it is used again. */
  #closeQuiet(number: NetworkNumber): Promise<void> {
    return this.#mutex.run(number, async () => {
      const entry = this.#entries.get(number)
      if (entry && isQuiet(entry)) await this.#shut(entry)
    })
  }

  async #shut(entry: Entry<Services>): Promise<void> {
    entry.timer?.cancel()
    this.#entries.delete(entry.branch.number)
    const network = await entry.network.catch(() => undefined)
    await network?.stop().catch((error) => this.#needs.logger.error({ err: error }, 'A branch did not close cleanly'))
  }

  #closeOldest(): void {
    // Every request comes here.
    if (this.#entries.size <= quietLimit) return
    const quiet = [...this.#entries].filter(([, entry]) => isQuiet(entry))
    for (const [number] of quiet.slice(0, Math.max(0, quiet.length - quietLimit))) void this.#closeQuiet(number)
  }

  #released(entry: Entry<Services>): void {
    const { number } = entry.branch
    if (!isQuiet(entry) || this.#entries.get(number) !== entry) return
    entry.timer?.cancel()
    entry.timer = this.#needs.clock.after(quietMs, () => void this.#closeQuiet(number))
    this.#entries.delete(number)
    this.#entries.set(number, entry)
    this.#closeOldest()
  }

  /** `begin` is called at once, so that the branch stays open. */
  async #enter(branch: NamedBranch, begin: (entry: Entry<Services>) => void): Promise<Entry<Services>> {
    const known = this.#entries.get(branch.number)
    if (known && !known.isClosing) {
      known.timer?.cancel()
      begin(known)
      return known
    }
    return this.#mutex.run(branch.number, async () => {
      const entry = this.#entries.get(branch.number) ?? {
        branch,
        network: this.#needs.open(branch),
        uses: new Set(),
        tasks: new Set(),
        isClosing: false,
        timer: undefined,
      }
      entry.network.catch(() => this.#entries.delete(branch.number))
      this.#entries.set(branch.number, entry)
      entry.timer?.cancel()
      begin(entry)
      return entry
    })
  }

  /** Waits for requests and tasks; only so long for requests. */
  async #finished(entry: Entry<Services>): Promise<void> {
    const asking = currentRequest()
    const running = [...entry.uses].flatMap(({ requests }) => [...requests]).filter((request) => request !== asking)
    const answered = Promise.all(running.map((request) => request.finished()))
    if (running.length > 0) await within(this.#needs.clock, graceMs, answered, () => {})
    while (entry.tasks.size > 0) await Promise.allSettled(entry.tasks)
  }

  async #end(entry: Entry<Services>, reason: NetworkError): Promise<void> {
    const asking = currentRequest()
    for (const use of entry.uses) use.end(reason, asking)
    await this.#shut(entry)
  }
}

const isQuiet = ({ uses, tasks }: Entry<unknown>) => uses.size === 0 && tasks.size === 0
