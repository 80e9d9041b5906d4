import type { Address, Hex } from '@understudy/evm'
import type { State } from '../../state/state.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { blockClockKey, loadSetting, saveSetting } from '../../storage/records/settings.ts'
import type { ChangeNotice } from '../../storage/tables.ts'
import type { Pool } from '../pool/pool.ts'
import type { LocalRulesByBlock, LocalRulesSettings } from '../run/localRules.ts'
import type { BlockClock, BlockClockSettings } from './blockClock.ts'
import type { NextBlock, NextBlockFields, NextBlockSettings } from './nextBlock.ts'
import type { Sealer } from './sealer.ts'

/** Settings for the next blocks; durable when they resolve. */
export type BlockSettings = {
  /** The network's current time, in seconds: the clock's, or the newest block's if that is later. */
  time(): bigint
  /** Moves the network's clock forward; returns the total shift in seconds. */
  increaseTime(seconds: bigint): Promise<bigint>
  /** Sets the current time, in seconds, but not to before the head's; returns the shift from the old one. */
  setTime(timestamp: bigint): Promise<bigint>
  /** Throws `INVALID_PARAMS` if no block after the head may have it. */
  setNextTimestamp(timestamp: bigint): Promise<void>
  /** Sets a fixed number of seconds between blocks; `undefined` removes it. Returns the old value. */
  setInterval(seconds: bigint | undefined): Promise<bigint | undefined>
  /** Sets the chain id, and drops pending transactions with another one. */
  setChainId(chainId: bigint): Promise<void>
  /** Makes ECRECOVER return `address` for a signature: r, s and v as 65 bytes. */
  impersonateSignature(signature: Hex, address: Address): Promise<void>
  /** Sets fields of the next block that otherwise follow from its parent. */
  setNext(fields: NextBlockFields): Promise<void>
}

/** `undefined` until the clock was changed, or a network has started with another time. */
export const loadBlockClockSettings = async (queries: Queries) =>
  (await loadSetting<BlockClockSettings | null>(queries, blockClockKey)) ?? undefined
export const loadNextBlockSettings = (queries: Queries) => loadSetting<NextBlockSettings>(queries, 'nextBlock')

/** The setting that holds the local rules. */
export const localRulesKey = 'localRules'
export const loadLocalRulesSettings = async (queries: Queries) =>
  (await loadSetting<LocalRulesSettings | null>(queries, localRulesKey)) ?? undefined

type Needs = {
  database: Database
  state: Pick<State, 'exclusive'>
  blockClock: BlockClock
  nextBlock: NextBlock
  localRules: LocalRulesByBlock
  pool: Pool
  sealer: Pick<Sealer, 'head' | 'drop'>
}

export function createBlockSettings({
  database,
  state,
  blockClock,
  nextBlock,
  localRules,
  pool,
  sealer,
}: Needs): BlockSettings & {
  /** Loads what another node stored. */
  refresh(notice: ChangeNotice): Promise<void>
} {
  const save = (key: string, value: unknown) =>
    database.transaction((transaction) => saveSetting(transaction, key, value))
  const change = (settingsFrom: (next: bigint) => LocalRulesSettings) =>
    state.exclusive(async () => {
      const settings = settingsFrom(sealer.head.header.number + 1n)
      await save(localRulesKey, settings)
      localRules.restore(settings)
      const { chainId } = localRules.current
      const isOther = (id: bigint | undefined) => id !== undefined && id !== chainId
      const dropped = [...pool.entries()].filter(({ transaction }) => isOther(transaction.chainId))
      if (dropped.length === 0) return
      await sealer.drop(dropped)
      for (const entry of dropped) entry.settle({ type: 'queued' })
    })
  /** A block that is being sealed does not use what it was not opened with. */
  const changeClock = <T>(change: (head: bigint) => T) =>
    state.exclusive(async () => {
      const before = blockClock.settings
      try {
        const result = change(sealer.head.header.timestamp)
        await save(blockClockKey, blockClock.settings)
        return result
      } catch (error) {
        blockClock.restore(before)
        throw error
      }
    })

  return {
    time: () => blockClock.timeAt(sealer.head.header.timestamp),
    increaseTime: (seconds) => changeClock((head) => blockClock.increase(seconds, head)),
    setTime: (timestamp) => changeClock((head) => blockClock.setNow(timestamp, head)),
    setNextTimestamp: (timestamp) => changeClock((head) => blockClock.setNext(timestamp, head)),
    setInterval: (seconds) =>
      changeClock((head) => {
        const before = blockClock.interval
        blockClock.setInterval(seconds, head)
        return before
      }),
    setNext: (fields) =>
      state.exclusive(async () => {
        nextBlock.set(fields)
        await save('nextBlock', nextBlock.settings)
      }),
    setChainId: (chainId) => change((next) => localRules.withChainId(chainId, next)),
    impersonateSignature: (signature, address) => change((next) => localRules.withSignature(signature, address, next)),
    async refresh({ queries }) {
      const rules = await loadLocalRulesSettings(queries)
      if (JSON.stringify(rules ?? []) !== JSON.stringify(localRules.settings)) localRules.restore(rules)
      const settings = await loadBlockClockSettings(queries)
      if (settings) blockClock.restore(settings)
      nextBlock.restore(await loadNextBlockSettings(queries))
    },
  }
}
