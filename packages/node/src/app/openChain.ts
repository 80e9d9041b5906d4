import type { Address, BlockLimits } from '@understudy/evm'
import { createActivityRecorder } from '../activity/activityRecorder.ts'
import { type Chain, createChain } from '../chain/chain.ts'
import { createAllowanceCalls } from '../chain/rewind/allowanceCalls.ts'
import type { Branching } from '../chain/rewind/branching.ts'
import { type Funding, fundOnce } from '../chain/rewind/funding.ts'
import { createWipes, type Startup, type Wipes } from '../chain/rewind/wipes.ts'
import { createTipSuggestion, type SuggestTip } from '../chain/submission/suggestedTip.ts'
import type { Config } from '../config/config.ts'
import { maxCodeSize } from '../config/options/chain.ts'
import { testMnemonic } from '../config/options.ts'
import type { BlockRules, Hardforks } from '../ethereum/rules.ts'
import { createExecution, type Execution } from '../execution/execution.ts'
import { createCoveringEngine, createOverridingEngine } from '../execution/wrappedEngines.ts'
import { createInvariants, type Invariants } from '../invariants/invariants.ts'
import { loadChainProfile } from '../network/chainProfileFile.ts'
import { blocksBelow } from '../network/network.ts'
import type { Recorder } from '../network/openRecorder.ts'
import { createFunctionOverrides, type FunctionOverrides } from '../overrides/functionOverrides.ts'
import { createSenders, type Senders } from '../senders/senders.ts'
import { createSignatureNotice } from '../senders/signatureNotice.ts'
import { createShadow, type Shadow } from '../shadow/shadow.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import type { createStopper } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { BaseView } from '../state/baseView.ts'
import { createId } from '../storage/createId.ts'
import { CoverageRecorder } from '../traces/coverage/coverage.ts'
import { createTracking, type Tracking } from '../tracking/tracking.ts'
import type { ChainRules } from '../upstream/rules/chainRules.ts'
import { openChainRules } from '../upstream/rules/openChainRules.ts'
import { createWebhookCursor, type WebhookCursor } from '../webhook/cursor.ts'
import { createConsoleNotice } from './consoleNotice.ts'
import type { OpenedState } from './openState.ts'
import { openSystemContracts } from './openSystemContracts.ts'

/** How many of the funded accounts are loaded from upstream at the start. */
const preloadedAccounts = 10

/** The opened chain, with what runs its transactions and observes its blocks. */
export type OpenedChain = {
  senders: Senders
  overrides: FunctionOverrides
  overridingEngine: Engine
  execution: Execution
  coverageRecorder: CoverageRecorder
  tracking: Tracking
  invariants: Invariants
  rules: ChainRules
  hardforks: Hardforks
  deployed: ReadonlySet<Address>
  suggestTip: SuggestTip
  chain: Chain
  shadow: Shadow
  webhookCursor: WebhookCursor
  wipes: Wipes
}

type Needs = OpenedState & {
  engine: Engine
  recorder: Recorder | undefined
  branching: Branching
  startup: Startup
  /** Of a branch: what its network knows of the live chain. */
  ofNetwork?: Pick<OpenedChain, 'rules' | 'deployed' | 'suggestTip'>
  clock: Clock
  logger: Logger
}

type Asked = {
  funded: readonly Address[]
  /** Whether untouched state follows the live chain. */
  movesBase: boolean
  /** Whether this node stores what it finds. */
  isStored: () => boolean
} & Pick<Parameters<typeof openChainRules>[1], 'newest' | 'onChange'>

/** Rules are told apart by their objects, and asked for often: each has one with the limits. */
function withLimits(hardforks: Hardforks, limits: BlockLimits): Hardforks {
  const limited = new WeakMap<BlockRules, BlockRules>()
  return (block) => {
    const rules = hardforks(block)
    const known = limited.get(rules) ?? { ...rules, limits }
    limited.set(rules, known)
    return known
  }
}

