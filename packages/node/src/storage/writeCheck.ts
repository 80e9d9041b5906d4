import { type Clock, within } from '../shared/clock.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database } from './database.ts'
import { saveSetting } from './records/settings.ts'

/** The reason why nothing can be stored; `undefined` if there is no problem. */
export type WriteCheck = () => Promise<string | undefined>

/** How long a result is cached. */
const holdsMs = 1000
/** Maximum time for the database, in milliseconds; a large block may be in front of it. */
const timeoutMs = 5000

/** Stores a small value to find out, because a full disk still serves reads. */
export function createWriteCheck({
  database,
  clock,
  logger,
}: {
  database: Pick<Database, 'transaction'>
  clock: Clock
  logger: Logger
}): WriteCheck {
  let found: { at: number; problem: Promise<string | undefined> } | undefined

  async function store(): Promise<string | undefined> {
    try {
      await database.transaction((transaction) => saveSetting(transaction, 'lastWriteCheck', clock.now()))
      return undefined
    } catch (error) {
      logger.error({ err: error }, 'Could not store anything')
      return rootOf(error)
    }
  }

  return () => {
    if (!found || clock.now() - found.at >= holdsMs) {
      const late = () => `the database did not answer within ${timeoutMs / 1000} seconds`
      found = { at: clock.now(), problem: within(clock, timeoutMs, store(), late) }
    }
    return found.problem
  }
}

/** The message of the innermost cause. */
function rootOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? rootOf(error.cause) : error.message
}
