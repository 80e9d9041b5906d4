import { createActivitySearch } from '../activity/search.ts'
import type { AuditFile } from '../audit/auditFile.ts'
import { createAuditLog } from '../audit/auditLog.ts'
import type { Branches } from '../branches/branch.ts'
import { createForkConfigs } from '../chain/history/forkConfig.ts'
import { createModifiedAccounts } from '../chain/history/modifiedAccounts.ts'
import { createProofs } from '../chain/history/proofs.ts'
import { createRawData } from '../chain/history/rawData.ts'
import { createReceiptWaiter } from '../chain/history/receiptWaiter.ts'
import type { Startup } from '../chain/rewind/wipes.ts'
import type { Config } from '../config/config.ts'
import { createContractCodes } from '../contracts/contractCode.ts'
import type { LiveContract } from '../contracts/knownContracts.ts'
import type { Compiler } from '../contracts/verification/compiler.ts'
import { createExecution } from '../execution/execution.ts'
import { createTokenBalances } from '../execution/tokenBalances.ts'
import { createOverridingEngine } from '../execution/wrappedEngines.ts'
import { createFidelity } from '../fidelity/fidelity.ts'
import { statusOf } from '../network/liveChain.ts'
import { loadKnownChain, loadStoredNetwork } from '../network/network.ts'
import type { Recorder } from '../network/openRecorder.ts'
import { createResets } from '../network/resets.ts'
import type {
  AccountServices,
  ChainServices,
  ContractServices,
  NodeServices,
  Services,
  StateServices,
  TraceServices,
  UpstreamServices,
} from '../rpc/services.ts'
import type { Access } from '../server/access.ts'
import { chain } from '../shared/async/maybePromise.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import type { createStopper } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { createSimulation } from '../simulation/simulation.ts'
import { BaseView } from '../state/baseView.ts'
import { createDriftReader } from '../state/drift.ts'
import { createStateDumps } from '../state/stateDump.ts'
import { loadAccountField, loadCode, loadStorage } from '../state/view.ts'
import type { NetworkNumber } from '../storage/branches/layers.ts'
import { createId } from '../storage/createId.ts'
import { loadInstanceId } from '../storage/records/settings.ts'
import { loadWrittenSlots } from '../storage/records/state/localPages.ts'
import { createWriteCheck } from '../storage/writeCheck.ts'
import { createOtterscan } from '../traces/otterscan.ts'
import { createParityTraces } from '../traces/parityTraces.ts'
import { createStorageRanges } from '../traces/slots/storageRange.ts'
import { createTraces } from '../traces/traces.ts'
import { createUserOperations } from '../userOperations/userOperations.ts'
import { createWalletCalls } from '../wallet/calls.ts'
import { createWalletRequests } from '../wallet/requests.ts'
import type { Workers } from '../workers/workers.ts'
import { createContractServices } from './contractServices.ts'
import type { NetworkSwitch } from './networkSwitch.ts'
import type { OpenedChain } from './openChain.ts'
import type { OpenedState } from './openState.ts'
import type { RecentProblems } from './recentProblems.ts'
import { createReporter } from './report.ts'
import { version } from './version.ts'

/** What stays while networks are exchanged. */
export type ProcessServices = Pick<Services, 'filters' | 'changes' | 'networks'> & {
  startedAt: number
  problems: RecentProblems['list']
  auditFile: AuditFile | undefined
  access: Access
  /** Of the network, whose number is 0, or of a branch. */
  startupOf(network: NetworkNumber): Startup
  replaceBy: NetworkSwitch['replaceBy']
}

type Needs = OpenedState &
  OpenedChain & {
    process: ProcessServices
    recorder: Recorder | undefined
    branches: Branches<Services>
    isBranch: boolean
    engine: Engine
    workers: Workers
    liveContracts: readonly LiveContract[]
    compiler: Compiler
    clock: Clock
    logger: Logger
  }

