import type { Branch, BranchComparison, Branches, PromotedBranch } from '../../rpc/services.ts'
import type { Clock, Timer } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import type { NetworkNumber } from '../../storage/branches/layers.ts'
import type { ChangeNotice } from '../../storage/changeNotice.ts'
import { createId } from '../../storage/createId.ts'
import type { Database } from '../../storage/database.ts'
import { type NetworkParts, type OpenNetwork, pointAfter, pointAt } from './branchPoint.ts'
import { type BranchRecords, type NamedBranch, openBranchRecords } from './branchRecords.ts'
import { compare } from './comparison.ts'
import type { OpenBranch } from './openBranch.ts'
import { createOpenBranches } from './openBranches.ts'
import { partingOf } from './parting.ts'
import { promote } from './promotion.ts'

/** The branches of a network, and of its branches. */
export type NetworkBranches = {
  records: BranchRecords
  of(network: NetworkParts): Branches
  /** Begins to remove what expires, on memory that is up to date. */
  start(): Promise<void>
  /** Closes all branches. It may be started again. */
  stop(): Promise<void>
  /** Loads what another node stored. */
  refresh(notice: ChangeNotice): Promise<void>
}

type Needs = {
  database: Database
  /** The network itself. Called when it is open. */
  network(): OpenNetwork
  open(branch: NamedBranch): Promise<OpenBranch>
  /** Where the server listens; `undefined` until it does. */
  listensAt: () => string | undefined
  clock: Clock
  logger: Logger
}

/** The most networks whose rows a branch reads: each is one more search in most reads. */
const layerLimit = 8
/** How often expired branches are removed, in milliseconds. */
const expiryMs = 1000
/** When the making of a branch is rehearsed, in milliseconds after the start. */
const rehearsalMs = 1000
/** How long after the first of some branches was removed their rows are deleted, all at once, in milliseconds. */
const removalMs = 500

