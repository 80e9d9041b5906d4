import type { Address, Hex, Word } from '@understudy/evm'
import type { TransactionNotes } from '../activity/transactionNotes.ts'
import type { TransactionRanges } from '../activity/transactionRanges.ts'
import type { Reporter } from '../app/report.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Branches } from '../branches/branch.ts'
import type { Blobs } from '../chain/blobs/blobs.ts'
import type { ChainEvents } from '../chain/chainEvents.ts'
import type { ForkConfigReader } from '../chain/history/forkConfig.ts'
import type { History } from '../chain/history/history.ts'
import type { LoadModifiedAccounts } from '../chain/history/modifiedAccounts.ts'
import type { Proofs } from '../chain/history/proofs.ts'
import type { RawData } from '../chain/history/rawData.ts'
import type { ReceiptWaiter } from '../chain/history/receiptWaiter.ts'
import type { Rewinds } from '../chain/rewind/rewind.ts'
import type { Wipes } from '../chain/rewind/wipes.ts'
import type { BlockSettings } from '../chain/sealing/blockSettings.ts'
import type { Mining } from '../chain/sealing/mining.ts'
import type { Submission } from '../chain/submission/submission.ts'
import type { NodeStatus } from '../cluster/membership.ts'
import type { AccountTags } from '../contracts/accountTags.ts'
import type { ContractDirectory } from '../contracts/contractDirectory.ts'
import type { ContractImports } from '../contracts/contractImports.ts'
import type { ContractSourceReader } from '../contracts/contractSources.ts'
import type { TransactionDecoder } from '../contracts/decodedTransaction.ts'
import type { Signatures } from '../contracts/knownSignatures/signatures.ts'
import type { Verifications } from '../contracts/verification/verifications.ts'
import type { ChainProfile } from '../ethereum/chains/profile.ts'
import type { Execution } from '../execution/execution.ts'
import type { TokenBalances } from '../execution/tokenBalances.ts'
import type { Fidelity } from '../fidelity/fidelity.ts'
import type { Forecaster } from '../fidelity/forecast/forecast.ts'
import type { Invariants } from '../invariants/invariants.ts'
import type { Resets } from '../network/resets.ts'
import type { FunctionOverrides } from '../overrides/functionOverrides.ts'
import type { Senders } from '../senders/senders.ts'
import type { ApiKeys } from '../server/access.ts'
import type { Divergences } from '../shadow/divergences.ts'
import type { Shadow } from '../shadow/shadow.ts'
import type { MaybePromise } from '../shared/async/maybePromise.ts'
import type { Events } from '../shared/events.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Outcomes } from '../simulation/outcome/outcome.ts'
import type { Simulation } from '../simulation/simulation.ts'
import type { StoredSimulations } from '../simulation/storedSimulations.ts'
import type { BlockTag } from '../state/blockTag.ts'
import type { DriftReader } from '../state/drift.ts'
import type { StateDumps } from '../state/stateDump.ts'
import type { StateFollow } from '../state/stateFollow.ts'
import type { StateWrites } from '../state/stateWrites.ts'
import type { WriteCheck } from '../storage/writeCheck.ts'
import type { RunComparisons } from '../traces/comparison/runComparisons.ts'
import type { Coverage } from '../traces/coverage/coverage.ts'
import type { Debugger } from '../traces/debugger/debugger.ts'
import type { GasProfiles } from '../traces/gas/gasProfiles.ts'
import type { Otterscan } from '../traces/otterscan.ts'
import type { ParityTraces } from '../traces/parityTraces.ts'
import type { SlotHistory } from '../traces/slots/slotHistory.ts'
import type { StorageRange, StorageRangeQuery } from '../traces/slots/storageRange.ts'
import type { StackTraces } from '../traces/stackTraces.ts'
import type { Traces } from '../traces/traces.ts'
import type { Tracking } from '../tracking/tracking.ts'
import type { EndpointProfile } from '../upstream/endpoint/endpointProfile.ts'
import type { RulesStatus } from '../upstream/rules/chainRules.ts'
import type { UpstreamCounters } from '../upstream/transport/counters.ts'
import type { UserOperations } from '../userOperations/userOperations.ts'
import type { WalletCalls } from '../wallet/calls.ts'
import type { WalletRequests } from '../wallet/requests.ts'
import type { Webhook } from '../webhook/webhook.ts'
import type { Dashboards } from '../workspaces/dashboards.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { Filters } from './subscriptions/filters.ts'