/** Makes what the methods call, of a network that is open. */
export async function createServices(
  config: Config,
  needs: Needs,
  stopper: ReturnType<typeof createStopper>,
): Promise<Services> {
  const node = nodeServices(config, needs, stopper)
  const state = stateServices(config, needs)
  const traces = await traceServices(config, needs, stopper)
  return {
    ...node,
    ...upstreamServices(needs),
    ...state,
    ...traces,
    ...chainServices(config, needs, traces),
    ...accountServices(config, needs, traces),
    ...(await contractServices(config, needs, { ...state, ...traces }, stopper)),
  }
}

function nodeServices(config: Config, needs: Needs, stopper: ReturnType<typeof createStopper>): NodeServices {
  const { process, network, rules, database, sideConnection, membership, isSealer, clock, logger } = needs
  const { upstreamChainId } = network
  const audit = createAuditLog(config, {
    // A node that does not seal notes what it refuses itself.
    database: () => (isSealer() ? database : sideConnection),
    file: process.auditFile,
    clock,
    logger,
  })
  stopper.add(() => audit.stop())
  return {
    info: () => ({
      version,
      chainId: needs.chain.history.chainId,
      upstreamChainId,
      followsHead: config.followHead && !network.isPinned,
      chain: rules.profile,
      rulesAt: rules.at,
      startedAt: process.startedAt,
      dataDirectory: database.location,
    }),
    reporter: createReporter(config, { database, problems: process.problems }),
    loadInstanceId: () => loadInstanceId(database.queries),
    node: () => membership?.status(),
    apiKeys: process.access,
    audit,
    filters: process.filters,
    changes: process.changes,
    branches: needs.branches,
    networks: process.networks,
    checkStorage: createWriteCheck({ database: sideConnection, clock, logger }),
    workers: needs.workers.counts,
  }
}

function upstreamServices({ upstream, cache, askUpstream, chain }: Needs): UpstreamServices {
  return {
    upstream: () => upstream && cache && statusOf(upstream, cache, chain.history.head().base),
    upstreamUsage: () => upstream?.counters(),
    askUpstream(method, params) {
      if (!askUpstream) throw new NetworkError('METHOD_NOT_FOUND', { method })
      return askUpstream(method, params)
    },
  }
}

function stateServices(config: Config, needs: Needs): StateServices {
  const { database, upstream, network, baseStates, state, senders, overrides, execution, tracking, engine } = needs
  const { history } = needs.chain
  return {
    reads: {
      loadBalance: (address, tag) => chain(history.at(tag), ({ view }) => loadAccountField(view, address, 'balance')),
      loadNonce: (address, tag) => chain(history.at(tag), ({ view }) => loadAccountField(view, address, 'nonce')),
      loadCode: (address, tag) => chain(history.at(tag), ({ view }) => loadCode(view, address)),
      loadStorage: (address, slot, tag) => chain(history.at(tag), ({ view }) => loadStorage(view, address, slot)),
    },
    state,
    stateDumps: createStateDumps({ database, state }),
    drift: createDriftReader({
      database,
      baseStates,
      origin: network.origin.base,
      live: () => upstream?.head.current(),
    }),
    senders,
    execution,
    plainExecution: createExecution(config, { engine }),
    overrides,
    tracking,
    invariants: needs.invariants,
    // Probes the real slots: an overridden balanceOf would hide them.
    tokenBalances: createTokenBalances(config, { engine, state, latest: history.next }),
  }
}

function accountServices(config: Config, needs: Needs, { traces }: TraceServices): AccountServices {
  const { database, chain, senders, state, execution, engine, overrides, clock, logger } = needs
  const { history, submission } = chain
  return {
    walletCalls: createWalletCalls({ history, execution, submission, senders, state }),
    walletRequests: createWalletRequests({ database, senders, clock, createId }),
    userOperations: createUserOperations(config, {
      history,
      submission,
      senders,
      state,
      execution,
      traces,
      engineWith: (table) => createOverridingEngine(engine, table ? () => table : overrides.table),
      overrides: overrides.table,
      logger,
    }),
  }
}