/** `branchLimit`: the most branches, with those of branches. */
export async function createBranches(
  { branchLimit }: { branchLimit: number },
  { database, network, open, listensAt, clock, logger }: Needs,
): Promise<NetworkBranches> {
  const records = await openBranchRecords(database)
  // It may have been renamed or removed since it was looked for.
  const networks = createOpenBranches({ open: async ({ id }) => open(require(id)), clock, logger })
  let timer: Timer | undefined
  let removal: Timer | undefined
  let rehearsal: Timer | undefined
  let removing: Promise<void> = Promise.resolve()

  function require(idOrName: string): NamedBranch {
    const found = records.find(idOrName)
    if (!found) throw notFound(idOrName)
    return found
  }

  /** Runs a task on a network that is open until it ends. */
  async function using<T>(branch: NamedBranch | undefined, task: (network: OpenNetwork) => Promise<T>): Promise<T> {
    return branch ? networks.run(branch, task) : task(network())
  }

  function requireFree(name: string): void {
    if (records.find(name)) throw new NetworkError('BRANCH_EXISTS', { name })
  }

  const describe = ({ id, name, parent, blockNumber, createdAt, expiresAt }: NamedBranch): Branch => ({
    id,
    name,
    path: pathOf(name),
    parent: branchOf(parent)?.name,
    blockNumber,
    createdAt,
    expiresAt,
  })

  async function create(
    { number, queries, state, history }: NetworkParts,
    { name, at, afterTransaction, expiresAt }: Parameters<Branches['create']>[0],
  ): Promise<Branch> {
    const added = await state.exclusive(async () => {
      const id = createId()
      // It may have waited while its parent was removed.
      if (number !== 0 && !branchOf(number)) throw notFound(String(number))
      if (name !== undefined) requireFree(name)
      if (records.list().length >= branchLimit)
        throw new NetworkError('LIMIT_EXCEEDED', {
          what: 'branches; remove some, give them a ttl, or set --branch-limit',
          limit: branchLimit,
        })
      if (records.layersOf(number).length >= layerLimit)
        throw new NetworkError('LIMIT_EXCEEDED', { what: 'branches of branches, one of the other', limit: layerLimit })
      const now = clock.now()
      const parts = { queries, state, history, now }
      const { point, past } = await (afterTransaction ? pointAfter(afterTransaction, parts) : pointAt(at, parts))
      const branch = {
        id,
        name: name ?? id,
        parent: number,
        blockNumber: BigInt(point.block),
        createdAt: now,
        expiresAt,
      }
      return records.add(branch, point, past)
    })
    // The transactions run when it is opened.
    if (afterTransaction)
      await using(added, async () => {}).catch(async (error) => {
        await remove(added)
        throw error
      })
    logger.info({ branch: added.name, block: added.blockNumber }, 'Made a branch')
    return describe(added)
  }

  const branchOf = (number: NetworkNumber) => records.list().find((branch) => branch.number === number)

  async function compareWith(
    number: NetworkNumber,
    [a, b, page]: Parameters<Branches['compare']>,
  ): Promise<BranchComparison> {
    const [first, second] = [require(a), b === undefined ? branchOf(number) : require(b)]
    return using(first, (inA) =>
      using(second, (inB) =>
        compare({ a: inA, b: inB }, page, {
          queries: database.queries,
          parting: partingOf(inA.number, inB.number, records),
        }),
      ),
    )
  }

  /** `askedAt`: the network whose clients learn of the call by its answer. */
  async function promoteBranch(branch: NamedBranch, askedAt: NetworkNumber): Promise<PromotedBranch> {
    const parent = branchOf(branch.parent)
    if (!parent && branch.parent !== 0)
      throw new NetworkError('UNSUPPORTED', { what: 'a promotion to a parent that was removed' })
    const promoted = await using(parent, async (to) => {
      const done = await using(branch, (from) =>
        promote({ ...from, name: branch.name }, to, {
          queries: database.queries,
          parting: () => partingOf(from.number, to.number, records),
        }),
      )
      await to.services.submission.dropUsed()
      if (to.number !== askedAt) to.services.changes.emit('changed', { method: 'dev_promoteBranch' })
      return done
    })
    logger.info({ branch: branch.name, ...promoted }, 'Promoted a branch')
    return { parent: parent?.name, ...promoted }
  }

  async function remove(branch: NamedBranch): Promise<void> {
    await networks.close(branch, notFound(branch.name), () => records.remove(branch))
    logger.info({ branch: branch.name }, 'Removed a branch')
    removal ??= clock.after(removalMs, removeUnread)
  }

  function removeUnread(): void {
    removal = undefined
    removing = removing
      .then(() => records.removeUnread())
      .catch((error) =>
        logger.error({ err: error }, 'Could not delete the rows of removed branches; they are deleted later'),
      )
  }

  async function removeExpired(): Promise<void> {
    const now = clock.now()
    for (const branch of records.list())
      if (branch.expiresAt !== undefined && branch.expiresAt <= now) await remove(branch)
  }

  function schedule(): void {
    timer = clock.after(expiryMs, () => {
      void removeExpired()
        .catch((error) => logger.error({ err: error }, 'Could not remove expired branches; they are removed later'))
        .finally(() => timer && schedule())
    })
  }

  return {
    records,
    of: (parts) => ({
      create: (wanted) => create(parts, wanted),
      list: () => records.list().map(describe),
      remove: async (idOrName) => remove(require(idOrName)),
      async rename(idOrName, name) {
        const branch = require(idOrName)
        if (branch.name === name) return describe(branch)
        requireFree(name)
        return describe(await records.rename(branch, name))
      },
      compare: (...wanted) => compareWith(parts.number, wanted),
      promote: async (idOrName) => promoteBranch(require(idOrName), parts.number),
      async use(idOrName, cut) {
        const { network, ...used } = await networks.use(require(idOrName), cut)
        return { services: network.services, ...used }
      },
      urlOf: ({ path }) => `${listensAt() ?? ''}${path}`,
    }),
    async refresh(notice) {
      if (notice.isChanged('branches')) await records.reload()
    },
    async start() {
      await removeExpired()
      removeUnread()
      schedule()
      rehearsal = clock.after(rehearsalMs, () => {
        records.rehearse().catch((error) => logger.debug({ err: error }, 'Could not rehearse the making of a branch'))
      })
    },
    async stop() {
      rehearsal?.cancel()
      timer?.cancel()
      timer = undefined
      await networks.stop()
      removal?.cancel()
      if (removal) removeUnread()
      await removing
    },
  }
}

const notFound = (branch: string) => new NetworkError('BRANCH_NOT_FOUND', { branch })

/** The path behind the server. */
export const pathOf = (name: string): string => `/n/${encodeURIComponent(name)}`
