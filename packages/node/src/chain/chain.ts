import type { Address, OverrideTable } from '@understudy/evm'
import { decodeStoredTransaction } from '../ethereum/decodeTransaction.ts'
import type { MiningMode } from '../ethereum/miningMode.ts'
import type { Hardforks } from '../ethereum/rules.ts'
import type { Execution } from '../execution/execution.ts'
import type { Senders } from '../senders/senders.ts'
import { type BudgetLimits, withoutBudget } from '../shared/budget/requestBudget.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import { createEvents, type Events } from '../shared/events.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { State } from '../state/state.ts'
import type { Database } from '../storage/database.ts'
import { loadPendingTransactions } from '../storage/records/chain/pendingTransactions.ts'
import { blockClockKey, saveSetting } from '../storage/records/settings.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import type { BaseState } from '../upstream/cache/baseState.ts'
import type { ReadLogs } from '../upstream/logs/logReader.ts'
import type { Base } from '../upstream/wantedState.ts'
import { type Blobs, createBlobs } from './blobs/blobs.ts'
import type { Head } from './block.ts'
import { createCatchUp } from './catchUp.ts'
import type { ChainEvents } from './chainEvents.ts'
import { createFinality } from './history/finality.ts'
import { createHistory, type History } from './history/history.ts'
import type { AskUpstream, Raw } from './origins.ts'
import { Pool, type PoolOrder } from './pool/pool.ts'
import type { AllowanceCalls } from './rewind/allowanceCalls.ts'
import type { Branching } from './rewind/branching.ts'
import type { Funding } from './rewind/funding.ts'
import { createPruning } from './rewind/pruning.ts'
import { createRewinds, type Rewinds } from './rewind/rewind.ts'
import { createWipe, type Wipe } from './rewind/wipe.ts'
import { LocalRulesByBlock } from './run/localRules.ts'
import { BlockClock } from './sealing/blockClock.ts'
import type { BlockObserver } from './sealing/blockObserver.ts'
import { combineObservers } from './sealing/blockObservers.ts'
import {
  type BlockSettings,
  createBlockSettings,
  loadBlockClockSettings,
  loadLocalRulesSettings,
  loadNextBlockSettings,
} from './sealing/blockSettings.ts'
import { createMining, type MiningControl } from './sealing/mining.ts'
import { NextBlock } from './sealing/nextBlock.ts'
import { createOpening, type OpeningBlock } from './sealing/openingBlock.ts'
import { createPendingBlocks } from './sealing/pendingBlock.ts'
import { Sealer } from './sealing/sealer.ts'
import { loadStoredBlock } from './store/blockStore.ts'
import { RecentBlocks } from './store/recentBlocks.ts'
import { createSubmission, type Submission } from './submission/submission.ts'
import type { SuggestTip } from './submission/suggestedTip.ts'

/** The services of a chain. It seals between `start` and `stop`; otherwise another node does. */
export type Chain = Service & {
  chainEvents: Events<ChainEvents>
  history: History
  blobs: Pick<Blobs, 'byHash' | 'ofTransaction'>
  submission: Submission
  mining: Pick<MiningControl, 'mode' | 'setMode' | 'movesBase' | 'mine' | 'onUpstreamHead' | 'replayTo' | 'useShadow'>
  blockSettings: BlockSettings
  rewinds: Rewinds
  wipe: Wipe
  /** Loads what another node stored and emits its events. */
  refresh(notice: ChangeNotice): Promise<void>
}

export type ChainOptions = BudgetLimits & {
  /** Until a client changes it. */
  chainId: bigint
  /** The live chain's id; `undefined` if nothing is forked. */
  upstreamChainId: bigint | undefined
  /** `undefined` keeps the mode of the last run, or `instant`. */
  mode: MiningMode | undefined
  /** When the clock of a new network starts, in seconds since 1970; `undefined`: now. */
  timestamp: number | undefined
  /** Whether blocks of the same second have the same timestamp. */
  allowSameTimestamp: boolean
  /** How many of the latest blocks to keep; `undefined` keeps all. */
  keepBlocks: number | undefined
  /** How many blocks an epoch has: blocks are safe after one and final after two. 0: the head is final at once. */
  slotsInEpoch: number
  /** How many of the newest blobs to keep. */
  keepBlobs: number
  /** In which order transactions of the pool run. */
  order: PoolOrder
  /** Whether deposits can be sent, on chains that have them. */
  acceptDeposits: boolean
  /** Maximum number of pending transactions. */
  poolLimit: number
  logRowsLimit: number
  /** Whether the base moves with upstream's head. */
  movesBase: boolean
  /** Also after a wipe. */
  funding: Funding
  /** In replay mode, the longest gap to upstream's head that is replayed block by block. */
  replayMaxGap: number
}

