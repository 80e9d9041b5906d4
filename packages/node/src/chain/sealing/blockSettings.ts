import type { State } from '../../state/state.ts'
import type { ChangeNotice } from '../../storage/changeNotice.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { loadSetting, saveSetting } from '../../storage/records/settings.ts'
import type { Head } from '../block.ts'
import type { BlockClock, BlockClockSettings } from './blockClock.ts'
import type { NextBlock, NextBlockFields, NextBlockSettings } from './nextBlock.ts'

/** What is set by hand of the blocks to come; durable when it resolves. */
export type BlockSettings = {
  /** Moves the clock of the network forward; returns the whole shift in seconds. */
  increaseTime(seconds: bigint): Promise<bigint>
  /** Makes it this time now, in seconds; returns how far that is from what it was. */
  setTime(timestamp: bigint): Promise<bigint>
  /** Throws `INVALID_PARAMS` when it is before the head's. */
  setNextTimestamp(timestamp: bigint): Promise<void>
  /** From now on each block is so many seconds after the one before; `undefined` ends that. Returns what it was. */
  setInterval(seconds: bigint | undefined): Promise<bigint | undefined>
  /** Gives the next block these in place of what follows from its parent. */
  setNext(fields: NextBlockFields): Promise<void>
}

export const loadBlockClockSettings = (queries: Queries) => loadSetting<BlockClockSettings>(queries, 'calendar')
export const loadNextBlockSettings = (queries: Queries) => loadSetting<NextBlockSettings>(queries, 'nextBlock')

type Needs = {
  database: Database
  state: Pick<State, 'exclusive'>
  blockClock: BlockClock
  nextBlock: NextBlock
  head(): Head
}

export function createBlockSettings({ database, state, blockClock, nextBlock, head }: Needs): BlockSettings & {
  /** Takes in what another node stored. */
  refresh(notice: ChangeNotice): Promise<void>
} {
  const save = (key: string, value: unknown) =>
    database.transaction((transaction) => saveSetting(transaction, key, value))
  const saveClock = () => save('calendar', blockClock.settings)

  return {
    async increaseTime(seconds) {
      const shift = blockClock.increase(seconds)
      await saveClock()
      return shift
    },
    async setTime(timestamp) {
      const shift = blockClock.setNow(timestamp)
      await saveClock()
      return shift
    },
    async setNextTimestamp(timestamp) {
      blockClock.setNext(timestamp, head().header.timestamp)
      await saveClock()
    },
    async setInterval(seconds) {
      const before = blockClock.interval
      blockClock.setInterval(seconds)
      await saveClock()
      return before
    },
    setNext: (fields) =>
      state.exclusive(async () => {
        nextBlock.set(fields)
        await save('nextBlock', nextBlock.settings)
      }),
    async refresh({ queries }) {
      const settings = await loadBlockClockSettings(queries)
      if (settings) blockClock.restore(settings)
      nextBlock.restore(await loadNextBlockSettings(queries))
    },
  }
}