/** Information about the network. */
export type NetworkInfo = {
  version: string
  /** The chain that is forked, or that the network is. */
  chain: ChainProfile
  chainId: bigint
  upstreamChainId: bigint | undefined
  /** Whether it moves with the head of the live chain, if it forks one. */
  followsHead: boolean
  /** Milliseconds since 1970. */
  startedAt: number
  dataDirectory: string
  /** The rules of a block, and where they are known from. */
  rulesAt(block: { number: bigint; timestamp: bigint }): RulesStatus
}

/** Reads of accounts at a block. */
export type StateReads = {
  loadBalance(address: Address, tag: BlockTag): MaybePromise<bigint>
  loadNonce(address: Address, tag: BlockTag): MaybePromise<bigint>
  loadCode(address: Address, tag: BlockTag): MaybePromise<Uint8Array>
  loadStorage(address: Address, slot: Word, tag: BlockTag): MaybePromise<bigint>
}

/** One of the networks of a process that serves several. */
export type HostedNetwork = {
  name: string
  /** Whether it takes memory and answers at once; the next request wakes one that is asleep. */
  state: 'asleep' | 'waking' | 'awake'
  /** Whether it is in the configuration file, or was made by a call. */
  origin: 'configuration' | 'call'
  /** The id of the API key that made it. */
  owner: string | undefined
  /** Milliseconds since 1970; `undefined` for networks of the configuration. */
  createdAt: number | undefined
  /** The network of the configuration whose options it has besides its own. */
  like: string | undefined
  /** A name for people. */
  label: string | undefined
  /** As its options say; `undefined`: that of its live chain. */
  chainId: bigint | undefined
  /** As its options say; `undefined`: the head of its live chain. */
  forkBlockNumber: bigint | undefined
  /** How long its last wake took, in milliseconds. */
  wakeMs: number | undefined
  /** Why it could not be opened the last time. */
  problem: string | undefined
}

/** Who asks; without keys, anyone who can reach the server. */
export type NetworkCaller = { key: string | undefined }

/** The networks of a process that serves several, as one key may see them. */
export type Networks = {
  /** Throws `INVALID_PARAMS`, `HOSTED_NETWORK_EXISTS`, `KEY_NETWORK_QUOTA_EXCEEDED`, `KEY_DISK_QUOTA_EXCEEDED`, `HOSTED_NETWORK_NOT_CREATED`. */
  create(
    wanted: {
      name: string
      options: Record<string, unknown>
      like?: string | undefined
      label?: string | undefined
    },
    caller: NetworkCaller,
  ): Promise<HostedNetwork>
  /** By name. */
  list(caller: NetworkCaller): Promise<HostedNetwork[]>
  /** Throws `HOSTED_NETWORK_NOT_FOUND`, `HOSTED_NETWORK_NOT_REMOVABLE`, `CANNOT_REMOVE_FROM_WITHIN`. */
  remove(name: string, caller: NetworkCaller): Promise<void>
  urlOf(name: string): string
}

/** This process. */
export type NodeServices = {
  info(): NetworkInfo
  reporter: Reporter
  /** The name of the chain, from its beginning to its next reset. */
  loadInstanceId(): Promise<Hex>
  /** This process among the nodes of the network; `undefined` if the network cannot be shared. */
  node(): NodeStatus | undefined
  apiKeys: ApiKeys
  audit: AuditLog
  filters: Filters
  /** Emits the names of methods that changed the network, and when another network has replaced this one. */
  changes: Events<{ changed: { method: string }; exchanged: undefined }>
  checkStorage: WriteCheck
  branches: Branches<Services>
  /** Set if the process serves several networks. */
  networks: Networks | undefined
  /** Worker threads that run now, and runs that threads have ended. */
  workers(): { threads: number; runs: number }
}

