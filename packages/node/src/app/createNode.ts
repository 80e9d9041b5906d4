import { createId } from '@paralleldrive/cuid2'
import { createEvm, type Engine } from '@understudy/evm'
import { createActivityRecorder } from '../activity/activityRecorder.ts'
import { createActivitySearch } from '../activity/search.ts'
import { type AuditFile, openAuditFile } from '../audit/auditFile.ts'
import { createAuditLog } from '../audit/auditLog.ts'
import { createChain } from '../chain/chain.ts'
import { createForkConfigs } from '../chain/history/forkConfig.ts'
import { createProofs } from '../chain/history/proofs.ts'
import { createRawData } from '../chain/history/rawData.ts'
import { createReceiptWaiter } from '../chain/history/receiptWaiter.ts'
import { fundOnce } from '../chain/rewind/funding.ts'
import { createWipes } from '../chain/rewind/wipes.ts'
import { upstreamBlockFrom } from '../chain/sealing/upstreamBlocks.ts'
import { createResultFinder } from '../cluster/findResult.ts'
import { createForwarder } from '../cluster/forwarder.ts'
import { peersOf } from '../cluster/peers.ts'
import type { Config } from '../config/config.ts'
import { testMnemonic } from '../config/options.ts'
import { createContractCodes } from '../contracts/contractCode.ts'
import { createContractLibrary } from '../contracts/contractLibrary.ts'
import { genesisBlock } from '../ethereum/genesis.ts'
import { createHardforks, forkSchedule } from '../ethereum/rules.ts'
import { createExecution } from '../execution/execution.ts'
import { createTokenBalances } from '../execution/tokenBalances.ts'
import { createTurns } from '../execution/turns.ts'
import { createFunctionOverrides } from '../overrides/functionOverrides.ts'
import { createOverridingEngine } from '../overrides/overridingEngine.ts'
import { createFilters } from '../rpc/filters/filters.ts'
import type { UnknownProxy } from '../rpc/proxyUnknown.ts'
import { randomId } from '../rpc/randomId.ts'
import type { Services } from '../rpc/services.ts'
import { createSenders } from '../senders/senders.ts'
import { createSignatureNotice } from '../senders/signatureNotice.ts'
import { type Access, createAccess } from '../server/access.ts'
import { currentBudget } from '../shared/budget/requestBudget.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import { createEvents } from '../shared/events.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { createSimulation } from '../simulation/simulation.ts'
import { BaseView } from '../state/baseView.ts'
import { createDriftReader } from '../state/drift.ts'
import { createState } from '../state/state.ts'
import { createStateDumps } from '../state/stateDump.ts'
import { loadAccountField, loadCode, loadStorage } from '../state/view.ts'
import type { PostgresPlace } from '../storage/database.ts'
import { loadNewestBlock } from '../storage/records/chain/blocks.ts'
import { createWriteCheck } from '../storage/writeCheck.ts'
import { createOtterscan } from '../traces/otterscan.ts'
import { createParityTraces } from '../traces/parityTraces.ts'
import { createTraces } from '../traces/traces.ts'
import { createTracking } from '../tracking/tracking.ts'
import { emptyBaseState } from '../upstream/baseState.ts'
import type { UpstreamHead } from '../upstream/head/head.ts'
import type { Base } from '../upstream/wantedState.ts'
import { createClusterServices } from './clusterServices.ts'
import { createContractServices } from './contractServices.ts'
import { announceHeads } from './headAnnouncer.ts'
import { warmHeads } from './headWarmer.ts'
import { joinNetwork } from './joinNetwork.ts'
import { openCache, openUpstream, statusOf } from './liveChain.ts'
import { asRefusal, blocksBelow, loadKnownChain, loadStoredNetwork, openNetwork, saveNextNetwork } from './network.ts'
import { createNetworkSwitch, type NetworkSwitch, type OpenedNetwork } from './networkSwitch.ts'
import { openServer } from './openServer.ts'
import { openSystemContracts } from './openSystemContracts.ts'
import { createResets } from './resets.ts'
import { createStopper } from './stopper.ts'
import { version } from './version.ts'