/** The limits that the options change. */
function limitsOf(config: Config): BlockLimits | undefined {
  const { codeSizeLimit, disableCodeSizeLimit, txGasCap, disableBlockGasLimit } = config
  const codeSize = disableCodeSizeLimit ? maxCodeSize : codeSizeLimit
  if (codeSize === undefined && txGasCap && !disableBlockGasLimit) return undefined
  return {
    ...(codeSize !== undefined && { codeSize }),
    ...(!txGasCap && { noTransactionGasCap: true }),
    ...(disableBlockGasLimit && { noBlockGasLimit: true }),
  }
}

/** Opens the chain, with what runs its transactions and what observes its blocks. */
export async function openChain(
  config: Config,
  needs: Needs,
  stopper: ReturnType<typeof createStopper>,
): Promise<OpenedChain> {
  const { database, membership, upstream, askUpstream, baseStates, state, engine, ofNetwork, clock, logger } = needs
  const { origin, chainId, upstreamChainId, isPinned, alloc, genesisTime } = needs.network
  const senders = await createSenders(config, {
    database,
    noticeSignature: createSignatureNotice(
      {
        isTestMnemonic: config.mnemonic === testMnemonic,
        chainId: () => chain.history.chainId,
        upstreamChainId,
      },
      { logger },
    ),
  })
  // While a network is opened, the node that will seal does not seal yet.
  const isStored = () => membership?.isWriter() ?? true
  const funding: Funding = {
    accounts: () => senders.funded().filter((address) => !alloc.has(address)),
    balance: config.balance,
  }
  if (isStored()) await fundOnce(funding, { database, state })

  const { coveringEngine, allowanceCalls, consoleNotice, ...running } = await openExecution(config, needs, () => chain)
  const { overrides, overridingEngine, execution } = running
  const observing = await openObservers(needs, overrides, overridingEngine, () => chain)
  const { tracking, invariants, webhookCursor } = observing
  const movesBase = config.followHead && !isPinned
  const { rules, deployed } = await openRules(config, needs, {
    funded: senders.funded(),
    movesBase,
    isStored,
    newest: () => chain.history.head().header,
    onChange: ({ hardfork }, prices) => chain.chainEvents.emit('rules', { hardfork, prices }),
  })
  const chainClock = needs.recorder?.chainClock ?? clock
  const suggestTip = ofNetwork?.suggestTip ?? createTipSuggestion(config, { upstream: askUpstream, clock: chainClock })
  const limits = limitsOf(config)
  const hardforks = limits ? withLimits(rules.hardforks, limits) : rules.hardforks
  const chain = await createChain(
    {
      ...config,
      chainId,
      upstreamChainId,
      mode: config.shadow ? { type: 'replay' } : config.mine,
      movesBase,
      funding,
      timestamp: config.timestamp ?? genesisTime,
    },
    {
      database,
      state,
      engine: coveringEngine,
      execution,
      senders,
      allowanceCalls,
      baseStates,
      hardforks,
      systemContracts: deployed,
      overrides: overrides.table,
      origin,
      upstream: askUpstream,
      readLiveLogs: upstream?.readLogs,
      suggestTip,
      branching: needs.branching,
      observers: [
        createActivityRecorder(needs),
        ...[tracking, invariants, webhookCursor, consoleNotice].map(({ observer }) => observer),
      ],
      clock: chainClock,
      logger,
    },
  )
  if (!ofNetwork) upstream?.useBases(() => blocksBelow(origin, chain.history.head().base))
  stopper.add(() => chain.stop())
  const shadow = await createShadow(
    { shadow: config.shadow || undefined, upstreamChainId, movesBase, limitMs: config.upstreamTimeoutMs / 4 },
    {
      database,
      state,
      engine,
      overridingEngine: coveringEngine,
      overrides: overrides.table,
      ...chain,
      baseStates,
      upstream,
      clock,
      logger,
    },
  )
  stopper.add(() => shadow.stop())
  const wipes = await createWipes({ database, wipeNow: chain.wipe, startup: needs.startup, clock, logger })
  return { senders, ...running, ...observing, rules, hardforks, deployed, suggestTip, chain, shadow, wipes }
}

