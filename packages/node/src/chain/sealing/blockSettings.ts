import type { State } from '../../state/state.ts'
import type { ChangeNotice } from '../../storage/changeNotice.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { loadSetting, saveSetting } from '../../storage/records/settings.ts'
import type { Head } from '../block.ts'
import type { BlockClock, BlockClockSettings } from './blockClock.ts'
import type { NextBlock, NextBlockFields, NextBlockSettings } from './nextBlock.ts'

/** Settings for the next blocks; durable when they resolve. */
export type BlockSettings = {
  /** Moves the network's clock forward; returns the total shift in seconds. */
  increaseTime(seconds: bigint): Promise<bigint>
  /** Sets the current time, in seconds; returns the shift from the old one. */
  setTime(timestamp: bigint): Promise<bigint>
  /** Throws `INVALID_PARAMS` if it is before the head's. */
  setNextTimestamp(timestamp: bigint): Promise<void>
  /** Sets a fixed number of seconds between blocks; `undefined` removes it. Returns the old value. */
  setInterval(seconds: bigint | undefined): Promise<bigint | undefined>
  /** Sets fields of the next block that otherwise follow from its parent. */
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
  /** Loads what another node stored. */
  refresh(notice: ChangeNotice): Promise<void>
} {
  const save = (key: string, value: unknown) =>
    database.transaction((transaction) => saveSetting(transaction, key, value))
  const saveClock = () => save('calendar', blockClock.settings)

  return {
    async increaseTime(seconds) {
      const shift = blockClock.increase(seconds, head().header.timestamp)
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