/** A network: opened when it was made, running between `start` and `stop`. */
export type Node = Service & {
  readonly services: Services
  /** Where it listens, without a trailing slash. Known after `start`. */
  url(): string
  /** Resolves with the reason when it cannot go on, and has to be stopped. */
  readonly failed: Promise<NetworkError>
}

type Needs = { engine: Engine; logger: Logger; clock?: Clock }

/**
 * Opens the network that a configuration describes; without a fork URL, one that forks nothing.
 * Throws what keeps it from opening: `UPSTREAM_UNAVAILABLE`, `DATA_DIRECTORY_IN_USE`, `DATA_DIRECTORY_OF_OTHER_CHAIN`…
 */
export async function createNode(config: Config, given: Needs): Promise<Node> {
  const needs = { clock: systemClock, ...given }
  const { clock, logger } = needs
  const auditFile = config.auditFile === undefined ? undefined : await openAuditFile(config.auditFile, { logger })
  const processServices: ProcessServices = {
    startedAt: clock.now(),
    auditFile,
    access: createAccess(config, { clock }),
    filters: createFilters(config, { clock, createId: randomId }),
    changes: createEvents((error) => logger.error({ err: error }, 'A listener failed')),
    replaceBy: (next) => networkSwitch.replaceBy(next),
  }
  const openNext = async () => {
    const stopper = createStopper()
    try {
      return await open(config, processServices, needs, stopper)
    } catch (error) {
      await stopper.stop()
      throw error
    }
  }
  const first = await openNext().catch(async (error) => {
    await auditFile?.close()
    throw error
  })
  const networkSwitch = createNetworkSwitch({ first, open: openNext, clock })
  const { services, serve, failed } = networkSwitch
  const proxy: UnknownProxy | undefined = config.proxyUnknown
    ? (method, params) => services.askUpstream(method, params as [])
    : undefined
  const { access } = processServices
  const server = openServer(config, { services, serve, access, proxy, nodes: first.nodes, clock, logger })
  return {
    services,
    url: server.url,
    failed,
    async start() {
      await networkSwitch.start()
      await server.start()
      first.listensAt(server.url())
    },
    async stop() {
      await server
        .stop()
        .finally(() => networkSwitch.stop())
        .finally(() => auditFile?.close())
    },
  }
}

/** What stays while networks are exchanged. */
type ProcessServices = Pick<Services, 'filters' | 'changes'> & {
  startedAt: number
  auditFile: AuditFile | undefined
  access: Access
  replaceBy: NetworkSwitch['replaceBy']
}

