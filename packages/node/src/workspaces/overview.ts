import type { Account, Address } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import type { ContractDescription, ContractDirectory } from '../contracts/contractDirectory.ts'
import type { FunctionOverrides } from '../overrides/functionOverrides.ts'
import { isNetworkError } from '../shared/errors.ts'
import type { State } from '../state/state.ts'
import { type LoadingView, loadAccount } from '../state/view.ts'
import type { Queries } from '../storage/database.ts'
import { type ActivityCounts, countActivity } from '../storage/records/activity/activityReads.ts'
import { loadLocalAccounts } from '../storage/records/state/localState.ts'
import type { Tracking } from '../tracking/tracking.ts'
import type { Workspace } from './workspace.ts'

/** The first page of a dashboard. */
export type WorkspaceOverview = {
  workspace: Workspace
  address: Address | undefined
  /** `undefined` without an address, as for all fields below. */
  account: AccountOverview | undefined
  contract: ContractDescription | undefined
  /** Each counted up to `limit`. */
  activity: (ActivityCounts & { limit: number }) | undefined
}

export type AccountOverview = Account & {
  /** Which fields are local; the others are the live chain's. */
  local: { balance: boolean; nonce: boolean; code: boolean }
  /** The account on the live chain now; `undefined` if it is unreachable, or nothing is forked. */
  upstream: Account | undefined
  /** Whether the account is followed, and how many of its slots are. */
  isFollowed: boolean
  followedSlots: number
  overrides: number
  trackedItems: number
}

export type OverviewNeeds = {
  queries: Queries
  history: Pick<History, 'at'>
  state: Pick<State, 'follows' | 'seq'>
  knowledge: ContractDirectory
  overrides: Pick<FunctionOverrides, 'list'>
  tracking: Pick<Tracking, 'list'>
  upstreamHead: () => LoadingView | undefined
}

const countLimit = 10_000

export async function loadOverview(
  workspace: Workspace,
  address: Address | undefined,
  needs: OverviewNeeds,
): Promise<WorkspaceOverview> {
  if (address === undefined) return { workspace, address, account: undefined, contract: undefined, activity: undefined }
  const [account, description, activity] = await Promise.all([
    loadAccountOverview(address, needs),
    needs.knowledge.describe(address),
    countActivity(needs.queries, address, countLimit),
  ])
  const contract = description.code.origin === 'none' && !description.known ? undefined : description
  return { workspace, address, account, contract, activity: { ...activity, limit: countLimit } }
}

async function loadAccountOverview(address: Address, needs: OverviewNeeds): Promise<AccountOverview> {
  const { queries, history, state, overrides, tracking } = needs
  const { view } = await history.at('latest')
  const local = (await loadLocalAccounts(queries, [address], state.seq())).get(address)
  const follows = state.follows()
  const isFollowed = follows.hasAccount(address)
  return {
    ...(await loadAccount(view, address)),
    local: {
      balance: !isFollowed && local?.balance !== undefined,
      nonce: !isFollowed && local?.nonce !== undefined,
      code: !isFollowed && local?.codeHash !== undefined,
    },
    upstream: await loadUpstream(address, needs),
    isFollowed,
    followedSlots: follows.slots.get(address)?.size ?? 0,
    overrides: overrides.list(address).length,
    trackedItems: tracking.list({ address, tag: undefined }).length,
  }
}

async function loadUpstream(address: Address, { upstreamHead }: OverviewNeeds): Promise<Account | undefined> {
  const view = upstreamHead()
  try {
    return view && (await loadAccount(view, address))
  } catch (error) {
    if (isNetworkError(error)) return undefined
    throw error
  }
}
