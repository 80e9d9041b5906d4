import { randomUUID } from 'node:crypto'
import { createTransactionNotes } from '../activity/transactionNotes.ts'
import { createTransactionRanges } from '../activity/transactionRanges.ts'
import type { Branches } from '../branches/branch.ts'
import type { ChainEvents } from '../chain/chainEvents.ts'
import type { History } from '../chain/history/history.ts'
import type { SuggestTip } from '../chain/submission/suggestedTip.ts'
import { type Config, mayNameUrls } from '../config/config.ts'
import { createAccountTags } from '../contracts/accountTags.ts'
import type { ContractCodes } from '../contracts/contractCode.ts'
import { createContractDirectory } from '../contracts/contractDirectory.ts'
import { createContractImports } from '../contracts/contractImports.ts'
import type { ContractLibrary } from '../contracts/contractLibrary.ts'
import { createContractSources } from '../contracts/contractSources.ts'
import { createTransactionDecoder } from '../contracts/decodedTransaction.ts'
import { createContractExplorer } from '../contracts/explorer/contractExplorer.ts'
import { createExplorerSources } from '../contracts/explorer/explorerSources.ts'
import {
  createCreatedContracts,
  createDeployedContracts,
  createKnownContracts,
  type KnownContracts,
  type LiveContract,
  withChainContracts,
  withLiveContracts,
} from '../contracts/knownContracts.ts'
import { createSignatures } from '../contracts/knownSignatures/signatures.ts'
import { createRecognition } from '../contracts/recognition.ts'
import { createTokenReads } from '../contracts/tokenMetadata.ts'
import type { Compiler } from '../contracts/verification/compiler.ts'
import { createVerifications } from '../contracts/verification/verifications.ts'
import { contractsOf, contractsOfProfile } from '../ethereum/chains/contracts/contractsOf.ts'
import type { Execution } from '../execution/execution.ts'
import { createForecaster } from '../fidelity/forecast/forecast.ts'
import { createFollowUps } from '../invariants/followUps.ts'
import type { Invariants } from '../invariants/invariants.ts'
import type { FunctionOverrides } from '../overrides/functionOverrides.ts'
import { encodeBlockReport } from '../rpc/encode/runs/webhook.ts'
import type { ContractServices, StateReads } from '../rpc/services.ts'
import { randomId } from '../rpc/subscriptions/subscriptions.ts'
import { createDivergences } from '../shadow/divergences.ts'
import type { Shadow } from '../shadow/shadow.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import type { Events } from '../shared/events.ts'
import type { createStopper } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { createOutcomes } from '../simulation/outcome/outcomes.ts'
import { createStoredSimulations } from '../simulation/storedSimulations.ts'
import type { BaseView } from '../state/baseView.ts'
import type { State } from '../state/state.ts'
import { createId } from '../storage/createId.ts'
import type { Database } from '../storage/database.ts'
import { createRunComparisons } from '../traces/comparison/runComparisons.ts'
import { type CoverageRecorder, createCoverage } from '../traces/coverage/coverage.ts'
import { createDebugger } from '../traces/debugger/debugger.ts'
import { createGasProfiles } from '../traces/gas/gasProfiles.ts'
import { createRunLines, createStepLocations } from '../traces/runs/runLines.ts'
import { createSlotHistory } from '../traces/slots/slotHistory.ts'
import { createWriteLocations } from '../traces/slots/writeLocations.ts'
import { createStackTraces } from '../traces/stackTraces.ts'
import type { Traces } from '../traces/traces.ts'
import type { Tracking } from '../tracking/tracking.ts'
import type { ChainRules } from '../upstream/rules/chainRules.ts'
import type { Base } from '../upstream/wantedState.ts'
import type { WebhookCursor } from '../webhook/cursor.ts'
import { createWebhook } from '../webhook/webhook.ts'
import { createDashboards } from '../workspaces/dashboards.ts'
import { loadSlotPaths } from '../workspaces/storage.ts'
import { createWorkspaces } from '../workspaces/workspaces.ts'

type Needs = {
  database: Database
  /** Where entries are stored that are not changes of the network. */
  sideConnection: Pick<Database, 'queries' | 'transaction'>
  upstreamChainId: bigint | undefined
  rules: Pick<ChainRules, 'profile'>
  liveContracts: readonly LiveContract[]
  history: History
  execution: Execution
  engine: Engine
  /** With the current function overrides. */
  overridingEngine: Engine
  suggestTip: SuggestTip
  state: State
  reads: StateReads
  codes: ContractCodes
  library: ContractLibrary
  compiler: Compiler
  coverageRecorder: CoverageRecorder
  shadow: Pick<Shadow, 'settings' | 'events'>
  invariants: Pick<Invariants, 'events' | 'get' | 'list'>
  webhookCursor: WebhookCursor
  isBranch: boolean
  branches: Pick<Branches<unknown>, 'create'>
  traces: Pick<Traces, 'runRepeatable' | 'runTransaction' | 'runBlock' | 'pointWithin'>
  chainEvents: Events<ChainEvents>
  overrides: FunctionOverrides
  tracking: Tracking
  /** The live chain's state at its head; `undefined` if nothing is forked. */
  upstreamHead(): BaseView | undefined
  /** Its state at a block; `undefined` if nothing is forked. */
  liveAt: ((base: Base) => BaseView) | undefined
  clock: Clock
  logger: Logger
}

