import { type Clock, within } from '../shared/clock.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database } from './database.ts'
import { saveSetting } from './records/settings.ts'

/** Why nothing can be stored now; `undefined` when all is well. */
export type WriteCheck = () => Promise<string | undefined>

/** What was found holds for so long, however many ask. */
const holdsMs = 1000
/** How long the database may take, in milliseconds: what waits for it before may be a large block. */
const timeoutMs = 5000

/** Finds out by storing a little: a full disk still answers reads. */
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

/** What an error says in the end, without the places that those who wrapped it name. */
function rootOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? rootOf(error.cause) : error.message
}