/** What runs transactions and calls: the engine with overrides, with coverage on top of it, and those who are told of runs. */
async function openExecution(config: Config, needs: Needs, chain: () => Chain) {
  const { database, sideConnection, state, engine, clock, logger } = needs
  const overrides = await createFunctionOverrides({ database, mark: state.mark, clock, logger, createId })
  const overridingEngine = createOverridingEngine(engine, overrides.table)
  const allowanceCalls = createAllowanceCalls({
    sideConnection,
    latest: state.latest,
    headNumber: () => chain().history.head().header.number,
    logger,
  })
  const coverageRecorder = new CoverageRecorder()
  const coveringEngine = createCoveringEngine(overridingEngine, coverageRecorder)
  const consoleNotice = createConsoleNotice({ clock, logger })
  const execution = createExecution(config, {
    engine: coveringEngine,
    onCall: allowanceCalls.note,
    onRun: consoleNotice.onRun,
  })
  return { overrides, overridingEngine, coveringEngine, coverageRecorder, allowanceCalls, consoleNotice, execution }
}

/** What looks at each block: tracked values, invariants, and what is left to post. */
async function openObservers(needs: Needs, overrides: FunctionOverrides, engine: Engine, chain: () => Chain) {
  const { database, state, clock, logger } = needs
  const watching = {
    database,
    engine,
    rules: overrides.table,
    exclusive: state.exclusive,
    latest: () => chain().history.at('latest'),
    clock,
    logger,
    createId,
  }
  const tracking = await createTracking({
    ...watching,
    networkTime: () => chain().blockSettings.time(),
    keepSamples: needs.branching.keepSamples,
  })
  return {
    tracking,
    invariants: await createInvariants(watching),
    webhookCursor: createWebhookCursor({ database }),
  }
}

/**
 * By which rules the chain's blocks run, and which of the protocol's contracts it has. All that is asked of upstream goes out in
 * one round trip, the funded accounts too: without them, these could not send while upstream is away.
 */
async function openRules(
  config: Config,
  needs: Needs,
  { funded, movesBase, isStored, ...asked }: Asked,
): Promise<Pick<OpenedChain, 'rules' | 'deployed'>> {
  const { database, upstream, baseStates, base, live, ofNetwork, engine, clock, logger } = needs
  const { origin, chainId, upstreamChainId } = needs.network
  const isAway = upstream !== undefined && upstream.head.current() === undefined
  const loadFunded = () =>
    new BaseView(baseStates(movesBase ? live : base))
      .load({
        accounts: [origin.header.coinbase, ...funded.slice(0, preloadedAccounts)],
        codes: [],
        slots: [],
        blockHashes: [],
      })
      .catch((error) => logger.debug({ err: error }, 'Could not load the funded accounts'))
  const [rules, deployed] = await Promise.all([
    ofNetwork?.rules ??
      openChainRules(
        {
          chainId: upstreamChainId ?? chainId,
          hardfork: config.hardfork,
          prices: config.prices,
          profile: config.chainProfile === undefined ? undefined : await loadChainProfile(config.chainProfile),
          l1Fee: config.l1Fee,
          forksNothing: upstream === undefined && upstreamChainId === undefined,
          isPinned: !movesBase,
        },
        { database, request: upstream?.request, isAway, engine, origin, base, isStored, clock, logger, ...asked },
      ),
    ofNetwork?.deployed ?? openSystemContracts(baseStates(live), { database, isAway, isStored, logger }),
    isAway || ofNetwork ? undefined : loadFunded(),
  ])
  return { rules, deployed }
}