async function open(
  config: Config,
  { startedAt, auditFile, access, filters, changes, replaceBy }: ProcessServices,
  { engine: main, logger, clock }: Required<Needs>,
  stopper: ReturnType<typeof createStopper>,
): Promise<OpenedNetwork> {
  let listensAt: string | undefined
  const engine = createTurns({ main, createLane: createEvm, clock })
  const joined = await joinNetwork(config, { listensAt: () => listensAt, clock, logger }, stopper)
  const { database, membership } = joined
  const isSealer = () => membership?.isSealer() ?? true
  const stored = await loadStoredNetwork(database.queries)
  const known = await loadKnownChain(database.queries, stored)
  const upstream = await openUpstream(
    config,
    stored?.forkUrls ?? config.forkUrls,
    known,
    { logger, clock },
    stopper,
  ).catch((error) => {
    throw asRefusal(error, placeOf(config), stored)
  })
  const askUpstream =
    upstream &&
    ((method: string, params: readonly unknown[]) =>
      upstream.request<never>(method, params, { signal: currentBudget()?.signal }))
  const genesis = () => genesisBlock(BigInt(Math.floor(startedAt / 1000)))
  const network = await openNetwork({ place: placeOf(config), ...config }, { database, upstream, genesis })
  const { origin, chainId } = network
  const newest = await loadNewestBlock(database.queries)
  const base: Base = newest ? { number: newest.baseNumber, hash: newest.baseHash } : origin.base
  const live = upstream?.head.current() ?? base
  const cache =
    upstream && (await openCache(config, { upstream, database, clock, logger, base, isStored: isSealer }, stopper))
  const baseStates = cache ? cache.state : () => emptyBaseState
  const state = await createState(
    { isFork: upstream !== undefined, origin: origin.base.number, base, live },
    { database, baseStates, engine },
  )
  const senders = await createSenders(config, {
    database,
    noticeSignature: createSignatureNotice(
      { isTestMnemonic: config.mnemonic === testMnemonic, chainId, upstreamChainId: network.upstreamChainId },
      { logger },
    ),
  })
  if (membership?.isHolder() ?? true) await fundOnce(senders.funded(), config.balance, { database, state })

  const overrides = await createFunctionOverrides({ database, mark: state.mark, clock, logger, createId })
  const overridingEngine = createOverridingEngine(engine, overrides.table)
  const execution = createExecution(config, { engine: overridingEngine })
  const library = await createContractLibrary({ database, clock, createId })
  const tracking = await createTracking({
    database,
    engine: overridingEngine,
    rules: overrides.table,
    exclusive: state.exclusive,
    latest: () => chain.history.at('latest'),
    networkTime: () => chain.history.pendingHeader().timestamp,
    clock,
    logger,
    createId,
  })
  const hardforks = createHardforks(network.upstreamChainId ?? chainId, config.hardfork, origin.header)
  const deployed = await openSystemContracts(baseStates(live), {
    database,
    isAway: upstream !== undefined && upstream.head.current() === undefined,
    isStored: isSealer,
    logger,
  })
  const chain = await createChain(
    {
      ...config,
      chainId,
      upstreamChainId: network.upstreamChainId,
      mode: config.mine,
      movesBase: config.followHead && !network.isPinned,
    },
    {
      database,
      state,
      engine: overridingEngine,
      execution,
      senders,
      baseStates,
      hardforks,
      systemContracts: deployed,
      overrides: overrides.table,
      origin,
      upstream: askUpstream,
      observers: [createActivityRecorder({ library }), tracking.observer],
      clock,
      logger,
    },
  )
  const { chainEvents, history, submission, mining, blockSettings, rewinds } = chain
  upstream?.useBases(() => blocksBelow(origin, history.head().base))
  let leaving = async () => {}
  stopper.add(() => leaving())
  stopper.add(() => chain.stop())

  const wipes = await createWipes({ database, wipeNow: chain.wipe, clock, logger })

  const codes = createContractCodes({
    history,
    base: () => (upstream ? new BaseView(baseStates(history.head().base)) : undefined),
  })
  const traces = createTraces(config, {
    history,
    execution,
    overridingEngine,
    async engineAt(seq) {
      const table = await overrides.tableAt(seq)
      return createOverridingEngine(engine, () => table)
    },
    engine,
    upstream: askUpstream,
  })
  const audit = createAuditLog(config, {
    // A node that does not seal notes what it refuses itself.
    database: () => (isSealer() ? database : joined.aside),
    file: auditFile,
    clock,
    logger,
  })
  stopper.add(() => audit.stop())

  const reads: Services['reads'] = {
    loadBalance: async (address, tag) => loadAccountField((await history.at(tag)).view, address, 'balance'),
    loadNonce: async (address, tag) => loadAccountField((await history.at(tag)).view, address, 'nonce'),
    loadCode: async (address, tag) => loadCode((await history.at(tag)).view, address),
    loadStorage: async (address, slot, tag) => loadStorage((await history.at(tag)).view, address, slot),
  }
  const services: Services = {
    apiKeys: access,
    audit,
    askUpstream: (method, params) => {
      if (!askUpstream) throw new NetworkError('METHOD_NOT_FOUND', { method })
      return askUpstream(method, params)
    },
    upstreamUsage: () => upstream?.counters(),
    node: () => membership?.status(),
    filters,
    changes,
    info: () => ({
      version,
      chainId,
      upstreamChainId: network.upstreamChainId,
      startedAt,
      dataDirectory: database.place,
    }),
    upstream: () => upstream && cache && statusOf(upstream, cache, history.head().base),
    checkStorage: createWriteCheck({ database: joined.aside, clock, logger }),
    chainEvents,
    history,
    submission,
    mining,
    blockSettings,
    rewinds,
    wipes,
    ...createContractServices(
      config,
      {
        database,
        aside: joined.aside,
        upstreamChainId: network.upstreamChainId,
        history,
        execution,
        state,
        reads,
        codes,
        library,
        overrides,
        tracking,
        upstreamHead: () => upstream && new BaseView(baseStates(upstream.head.current() ?? history.head().base)),
        clock,
        logger,
      },
      stopper,
    ),
    stateDumps: createStateDumps({ database, state }),
    drift: createDriftReader({ database, baseStates, origin: origin.base, live: () => upstream?.head.current() }),
    reads,
    state,
    execution,
    overrides,
    tracking,
    senders,
    rawData: createRawData({ history, ask: traces.ask }),
    traces,
    parityTraces: createParityTraces({ history, traces }),
    otterscan: createOtterscan({ activity: createActivitySearch(database), history, traces }),
    forks: createForkConfigs(forkSchedule(network.upstreamChainId ?? chainId, config.hardfork, origin.header), {
      history,
      hardforks,
      deployed,
    }),
    receiptWaiter: createReceiptWaiter({ history, chainEvents, clock }),
    resets: createResets(config, {
      forkUrls: stored?.forkUrls ?? config.forkUrls,
      origin: origin.base.number,
      begin: rewinds.reset,
      replaceBy(next) {
        if (membership)
          throw new NetworkError('UNSUPPORTED', {
            what: 'a reset to another block or another live chain of a network that several nodes share. Begin another, with --network',
          })
        return replaceBy(next)
      },
      clock,
      logger,
    }),
    proofs: createProofs({ database, history, state, upstream }),
    simulation: createSimulation(config, {
      history,
      engine: overridingEngine,
      hardforks,
      systemContracts: deployed,
    }),
    // Probes the real slots: an overridden balanceOf would hide them.
    tokenBalances: createTokenBalances({ engine, state, latest: () => history.at('pending') }),
  }

  const forwarder = membership && createForwarder({ membership, clock, findResult: createResultFinder(database) })
  if (forwarder) stopper.add(() => forwarder.stop())
  const parts = createClusterServices({ chain, wipes, tracking, overrides, senders, library, audit, changes })

  return {
    services,
    failed: database.failed,
    nodes: membership && forwarder && { remoteSealer: forwarder, peers: peersOf(membership) },
    listensAt(url) {
      listensAt = url
    },
    async start() {
      stopper.add(() => wipes.stop())
      stopper.add(() => tracking.stop())
      if (upstream && cache) {
        const announce = (head: UpstreamHead) => {
          state.setLive(head)
          mining.onUpstreamHead(upstreamBlockFrom(head.raw))
        }
        stopper.add(await announceHeads({ head: upstream.head, cache, announce }))
        stopper.add(warmHeads({ history, chainEvents, state, cache, logger }))
      }
      if (membership) await membership.begin(parts)
      else await parts.beginSealing('at the start')
    },
    leaveTo(next) {
      leaving = () => rewinds.abandon((transaction) => saveNextNetwork(transaction, next, network))
      return stopper.stop()
    },
    stop: () => stopper.stop(),
  }
}

/** Where a configuration wants the network to be kept. */
function placeOf({ dataDirectory, databaseUrl, network }: Config): string | PostgresPlace {
  return databaseUrl === undefined ? dataDirectory : { url: databaseUrl, network }
}
