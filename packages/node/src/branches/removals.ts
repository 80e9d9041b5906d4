import type { Startup } from '../chain/rewind/wipes.ts'
import type { Clock, Timer } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import type { NetworkNumber } from '../storage/branches/layers.ts'
import type { BranchRecords, NamedBranch } from './branchRecords.ts'
import type { OpenBranches } from './openBranches.ts'

/** How often expired branches are removed, in milliseconds. */
const expiryMs = 1000
/** How long after the first of some branches was removed their rows are deleted, all at once, in milliseconds. */
const removalMs = 500

type Needs = {
  records: BranchRecords
  networks: Pick<OpenBranches<unknown>, 'close'>
  /** Whether a branch was made or opened since the process started. */
  startupOf(branch: NetworkNumber): Startup
  clock: Clock
  logger: Logger
}

/** Removes branches: those that it is told to, those that expire, and those that end with the process that made them. */
export function createRemovals({ records, networks, startupOf, clock, logger }: Needs) {
  let expiry: Timer | undefined
  let removal: Timer | undefined
  let removing: Promise<void> = Promise.resolve()

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

  async function removeEnded(hasEnded: (branch: NamedBranch) => boolean): Promise<void> {
    for (const branch of records.list()) if (hasEnded(branch)) await remove(branch)
  }

  const isExpired = ({ expiresAt }: NamedBranch) => expiresAt !== undefined && expiresAt <= clock.now()

  function schedule(): void {
    expiry = clock.after(expiryMs, () => {
      void removeEnded(isExpired)
        .catch((error) => logger.error({ err: error }, 'Could not remove expired branches; they are removed later'))
        .finally(() => expiry && schedule())
    })
  }

  return {
    remove,
    async start(): Promise<void> {
      await removeEnded((branch) => isExpired(branch) || (branch.isEphemeral && !startupOf(branch.number).isOver()))
      removeUnread()
      schedule()
    },
    /** Removes no more that expire. */
    pause(): void {
      expiry?.cancel()
      expiry = undefined
    },
    /** Deletes the rows of those that were removed. */
    async stop(): Promise<void> {
      removal?.cancel()
      if (removal) removeUnread()
      await removing
    },
  }
}

export const notFound = (branch: string) => new NetworkError('BRANCH_NOT_FOUND', { branch })