/** Creates the services for contracts and workspaces. */
export async function createContractServices(
  config: Config,
  needs: Needs,
  stopper: ReturnType<typeof createStopper>,
): Promise<ContractServices> {
  const { database, history, execution, state, reads, codes, library, clock, logger } = needs
  const explorer = explorerOf(config, needs)
  stopper.add(() => explorer.stop())
  const recognition = createRecognition({ library, codes, sideConnection: needs.sideConnection, logger })
  const users = withLiveContracts(createDeployedContracts({ database, library, recognition }), needs.liveContracts)
  const { profile } = needs.rules
  const own = withChainContracts(users, contractsOf(contractsOfProfile(profile, profile.stack)))
  const knowledge = createContractDirectory({ own, explorer, codes, history, execution, clock, logger })
  const abis = createKnownContracts([knowledge])
  const loadLines = createRunLines({ database, library })
  const gasProfiles = createGasProfiles({ loadLines, abis })
  const locationOf = createStepLocations({ loadLines, abis })
  const writeLocations = createWriteLocations({ traces: needs.traces, locationOf })
  const created = createCreatedContracts({ database, library })
  const stackTraces = createStackTraces({ loadLines, abis, created })
  const tokens = createTokenReads({ history, execution })
  const divergences = createDivergences({
    database,
    shadow: needs.shadow,
    abis,
    tokens,
    loadFailureLocation: async (hash) => (await stackTraces.of(await needs.traces.runTransaction(hash)))[0],
    loadSlotPaths: (address, slots) => loadSlotPaths(address, slots, { queries: database.queries, knowledge, library }),
    logger,
  })
  const workspaces = createWorkspaces({ database, history, execution, library, codes, recognition, clock, createId })
  const imports = createContractImports({
    database,
    state,
    library,
    liveContracts: needs.liveContracts.map(({ address }) => address),
    logger,
  })
  const debugSessions = createDebugger(config, {
    traces: needs.traces,
    loadLines,
    abis,
    library,
    database,
    chainEvents: needs.chainEvents,
    clock,
    createId,
  })
  stopper.add(async () => debugSessions.stop())
  return {
    contracts: imports,
    knowledge,
    sources: createContractSources({ database, knowledge }),
    ...transactionReads(needs, abis),
    divergences,
    webhook: await createWebhook(
      { isAllowed: mayNameUrls(config), isBranch: needs.isBranch },
      {
        database,
        cursor: needs.webhookCursor,
        divergences,
        invariants: needs.invariants,
        head: () => history.head().header.number,
        chainEvents: needs.chainEvents,
        encode: (report) => encodeBlockReport(report, history.chainId),
        clock,
        logger,
      },
    ),
    invariantFollowUps: createFollowUps({
      database,
      invariants: needs.invariants,
      async loadLocation({ blockNumber: block, hash: transaction, written }) {
        const writing: Parameters<typeof writeLocations.add>[0][number] = { block, transaction, location: undefined }
        if (written) await writeLocations.add([writing], written)
        return writing.location
      },
      async makeBranch(name, block) {
        await needs.branches.create({ name, at: { number: block }, expiresAt: undefined })
      },
      logger,
    }),
    debugger: debugSessions,
    stackTraces,
    gasProfiles,
    forecaster: createForecaster(config, { history, engine: needs.engine, abis, loadLines, gasProfiles }),
    coverage: createCoverage({ recorder: needs.coverageRecorder, database, library, clock }),
    slotHistory: createSlotHistory({
      database,
      history,
      liveAt: needs.liveAt,
      writeLocations,
    }),
    runComparisons: createRunComparisons({ locationOf }),
    verifications: createVerifications({
      database,
      imports,
      compiler: needs.compiler,
      loadCode: async (address) => reads.loadCode(address, 'latest'),
      clock,
      logger,
      createId: randomId,
    }),
    ...{ workspaces, tags: createAccountTags({ database }) },
    storedSimulations: createStoredSimulations(config, { database, clock, createId: randomUUID }),
    outcomes: createOutcomes(config, { ...needs, engine: needs.overridingEngine, knowledge, created, stackTraces }),
    dashboards: createDashboards({
      ...needs,
      workspaces,
      knowledge,
      abis,
      tokens,
      loadEther: async (address) => reads.loadBalance(address, 'latest'),
    }),
  }
}

function explorerOf(config: Config, { upstreamChainId: chainId, sideConnection: database, clock, logger }: Needs) {
  const sources = createExplorerSources(config, { chainId, clock })
  const times = { timeoutMs: 4000, unverifiedMs: 3_600_000 }
  return createContractExplorer(times, { ...sources, database, clock, logger })
}

/** What transactions are shown by. */
function transactionReads(
  { database, sideConnection, history, library, liveContracts, clock }: Needs,
  abis: KnownContracts,
): Pick<ContractServices, 'decoder' | 'signatures' | 'transactionRanges' | 'notes'> {
  return {
    decoder: createTransactionDecoder({ database, history, abis }),
    signatures: createSignatures({
      database,
      sideConnection,
      library,
      liveAbis: liveContracts.flatMap(({ known }) => (known ? [known.abi] : [])),
    }),
    transactionRanges: createTransactionRanges({ database, history }),
    notes: createTransactionNotes({ database, history, clock }),
  }
}
