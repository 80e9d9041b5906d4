import { withoutBudget } from '../shared/budget/requestBudget.ts'
import { isNetworkError } from '../shared/errors.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database } from '../storage/database.ts'
import { loadBlock } from '../storage/records/chain/blocks.ts'
import {
  closeFailure,
  countMadeBranches,
  type InvariantFailure,
  type InvariantRecord,
  loadOpenFailures,
} from '../storage/records/tracking/invariants.ts'
import type { Invariants } from './invariants.ts'

type Needs = {
  database: Pick<Database, 'queries' | 'transaction'>
  invariants: Pick<Invariants, 'events' | 'get'>
  /** Runs the transaction of a failure again, to find the line that wrote what the check reads. */
  loadLocation(failure: InvariantFailure): Promise<InvariantFailure['location']>
  /** Makes a branch at a block. Throws `BRANCH_EXISTS`, `LIMIT_EXCEEDED`… */
  makeBranch(name: string, block: bigint): Promise<void>
  logger: Logger
}

/** An invariant that fails time and again leaves room for other branches. */
const branchLimit = 10
const readAtOnce = 20

/** After an invariant failed, finds the line and makes the branch. What a kill interrupts is done after the next start. */
export function createFollowUps({ database, invariants, loadLocation, makeBranch, logger }: Needs): Service {
  let unsubscribe: (() => void) | undefined
  let running = Promise.resolve()
  let stopped = false

  async function followUpAll(): Promise<void> {
    for (;;) {
      const failures = await loadOpenFailures(database.queries, readAtOnce)
      if (failures.length === 0 || stopped) return
      for (const failure of failures) if (!stopped) await followUp(failure)
    }
  }

  async function followUp(failure: InvariantFailure): Promise<void> {
    const record = invariants.get(failure.invariant)
    const branch = record?.branch ? await branchFor(record, failure) : undefined
    const location = await loadLocation(failure).catch((error) => {
      logger.warn({ err: error, transaction: failure.hash }, 'Could not find the line that broke an invariant')
      return undefined
    })
    await database.transaction((transaction) => closeFailure(transaction, { ...failure, location, branch }))
  }

  async function branchFor({ name, number }: InvariantRecord, { blockNumber }: InvariantFailure) {
    const hash = (await loadBlock(database.queries, { number: blockNumber }))?.hash
    if (hash === undefined || (await countMadeBranches(database.queries, number)) >= branchLimit) return undefined
    const text = name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 30)
    // Another block of this number, after a revert, has another branch.
    const branch = `broken-${text}-${blockNumber}-${hash.slice(2, 8)}`
    try {
      await makeBranch(branch, blockNumber)
    } catch (error) {
      if (!isNetworkError(error, 'BRANCH_EXISTS')) {
        logger.warn({ err: error, branch }, 'Could not make the branch of a broken invariant')
        return undefined
      }
    }
    return branch
  }

  const run = () => {
    running = withoutBudget(() => running.then(followUpAll)).catch((error) =>
      logger.error({ err: error }, 'Could not follow up a broken invariant'),
    )
  }

  return {
    async start() {
      stopped = false
      unsubscribe ??= invariants.events.on('broken', run)
      run()
    },
    async stop() {
      stopped = true
      unsubscribe?.()
      unsubscribe = undefined
      await running
    },
  }
}