/** The live chain. */
export type UpstreamServices = {
  /** The state of upstream; `undefined` if nothing is forked. */
  upstream():
    | {
        url: string
        head: bigint
        headTimestamp: bigint
        lastContactAt: number | undefined
        reachable: boolean
        /** Whether another chain answers at its URL; its state is not used. */
        isOtherChain: boolean
        headSource: 'websocket' | 'polling'
        /**
         * The method that last reported the changes of an upstream block; `undefined` if values are read again instead.
         */
        changeSource: string | undefined
        cacheBytes: number
        /** What the URLs were found to take and to offer in the last hour, by their names without secrets. */
        profiles: Record<string, EndpointProfile>
      }
    | undefined
  /** Requests to the live chain; `undefined` if nothing is forked. */
  upstreamUsage(): UpstreamCounters | undefined
  /** Calls the live chain directly. Throws `METHOD_NOT_FOUND` if nothing is forked. */
  askUpstream(method: string, params: readonly unknown[]): Promise<unknown>
}

/** Blocks and transactions: how they come about, are read and are undone. */
export type ChainServices = {
  chainEvents: Events<ChainEvents>
  history: History
  blobs: Pick<Blobs, 'byHash' | 'ofTransaction'>
  submission: Submission
  mining: Mining
  blockSettings: BlockSettings
  rewinds: Pick<Rewinds, 'snapshot' | 'snapshots' | 'revert' | 'rollback' | 'reorg'>
  wipes: Wipes
  resets: Resets
  rawData: RawData
  loadModifiedAccounts: LoadModifiedAccounts
  proofs: Proofs
  forks: ForkConfigReader
  receiptWaiter: ReceiptWaiter
}

/** Accounts, and what runs on them. */
export type StateServices = {
  reads: StateReads
  state: StateWrites & StateFollow
  stateDumps: StateDumps
  drift: DriftReader
  senders: Senders
  execution: Execution
  /** Calls without function overrides. */
  plainExecution: Pick<Execution, 'call'>
  overrides: FunctionOverrides
  tracking: Tracking
  invariants: Pick<Invariants, 'add' | 'list' | 'countBroken' | 'remove'>
  tokenBalances: TokenBalances
}

/** Smart accounts, and the wallet of pages. */
export type AccountServices = {
  userOperations: UserOperations
  walletCalls: WalletCalls
  walletRequests: WalletRequests
}

/** What runs blocks and transactions once more, or for the first time without sealing them. */
export type TraceServices = {
  traces: Traces
  parityTraces: ParityTraces
  otterscan: Otterscan
  loadStorageRange(query: StorageRangeQuery): Promise<StorageRange>
  simulation: Simulation
  fidelity: Fidelity
  shadow: Pick<Shadow, 'status' | 'set' | 'replayTo'>
}

/** What is known of contracts, and what shows it. */
export type ContractServices = {
  divergences: Divergences
  /** What is done after an invariant failed. */
  invariantFollowUps: Service
  webhook: Webhook
  debugger: Debugger
  stackTraces: StackTraces
  runComparisons: RunComparisons
  gasProfiles: GasProfiles
  forecaster: Forecaster
  slotHistory: SlotHistory
  coverage: Coverage
  contracts: ContractImports
  knowledge: Pick<ContractDirectory, 'describe'>
  sources: ContractSourceReader
  verifications: Verifications
  decoder: TransactionDecoder
  signatures: Signatures
  notes: TransactionNotes
  transactionRanges: TransactionRanges
  workspaces: Workspaces
  tags: AccountTags
  dashboards: Dashboards
  /** What calls would do, and transactions did. */
  outcomes: Outcomes
  storedSimulations: StoredSimulations
}

/** The services that methods call, by name. */
export type Services = NodeServices &
  UpstreamServices &
  ChainServices &
  StateServices &
  AccountServices &
  TraceServices &
  ContractServices
