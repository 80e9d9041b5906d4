import type { Clock, Timer } from '../../shared/clock.ts'
import type { Service } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import { yieldToEventLoop } from '../../shared/yieldToEventLoop.ts'
import type { State } from '../../state/state.ts'
import type { Database } from '../../storage/database.ts'
import { pruneStep } from '../../storage/records/chain/pruning.ts'
import { loadSetting, saveSetting } from '../../storage/records/settings.ts'
import type { ChangeNotice } from '../../storage/tables.ts'
import type { Branching } from './branching.ts'

/** Deletes old blocks. */
export type Pruning = Service & {
  /** The oldest local block that can be read. */
  oldest(): bigint
  /** Loads what another node pruned. */
  refresh(notice: ChangeNotice): Promise<void>
}

type Needs = {
  database: Database
  state: Pick<State, 'exclusive'>
  /** The numbers of the first local block and of the head. */
  first: bigint
  head: () => bigint
  branching: Pick<Branching, 'oldestNeeded'>
  clock: Clock
  logger: Logger
}

/** A block becomes unreadable at once, and is deleted this much later, when running reads have finished. */
const delayMs = 60_000

/** Keeps the latest `keepBlocks` blocks; `undefined` keeps all. */
export async function createPruning(
  { keepBlocks }: { keepBlocks: number | undefined },
  { database, state, first, head, branching, clock, logger }: Needs,
): Promise<Pruning> {
  let stored = BigInt((await loadSetting<string>(database.queries, 'oldestBlock')) ?? first)
  let timer: Timer | undefined
  let pruning: Promise<void> | undefined
  let stopped = false

  const oldest = () => {
    if (keepBlocks === undefined) return stored
    const wanted = head() - BigInt(keepBlocks) + 1n
    return wanted > stored ? wanted : stored
  }

  async function prune(wanted: bigint): Promise<void> {
    const before = stored
    const needed = branching.oldestNeeded() ?? wanted
    const until = needed < wanted ? needed : wanted
    while (stored < until && !stopped) {
      await state.exclusive(async () => {
        stored = await database.transaction(async (queries) => {
          const next = await pruneStep(queries, until)
          await saveSetting(queries, 'oldestBlock', next.toString())
          return next
        })
      })
      await yieldToEventLoop()
    }
    if (stored > before) logger.debug({ from: before, to: stored }, 'Deleted old blocks')
  }

  function schedule(until: bigint): void {
    timer = clock.after(delayMs, () => {
      pruning = prune(until)
        .catch((error) => logger.error({ err: error }, 'Could not delete old blocks; retrying in a minute'))
        .finally(() => {
          if (!stopped) schedule(oldest())
        })
    })
  }

  return {
    oldest,
    async refresh({ queries }) {
      stored = BigInt((await loadSetting<string>(queries, 'oldestBlock')) ?? first)
    },
    async start() {
      stopped = false
      if (keepBlocks !== undefined) schedule(oldest())
    },
    async stop() {
      stopped = true
      timer?.cancel()
      await pruning
    },
  }
}