export type ChainNeeds = {
  database: Database
  state: State
  engine: Engine
  execution: Execution
  senders: Senders
  allowanceCalls: AllowanceCalls
  baseStates: (base: Base) => BaseState
  hardforks: Hardforks
  systemContracts: ReadonlySet<Address>
  /** The enabled function overrides. */
  overrides: () => OverrideTable | undefined
  /** The block at which the network was forked: its header, and as upstream returned it. */
  origin: Head & { raw: Raw; opening?: OpeningBlock | undefined }
  upstream: AskUpstream | undefined
  readLiveLogs: ReadLogs | undefined
  suggestTip: SuggestTip
  observers: readonly BlockObserver[]
  branching: Branching
  clock: Clock
  logger: Logger
}

/** Opens the stored chain of the network. */
export async function createChain(options: ChainOptions, given: ChainNeeds): Promise<Chain> {
  const { database, state, origin, clock, logger } = given
  const { queries } = database
  const events: Chain['chainEvents'] = createEvents((error) => logger.error({ err: error }, 'A listener failed'))
  const pool = new Pool(options.poolLimit, options.order)
  const storedClock = await loadBlockClockSettings(queries)
  const mayShareTime = () => options.allowSameTimestamp || mining.hasShortBlocks()
  const blockClock = new BlockClock({ clock, mayShareTime }, storedClock)
  const nextBlock = new NextBlock(await loadNextBlockSettings(queries))
  const observer = combineObservers(given.observers, logger)
  // Sealing continues regardless of the request that started it.
  const seal: State['exclusive'] = (task) => state.exclusive(() => withoutBudget(task))
  const localRules = new LocalRulesByBlock(options.chainId, await loadLocalRulesSettings(queries))
  const parts = { ...given, events, pool, blockClock, nextBlock, localRules, observer, seal }

  const newest = await loadStoredBlock(queries, 'newest')
  // A reset may have moved the fork to a later block.
  const startTime = BigInt(options.timestamp ?? -1)
  const startOfClock = () =>
    startTime >= origin.header.timestamp ? blockClock.startingAt(startTime) : { offsetSeconds: 0, next: undefined }
  const isNewClock = storedClock === undefined && newest === undefined && options.timestamp !== undefined
  if (isNewClock) blockClock.restore(startOfClock())
  const sealer = new Sealer(newest?.block ?? origin, {
    ...parts,
    onAhead: ({ transaction }) => submission.store(transaction.hash),
    onSealed(blocks) {
      recent.add(blocks)
      for (const block of blocks) events.emit('block', block)
      events.emit('head', sealer.head)
    },
    onPaused: () => mining.onPaused(),
  })
  const opening = createOpening({ queries, sealer, opening: origin.opening })
  const head = () => sealer.head
  const recent = new RecentBlocks({ head, oldest: () => pruning.oldest() })
  const pruning = await createPruning(options, {
    ...parts,
    first: origin.base.number + 1n,
    head: () => head().header.number,
  })
  const pendingBlocks = createPendingBlocks(options, {
    ...parts,
    sealer,
    mode: () => mining.mode(),
    nextBase: () => mining.nextBase(),
  })
  const finality = createFinality(options, {
    head,
    originNumber: origin.base.number,
    oldest: pruning.oldest,
  })
  const history = createHistory(options, {
    ...parts,
    head,
    finality,
    oldest: pruning.oldest,
    recent,
    pendingBlocks,
    pendingHeader: () => sealer.pendingHeader(),
  })
  const mining = await createMining(options, { ...parts, sealer })
  const blobs = createBlobs(options, { ...parts, history })
  const submission = createSubmission(options, { ...parts, sealer, history, blobs, mining })
  const blockSettings = createBlockSettings({ ...parts, sealer })
  const rewinds = createRewinds(options, {
    ...parts,
    startOfClock,
    sealer,
    opening,
    finality,
    history,
    recent,
    mining,
    submission,
  })
  const catchUp = createCatchUp(options, { ...parts, sealer })

  return {
    chainEvents: events,
    history,
    blobs,
    submission,
    mining,
    blockSettings,
    rewinds,
    wipe: createWipe(options, { ...parts, sealer, mode: mining.mode }),
    refresh: (notice) =>
      state.exclusive(async () => {
        await blockSettings.refresh(notice)
        await pruning.refresh(notice)
        await catchUp(notice)
        await mining.refresh(notice)
      }),
    async start() {
      if (isNewClock)
        await database.transaction((transaction) => saveSetting(transaction, blockClockKey, blockClock.settings))
      for (const { hash, raw, sender } of await loadPendingTransactions(queries))
        if (!pool.get(hash)) pool.add(decodeStoredTransaction({ raw, sender }), () => {}, { stored: true })
      await pruning.start()
      await seal(opening.seal)
      await mining.start()
    },
    async stop() {
      pendingBlocks.stop()
      await blobs.stop()
      await mining.stop()
      await pruning.stop()
    },
  }
}