async function traceServices(
  config: Config,
  needs: Needs,
  stopper: ReturnType<typeof createStopper>,
): Promise<TraceServices> {
  const { database, chain, execution, overrides, overridingEngine, hardforks, deployed, engine, askUpstream } = needs
  const { history } = chain
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
    liveAt: needs.upstream && ((base) => new BaseView(needs.baseStates(base))),
  })
  const fidelity = await createFidelity(config, {
    history,
    hardforks,
    hardforkAt: needs.rules.at,
    upstream: needs.upstream,
    ask: traces.ask,
    engine,
    database,
    isStored: needs.isSealer,
    clock: needs.clock,
    logger: needs.logger,
  })
  stopper.add(() => fidelity.stop())
  return {
    traces,
    fidelity,
    shadow: needs.shadow,
    parityTraces: createParityTraces({ history, traces }),
    otterscan: createOtterscan({ activity: createActivitySearch(database), history, traces }),
    loadStorageRange: createStorageRanges({
      history,
      traces,
      loadKnownSlots: async (address, limit) => [
        ...(await loadWrittenSlots(database.queries, address, limit + 1)),
        ...(needs.cache?.slotsOf(address) ?? []),
      ],
    }),
    simulation: createSimulation(config, {
      history,
      engine: overridingEngine,
      hardforks,
      systemContracts: deployed,
    }),
  }
}

function chainServices(config: Config, needs: Needs, { traces }: TraceServices): ChainServices {
  const { database, membership, stored, upstream, state, hardforks, deployed, chain, wipes, clock, logger } = needs
  const { origin } = needs.network
  const { chainEvents, history, blobs, submission, mining, blockSettings, rewinds } = chain
  return {
    chainEvents,
    history,
    blobs,
    submission,
    mining,
    blockSettings,
    rewinds,
    wipes,
    resets: createResets(config, {
      forkUrls: stored?.forkUrls ?? config.forkUrls,
      origin: origin.base.number,
      loadInstanceId: () => loadInstanceId(database.queries),
      begin: rewinds.reset,
      load: async () => {
        const current = await loadStoredNetwork(database.queries)
        return current && { current, known: await loadKnownChain(database.queries, current) }
      },
      replaceBy(next, local) {
        if (local === 'deleted' && needs.branches.list().length > 0)
          throw new NetworkError('UNSUPPORTED', {
            what: 'a reset to another block or another live chain while there are branches. Remove them, with dev_removeBranch',
          })
        if (membership)
          throw new NetworkError('UNSUPPORTED', {
            what: 'a reset to another block, another live chain or another URL of a network that several nodes share. Begin another, with --network, or restart the nodes with the URL',
          })
        return needs.process.replaceBy(next, local)
      },
      recorder: needs.recorder,
      clock,
      logger,
    }),
    rawData: createRawData({ database, history, ask: traces.ask }),
    loadModifiedAccounts: createModifiedAccounts({ database, history, ask: traces.ask }),
    proofs: createProofs({ database, history, state, upstream }),
    forks: createForkConfigs(needs.rules.schedule, {
      history,
      hardforks,
      deployed,
    }),
    receiptWaiter: createReceiptWaiter({ history, chainEvents, clock }),
  }
}

function contractServices(
  config: Config,
  needs: Needs,
  { reads, traces }: Pick<StateServices, 'reads'> & Pick<TraceServices, 'traces'>,
  stopper: ReturnType<typeof createStopper>,
): Promise<ContractServices> {
  const { upstream, baseStates, chain, network } = needs
  const { history } = chain
  const codes = createContractCodes({
    history,
    base: () => (upstream ? new BaseView(baseStates(history.head().base)) : undefined),
  })
  return createContractServices(
    config,
    {
      ...needs,
      // What is read to be shown counts for no coverage.
      execution: createExecution(config, { engine: needs.overridingEngine }),
      upstreamChainId: network.upstreamChainId,
      history,
      reads,
      traces,
      chainEvents: chain.chainEvents,
      codes,
      liveAt: upstream && ((base) => new BaseView(baseStates(base))),
      upstreamHead: () => upstream && new BaseView(baseStates(upstream.head.current() ?? history.head().base)),
    },
    stopper,
  )
}
