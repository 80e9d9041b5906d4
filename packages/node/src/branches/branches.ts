import type { Startup } from '../chain/rewind/wipes.ts'
import type { Clock, Timer } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import type { NetworkNumber } from '../storage/branches/layers.ts'
import { createId } from '../storage/createId.ts'
import type { Database } from '../storage/database.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import type { Branch, BranchComparison, Branches, PromotedBranch } from './branch.ts'
import {
  type BranchedServices,
  type NetworkParts,
  type OpenBranch,
  type OpenNetwork,
  pointAfter,
  pointAt,
} from './branchPoint.ts'
import { BranchRecords, type NamedBranch } from './branchRecords.ts'
import { commonAncestorOf } from './commonAncestor.ts'
import { compare } from './comparison.ts'
import { OpenBranches } from './openBranches.ts'
import { promote } from './promotion.ts'
import { createRemovals, notFound } from './removals.ts'

type Needs<Services> = {
  database: Database
  /** The network itself. Called when it is open. */
  network(): OpenNetwork<Services>
  open(branch: NamedBranch): Promise<OpenBranch<Services>>
  /** Of a branch: whether it was made or opened since the process started. */
  startupOf(branch: NetworkNumber): Startup
  /** Where clients reach the server; `undefined` until it listens. */
  listensAt: () => string | undefined
  clock: Clock
  logger: Logger
}

/** The most networks whose rows a branch reads: each is one more search in most reads. */
const layerLimit = 8
/** When the creation of a branch is warmed up, in milliseconds after the start. */
const warmUpMs = 1000
type WantedBranch<Services> = Parameters<Branches<Services>['create']>[0]

/** The branches of a network, and of its branches. */
export class NetworkBranches<Services extends BranchedServices> {
  readonly records: BranchRecords
  readonly #branchLimit: number
  readonly #needs: Needs<Services>
  readonly #networks: OpenBranches<Services>
  readonly #removals: ReturnType<typeof createRemovals>
  #warmUp: Timer | undefined

  private constructor(branchLimit: number, records: BranchRecords, needs: Needs<Services>) {
    const { open, clock, logger, startupOf } = needs
    this.records = records
    this.#branchLimit = branchLimit
    this.#needs = needs
    // It may have been renamed or removed since it was looked for.
    this.#networks = new OpenBranches({ open: async ({ id }) => open(this.#require(id)), clock, logger })
    this.#removals = createRemovals({ records, networks: this.#networks, startupOf, clock, logger })
  }

  /** `branchLimit`: the most branches, with those of branches. */
  static async open<Services extends BranchedServices>(
    { branchLimit }: { branchLimit: number },
    needs: Needs<Services>,
  ): Promise<NetworkBranches<Services>> {
    return new NetworkBranches(branchLimit, await BranchRecords.open(needs.database), needs)
  }

