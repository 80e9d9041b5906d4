import { formatMiningMode, intervalOf, type MiningMode } from '../../ethereum/miningMode.ts'
import { currentBudget } from '../../shared/budget/requestBudget.ts'
import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Events } from '../../shared/events.ts'
import { quantity } from '../../shared/hex.ts'
import type { Service } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Database } from '../../storage/database.ts'
import { loadSetting, miningModeKey, saveSetting } from '../../storage/records/settings.ts'
import type { ChangeNotice } from '../../storage/tables.ts'
import { blockFromAnswer } from '../../upstream/answers.ts'
import type { Head } from '../block.ts'
import type { ChainEvents } from '../chainEvents.ts'
import type { AskUpstream } from '../origins.ts'
import type { BlockTime } from './blockClock.ts'
import type { UpstreamBlock } from './blockGroup.ts'
import type { BlockShadow } from './blockShadow.ts'
import { createBlockTimer } from './modes/blockTimer.ts'
import { createInstantMode } from './modes/instant.ts'
import { createIntervalMode } from './modes/interval.ts'
import { createManualMode } from './modes/manual.ts'
import { createReplayMode } from './modes/replay.ts'
import type { SealingMode, SealingModeNeeds } from './modes/sealingMode.ts'
import type { Sealer } from './sealer.ts'
import { LiveTimes, upstreamBlockFrom } from './upstreamBlocks.ts'

/** A request for more blocks lets other changes of the network in between. */
const blocksOfTurn = 50_000n

/** The times of blocks that are sealed on request: the clock's, unless they are given. */
export type MiningTimes = { first?: BlockTime | undefined; others?: { afterParent: bigint } | undefined }

/** Seals blocks on request, and in the current mining mode. */
export type Mining = {
  mode(): MiningMode
  setMode(mode: MiningMode): Promise<void>
  /** Whether the base moves with upstream's head without a request. */
  movesBase(): boolean
  /**
   * Replays upstream's blocks up to this one, on a base that does not move with its head. Resolves when they are sealed, or
   * when upstream failed: call it again then. Throws `BLOCK_NOT_FOUND`.
   */
  replayTo(number: bigint): Promise<void>
  /**
   * Seals `blocks` blocks, at these times; the head shows how many there are. It ends early when the client is gone. Throws
   * `INVALID_PARAMS` if the first may not have its time.
   */
  mine(blocks: bigint, times?: MiningTimes): Promise<void>
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
    /** Whether blocks come faster than one a second: the live chain's, or those that are sealed at an interval. */
    hasShortBlocks(): boolean
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
  /** The block at which the network was forked. */
  origin: Pick<Head, 'header'>
  upstream: AskUpstream | undefined
  clock: Clock
  logger: Logger
}

export async function createMining(options: Options, needs: Needs): Promise<MiningControl> {
  const { database, sealer, seal, events, upstream, logger } = needs
  const loadMode = (queries: Database['queries']) => loadSetting<MiningMode>(queries, miningModeKey)
  let mode = options.mode ?? (await loadMode(database.queries)) ?? { type: 'instant' }
  let upstreamHead: UpstreamBlock | undefined
  const liveTimes = new LiveTimes(needs.origin.header)
  let running = false
  let shadow: BlockShadow | undefined

  let wanted: UpstreamBlock | undefined

  const target = () => wanted ?? (options.movesBase ? upstreamHead : undefined)
  const nextBase = () => (mode.type !== 'replay' && upstreamHead?.hash !== sealer.head.base.hash ? target() : undefined)
  const modeNeeds = { ...needs, isRunning: () => running, nextBase }
  const timer = createBlockTimer({ ...modeNeeds, intervalMs: () => intervalOf(mode) })
  const modes: Record<MiningMode['type'], SealingMode> = {
    instant: createInstantMode({ ...modeNeeds, timer, isInForce: () => mode.type === 'instant' }),
    manual: createManualMode(modeNeeds),
    interval: createIntervalMode({ ...modeNeeds, timer }),
    replay: createReplayMode(options, {
      ...modeNeeds,
      target,
      isInForce: () => mode.type === 'replay',
      shadow: () => shadow,
      onRead: (blocks) => {
        for (const { header } of blocks) liveTimes.add(header)
      },
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
    movesBase: () => options.movesBase && mode.type !== 'manual',
    async replayTo(number) {
      const raw = await upstream?.<unknown>('eth_getBlockByNumber', [quantity(number), false])
      if (!raw) throw new NetworkError('BLOCK_NOT_FOUND', { block: number, head: sealer.head.base.number })
      wanted = upstreamBlockFrom(blockFromAnswer(String(number), raw))
      if (mode.type !== 'replay') await setMode({ type: 'replay' })
      await modes.replay.resume()
      await modes.replay.stop()
    },
    async mine(blocks, { first, others } = {}) {
      for (let mined = 0n; mined < blocks; ) {
        if (mined > 0n && !running) throw new NetworkError('MINING_INTERRUPTED', { mined, blocks })
        // No client waits for the rest. What is mined stays, as it does after a stop.
        if (mined > 0n) currentBudget()?.gone.throwIfAborted()
        const end = blocks - mined < blocksOfTurn ? blocks : mined + blocksOfTurn
        await seal(async () => {
          await sealer.sealPool(nextBase(), mined === 0n ? first : others)
          for (mined++; mined < end && (await sealer.canRun()); mined++) await sealer.sealPool(undefined, others)
          while (mined < end) mined += await sealer.sealEmpty(blocks - mined, others)
        })
      }
    },

    resume: () => modes[mode.type].resume(),
    store: () => modes[mode.type].store(),
    nextBase,
    hasShortBlocks: () => liveTimes.areShared || (intervalOf(mode) ?? 1000) < 1000,
    useShadow(given) {
      shadow = given
    },
    onUpstreamHead(head) {
      upstreamHead = head
      liveTimes.add(head.header)
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
