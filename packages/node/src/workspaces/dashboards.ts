import type { Address, Word } from '@understudy/evm'
import {
  type CallQuery,
  type EventQuery,
  loadCalls,
  loadEvents,
  loadTransactions,
  loadTransfers,
  type PastCall,
  type PastEvent,
  type PastTransaction,
  type PastTransfer,
  type TransferQuery,
} from '../activity/activityReads.ts'
import type { PageOf, PageQuery } from '../activity/page.ts'
import { loadTimeline, type Timeline } from '../activity/timeline.ts'
import { tokenTopics } from '../activity/transfers.ts'
import type { KnownContracts } from '../contracts/knownContracts.ts'
import type { StorageQuery } from '../contracts/storageLayout/storageReader.ts'
import type { TokenReads } from '../contracts/tokenMetadata.ts'
import type { Database } from '../storage/database.ts'
import { type Period, periods } from '../tracking/history.ts'
import { type Asset, type AssetQuery, loadAssets } from './assets.ts'
import { type GasByMethod, loadGasByVersion } from './gasByVersion.ts'
import { loadWorkspaceHistory, type WorkspaceHistory } from './history.ts'
import { type LocalAccountState, loadLocalState } from './localState.ts'
import { loadWorkspaceMethods, type WorkspaceMethod } from './methodStatistics.ts'
import { loadOverview, type OverviewNeeds, type WorkspaceOverview } from './overview.ts'
import {
  encodeStorage,
  loadSlotPaths,
  loadWorkspaceStorage,
  type StorageNeeds,
  type WorkspaceStorage,
} from './storage.ts'
import type { Workspace } from './workspace.ts'
import { type Target, targetOf } from './workspace.ts'
import type { Workspaces } from './workspaces.ts'

/** Selects a deployment of a contract; `undefined`: the one linked last. */
export type Where = { address: Address | undefined }

/**
 * The data of dashboards. All methods throw `WORKSPACE_NOT_FOUND`, and `INVALID_PARAMS` if the query does not apply.
 */
export type Dashboards = {
  /** Every transaction of the network. */
  allTransactions(query: PageQuery & TransactionFilter): Promise<PageOf<PastTransaction>>
  /** Every account with local state. */
  localState(query: Pick<PageQuery, 'limit' | 'cursor'>): Promise<PageOf<LocalAccountState>>
  /** The paths of the variables in slots of a contract; none of a slot without a known layout. */
  slotPaths(address: Address, slots: readonly Word[]): Promise<ReadonlyMap<Word, string[]>>
  /** The slots of variables with new values. Throws `INVALID_PARAMS`, also if the storage layout is not known. */
  encodeStorage(address: Address, variables: ReadonlyMap<string, string>): Promise<ReadonlyMap<Word, bigint>>
  overview(id: string, query: Where): Promise<WorkspaceOverview>
  timeline(id: string, query: Where & { period: Period | undefined; parts: number }): Promise<Timeline>
  transactions(id: string, query: Where & PageQuery): Promise<PageOf<PastTransaction>>
  /** For a wallet, the calls that it made, unless `direction` is set; for a contract, those that it received. */
  calls(id: string, query: Where & Open<CallQuery, 'direction'>): Promise<PageOf<PastCall>>
  events(id: string, query: Where & EventQuery): Promise<PageOf<PastEvent>>
  /** For a token, all transfers of it, unless `as` is set. */
  transfers(id: string, query: Where & Open<TransferQuery, 'as'>): Promise<PageOf<PastTransfer>>
  assets(id: string, query: Where & AssetQuery): Promise<{ assets: Asset[]; next: string | undefined; ether: bigint }>
  storage(id: string, query: Where & StorageQuery): Promise<WorkspaceStorage>
  methods(id: string, query: Where): Promise<WorkspaceMethod[]>
  /** Of a project contract; empty for others. */
  gas(id: string): Promise<GasByMethod[]>
  history(id: string, query: { limit: number; cursor: string | undefined }): Promise<WorkspaceHistory>
}