  of(parts: NetworkParts): Branches<Services> {
    return {
      create: (wanted) => this.#create(parts, wanted),
      list: () => this.records.list().map((branch) => this.#describe(branch)),
      remove: async (idOrName) => this.#removals.remove(this.#require(idOrName)),
      rename: async (idOrName, name, label) => this.#rename(this.#require(idOrName), name, label),
      compare: (...wanted) => this.#compare(parts.number, wanted),
      promote: async (idOrName) => this.#promote(this.#require(idOrName), parts.number),
      use: async (idOrName, cut) => {
        const { network, ...used } = await this.#networks.use(this.#require(idOrName), cut)
        return { services: network.services, ...used }
      },
      urlOf: ({ path }) => `${this.#needs.listensAt() ?? ''}${path}`,
    }
  }

  /** Begins to remove what expires, on memory that is up to date. */
  async start(): Promise<void> {
    const { clock, logger } = this.#needs
    await this.#removals.start()
    this.#warmUp = clock.after(warmUpMs, () => {
      this.records.warmUp().catch((error) => logger.debug({ err: error }, 'Could not warm up the creation of branches'))
    })
  }

  /** Closes all branches. It may be started again. */
  async stop(): Promise<void> {
    this.#warmUp?.cancel()
    this.#removals.pause()
    await this.#networks.stop()
    await this.#removals.stop()
  }

  /** Loads what another node stored. */
  async refresh(notice: ChangeNotice): Promise<void> {
    if (notice.isChanged('branches')) await this.records.reload()
  }

  #require(idOrName: string): NamedBranch {
    const found = this.records.find(idOrName)
    if (!found) throw notFound(idOrName)
    return found
  }

  #requireFree(name: string): void {
    if (this.records.find(name)) throw new NetworkError('BRANCH_EXISTS', { name })
  }

  #branchOf(number: NetworkNumber): NamedBranch | undefined {
    return this.records.list().find((branch) => branch.number === number)
  }

  #describe({ number: _, layers: __, parent, ...branch }: NamedBranch): Branch {
    return { ...branch, path: pathOf(branch.name), parent: this.#branchOf(parent)?.name }
  }

  /** Runs a task on a network that is open until it ends. */
  async #using<T>(branch: NamedBranch | undefined, task: (network: OpenNetwork<Services>) => Promise<T>): Promise<T> {
    return branch ? this.#networks.run(branch, task) : task(this.#needs.network())
  }

  async #create(parts: NetworkParts, wanted: WantedBranch<Services>): Promise<Branch> {
    const added = await parts.state.exclusive(() => this.#add(parts, wanted))
    this.#needs.startupOf(added.number).end()
    // The transactions run when it is opened.
    if (wanted.afterTransaction)
      await this.#using(added, async () => {}).catch(async (error) => {
        await this.#removals.remove(added)
        throw error
      })
    this.#needs.logger.info({ branch: added.name, block: added.blockNumber }, 'Made a branch')
    return this.#describe(added)
  }

  async #add(
    parts: NetworkParts,
    { name, label, at, afterTransaction, expiresAt, isEphemeral = false }: WantedBranch<Services>,
  ): Promise<NamedBranch> {
    const { number } = parts
    const id = createId()
    // It may have waited while its parent was removed.
    if (number !== 0 && !this.#branchOf(number)) throw notFound(String(number))
    if (name !== undefined) this.#requireFree(name)
    const limit = this.#branchLimit
    if (this.records.list().length >= limit)
      throw new NetworkError('LIMIT_EXCEEDED', {
        what: 'branches; remove some, give them a ttl, or set --branch-limit',
        limit,
      })
    if (this.records.layersOf(number).length >= layerLimit)
      throw new NetworkError('LIMIT_EXCEEDED', { what: 'branches of branches, one of the other', limit: layerLimit })
    const { point, past } = await (afterTransaction ? pointAfter(afterTransaction, parts) : pointAt(at, parts))
    const blockNumber = BigInt(point.block)
    const branch = {
      id,
      name: name ?? id,
      label,
      parent: number,
      blockNumber,
      createdAt: this.#needs.clock.now(),
      expiresAt,
      isEphemeral,
    }
    return this.records.add(branch, point, past)
  }

  async #rename(branch: NamedBranch, name: string, label = branch.label): Promise<Branch> {
    if (branch.name === name && branch.label === label) return this.#describe(branch)
    if (branch.name !== name) this.#requireFree(name)
    return this.#describe(await this.records.rename(branch, { name, label }))
  }

  async #compare(
    number: NetworkNumber,
    [a, b, page]: Parameters<Branches<Services>['compare']>,
  ): Promise<BranchComparison> {
    const [first, second] = [this.#require(a), b === undefined ? this.#branchOf(number) : this.#require(b)]
    return this.#using(first, (inA) =>
      this.#using(second, (inB) =>
        compare({ a: inA, b: inB }, page, {
          queries: this.#needs.database.queries,
          commonAncestor: commonAncestorOf(inA.number, inB.number, this.records),
        }),
      ),
    )
  }

  /** `askedAt`: the network whose clients learn of the call by its answer. */
  async #promote(branch: NamedBranch, askedAt: NetworkNumber): Promise<PromotedBranch> {
    const parent = this.#branchOf(branch.parent)
    if (!parent && branch.parent !== 0)
      throw new NetworkError('UNSUPPORTED', { what: 'a promotion to a parent that was removed' })
    const promoted = await this.#using(parent, async (to) => {
      const done = await this.#using(branch, (from) =>
        promote({ ...from, name: branch.name }, to, {
          queries: this.#needs.database.queries,
          commonAncestor: () => commonAncestorOf(from.number, to.number, this.records),
        }),
      )
      await to.services.submission.dropUsed()
      if (to.number !== askedAt) to.services.changes.emit('changed', { method: 'dev_promoteBranch' })
      return done
    })
    this.#needs.logger.info({ branch: branch.name, ...promoted }, 'Promoted a branch')
    return { parent: parent?.name, ...promoted }
  }
}

/** The path behind the server. */
export const pathOf = (name: string): string => `/n/${encodeURIComponent(name)}`
