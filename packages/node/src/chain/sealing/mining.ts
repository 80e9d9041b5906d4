import { formatMiningMode, type MiningMode } from '../../ethereum/miningMode.ts'
import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Events } from '../../shared/events.ts'
import { quantity } from '../../shared/hex.ts'
import type { Service } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import type { ChangeNotice } from '../../storage/changeNotice.ts'
import type { Database } from '../../storage/database.ts'
import { loadSetting, miningModeKey, saveSetting } from '../../storage/records/settings.ts'
import { blockFromAnswer } from '../../upstream/answers.ts'
import type { ChainEvents } from '../chainEvents.ts'
import type { AskUpstream } from '../history/origins.ts'
import type { UpstreamBlock } from './blockGroup.ts'
import type { BlockShadow } from './blockShadow.ts'
import { createInstantMode } from './modes/instant.ts'
import { createIntervalMode } from './modes/interval.ts'
import { createManualMode } from './modes/manual.ts'
import { createReplayMode } from './modes/replay.ts'
import type { SealingMode, SealingModeNeeds } from './modes/sealingMode.ts'
import type { Sealer } from './sealer.ts'
import { upstreamBlockFrom } from './upstreamBlocks.ts'

/** A request for more blocks lets other changes of the network in between. */
const blocksOfTurn = 50_000n

/** Seals blocks on request, and in the current mining mode. */
export type Mining = {
  mode(): MiningMode
  setMode(mode: MiningMode): Promise<void>
  /**
   * Replays upstream's blocks up to this one, on a base that does not move with its head. Resolves when they are sealed, or
   * when upstream failed: call it again then. Throws `BLOCK_NOT_FOUND`.
   */
  replayTo(number: bigint): Promise<void>
  /** Seals `blocks` blocks, `intervalSeconds` apart. */
  mine(blocks: bigint, intervalSeconds?: bigint): Promise<void>
}

/** The interface for the chain. It seals between `start` and `stop`; otherwise another node does. */
export type MiningControl = Mining &
  Service &
  Pick<SealingMode, 'resume' | 'store'> & {
    /** Called with upstream's latest block, to which the base moves unless it is pinned. */
    onUpstreamHead(head: UpstreamBlock): void
    /** The base of the next block: `undefined` keeps the current one. */
    nextBase(): UpstreamBlock | undefined
    /** Sets what runs upstream's transactions in replay mode. */
    useShadow(shadow: BlockShadow): void
    /** Called when a commit stored that blocks are sealed only on request from now on. */
    onPaused(): void
    /** Loads what another node stored. */
    refresh(notice: ChangeNotice): Promise<void>
  }

type Options = {
  /** `undefined` keeps the mode of the last run, or `instant`. */
  mode: MiningMode | undefined
  /** Whether the base moves with upstream's head. */
  movesBase: boolean
  /** In replay mode, the longest gap to upstream's head that is replayed block by block. */
  replayMaxGap: number
}

type Needs = Pick<SealingModeNeeds, 'sealer' | 'seal' | 'logger'> & {
  database: Database
  sealer: Sealer
  events: Events<ChainEvents>
  upstream: AskUpstream | undefined
  clock: Clock
  logger: Logger
}

export async function createMining(options: Options, needs: Needs): Promise<MiningControl> {
  const { database, sealer, seal, events, upstream, logger } = needs
  const loadMode = (queries: Database['queries']) => loadSetting<MiningMode>(queries, miningModeKey)
  let mode = options.mode ?? (await loadMode(database.queries)) ?? { type: 'instant' }
  let upstreamHead: UpstreamBlock | undefined
  let running = false
  let shadow: BlockShadow | undefined

  let wanted: UpstreamBlock | undefined

  const target = () => wanted ?? (options.movesBase ? upstreamHead : undefined)
  const nextBase = () => (mode.type !== 'replay' && upstreamHead?.hash !== sealer.head.base.hash ? target() : undefined)
  const modeNeeds = { ...needs, isRunning: () => running, nextBase }
  const modes: Record<MiningMode['type'], SealingMode> = {
    instant: createInstantMode({ ...modeNeeds, isInForce: () => mode.type === 'instant' }),
    manual: createManualMode(modeNeeds),
    interval: createIntervalMode({
      ...modeNeeds,
      intervalMs: () => (mode.type === 'interval' ? mode.intervalMs : undefined),
    }),
    replay: createReplayMode(options, {
      ...modeNeeds,
      target,
      isInForce: () => mode.type === 'replay',
      shadow: () => shadow,
    }),
  }

  const saveMode = (next: MiningMode) => database.transaction((queries) => saveSetting(queries, miningModeKey, next))

  async function setMode(next: MiningMode): Promise<void> {
    await saveMode(next)
    void modes[mode.type].stop()
    mode = next
    events.emit('mode', mode)
    await modes[mode.type].resume()
  }

  return {
    mode: () => mode,
    setMode,
    async replayTo(number) {
      const raw = await upstream?.<unknown>('eth_getBlockByNumber', [quantity(number), false])
      if (!raw) throw new NetworkError('BLOCK_NOT_FOUND', { block: number, head: sealer.head.base.number })
      wanted = upstreamBlockFrom(blockFromAnswer(String(number), raw))
      if (mode.type !== 'replay') await setMode({ type: 'replay' })
      await modes.replay.resume()
      await modes.replay.stop()
    },
    async mine(blocks, intervalSeconds = 0n) {
      for (let mined = 0n; mined < blocks; mined += blocksOfTurn) {
        if (mined > 0n && !running) throw new NetworkError('MINING_STOPPED', { mined, blocks })
        const count = blocks - mined < blocksOfTurn ? blocks - mined : blocksOfTurn
        await seal(async () => {
          await sealer.sealPool(nextBase(), mined === 0n ? undefined : intervalSeconds)
          let left = count - 1n
          for (; left > 0n && (await sealer.canRun()); left--) await sealer.sealPool(undefined, intervalSeconds)
          await sealer.sealEmpty(left, intervalSeconds)
        })
      }
    },

    resume: () => modes[mode.type].resume(),
    store: () => modes[mode.type].store(),
    nextBase,
    useShadow(given) {
      shadow = given
    },
    onUpstreamHead(head) {
      upstreamHead = head
      events.emit('upstream', head)
      if (running) modes[mode.type].onUpstreamHead()
    },
    onPaused() {
      if (mode.type === 'manual') return
      void modes[mode.type].stop()
      mode = { type: 'manual' }
      events.emit('mode', mode)
    },
    async refresh({ queries }) {
      const before = mode
      mode = (await loadMode(queries)) ?? mode
      if (formatMiningMode(mode) !== formatMiningMode(before)) events.emit('mode', mode)
    },
    async start() {
      running = true
      const stored = await loadMode(database.queries)
      if (!stored || formatMiningMode(stored) !== formatMiningMode(mode)) await saveMode(mode)
      await modes[mode.type]
        .resume()
        .catch((error) => logger.warn({ err: error }, 'Could not seal; retrying at the next head or transaction'))
    },
    async stop() {
      running = false
      sealer.stop()
      // Finish the current block first.
      await Promise.all(Object.values(modes).map((each) => each.stop()))
      await seal(async () => {})
    },
  }
}