/** `address`: those that involve it. */
type TransactionFilter = { address: Address | undefined; succeeded: boolean | undefined }

type Open<Query, Key extends keyof Query> = Omit<Query, Key> & { [Name in Key]: Query[Name] | undefined }

type Needs = Omit<OverviewNeeds & StorageNeeds, 'queries'> & {
  database: Database
  workspaces: Pick<Workspaces, 'require'>
  abis: KnownContracts
  tokens: TokenReads
  loadEther(address: Address): Promise<bigint>
}

export function createDashboards({ database, workspaces, abis, tokens, loadEther, ...others }: Needs): Dashboards {
  const { queries } = database
  const needs = { ...others, queries }

  async function target(id: string, { address }: Where): Promise<Target> {
    return targetOf(queries, await workspaces.require(id), address)
  }

  /** A page of activity at the address; empty if nothing is deployed. */
  async function pageOf<Item>(
    id: string,
    where: Where,
    load: (address: Address, workspace: Workspace) => Promise<PageOf<Item>>,
  ): Promise<PageOf<Item>> {
    const { address, workspace } = await target(id, where)
    return address === undefined ? { items: [], next: undefined } : load(address, workspace)
  }

  async function isToken(address: Address, workspace: Workspace): Promise<boolean> {
    if (workspace.kind !== 'manual') return workspace.kind === 'mainnet-contract' && workspace.type !== undefined
    const events = (await abis.load([address])).get(address)?.abi.events
    return tokenTopics.some((topic) => events?.has(topic))
  }

  return {
    async overview(id, query) {
      const { workspace, address } = await target(id, query)
      return loadOverview(workspace, address, needs)
    },

    async timeline(id, { period, parts, ...where }) {
      const { address } = await target(id, where)
      return address === undefined
        ? { seconds: 1, parts: [], truncated: false }
        : loadTimeline(address, { windowSeconds: period && BigInt(periods[period] / 1000), parts }, { queries })
    },

    allTransactions: (query) => loadTransactions(query.address, query, { queries, abis }),

    localState: (query) => loadLocalState(query, needs),

    slotPaths: (address, slots) => loadSlotPaths(address, slots, needs),

    encodeStorage: (address, variables) => encodeStorage(address, variables, needs),

    transactions: (id, query) => pageOf(id, query, (address) => loadTransactions(address, query, { queries, abis })),

    calls: (id, query) =>
      pageOf(id, query, (address, { kind }) => {
        const direction = query.direction ?? (kind === 'wallet' ? 'from' : 'to')
        return loadCalls(address, { ...query, direction }, { queries, abis })
      }),

    events: (id, query) => pageOf(id, query, (address) => loadEvents(address, query, { queries, abis })),

    transfers: (id, query) =>
      pageOf(id, query, async (address, workspace) => {
        const as = query.as ?? ((await isToken(address, workspace)) ? 'token' : 'party')
        return loadTransfers(address, { ...query, as }, { queries })
      }),

    async assets(id, query) {
      const { address } = await target(id, query)
      if (address === undefined) return { assets: [], next: undefined, ether: 0n }
      return { ...(await loadAssets(address, query, { queries, tokens })), ether: await loadEther(address) }
    },

    async storage(id, query) {
      const { address } = await target(id, query)
      if (address === undefined) return { layout: undefined, entry: undefined, entries: [], next: undefined }
      return loadWorkspaceStorage(address, query, needs)
    },

    async methods(id, query) {
      const { address } = await target(id, query)
      if (address === undefined) return []
      return loadWorkspaceMethods(address, await needs.knowledge.describe(address), needs)
    },

    async gas(id) {
      return loadGasByVersion(await workspaces.require(id), { queries })
    },

    async history(id, query) {
      return loadWorkspaceHistory(await workspaces.require(id), query, { queries })
    },
  }
}
