import type { Account } from '@understudy/evm'
import { z } from 'zod'
import type { ContractDescription } from '../../../contracts/contractDirectory.ts'
import type { WorkspaceOverview } from '../../../workspaces/overview.ts'
import { DecimalString, HexAddress, HexBytes, HexWord } from '../../codecs/wire.ts'
import { encodeWorkspace, WorkspaceObject } from './workspace.ts'

const AccountObject = z.object({ balance: DecimalString, nonce: DecimalString, codeHash: HexWord })

const AccountOverviewObject = AccountObject.extend({
  /** Which fields are local; the others are the live chain's. */
  local: z.object({ balance: z.boolean(), nonce: z.boolean(), code: z.boolean() }),
  /** The account on the live chain now; null if it is unreachable. */
  upstream: AccountObject.nullable(),
  followed: z.boolean(),
  followedSlots: z.number(),
  overrides: z.number(),
  trackedItems: z.number(),
}).meta({ title: 'AccountOverview' })

/** Information about the contract. */
export const ContractObject = z
  .object({
    name: z.string().nullable(),
    /**
     * `import` and `manual` come from the user, `chain` from the profile of the chain, others name the explorer;
     * `bytecode`: no ABI was found, only selectors are known.
     */
    source: z.string().nullable(),
    code: z.enum(['none', 'upstream', 'local']),
    abi: z.array(z.record(z.string(), z.unknown())),
    /** Selectors from the code, if there is no ABI. */
    selectors: z.array(HexBytes),
    /** The answers of explorers; null if none was queried. */
    explorer: z
      .object({ status: z.enum(['verified', 'unverified', 'unavailable']), problem: z.string().nullable() })
      .nullable(),
    proxy: z
      .object({
        kind: z.string(),
        implementations: z.array(
          z.object({ address: HexAddress, name: z.string().nullable(), source: z.string().nullable() }),
        ),
      })
      .nullable(),
  })
  .meta({ title: 'ContractOverview' })

const ActivityObject = z
  .object({
    transactions: z.number(),
    callsTo: z.number(),
    callsBy: z.number(),
    failedCallsTo: z.number(),
    events: z.number(),
    transfers: z.number(),
    /** Counting stops at this number. */
    limit: z.number(),
  })
  .meta({ title: 'ActivityCounts' })

export const WorkspaceOverviewObject = z
  .object({
    workspace: WorkspaceObject,
    address: HexAddress.nullable(),
    account: AccountOverviewObject.nullable(),
    contract: ContractObject.nullable(),
    activity: ActivityObject.nullable(),
  })
  .meta({ title: 'WorkspaceOverview' })

export function encodeWorkspaceOverview(overview: WorkspaceOverview): z.output<typeof WorkspaceOverviewObject> {
  const { workspace, address, account, contract, activity } = overview
  return {
    workspace: encodeWorkspace(workspace),
    address: address ?? null,
    account: account
      ? {
          ...encodeAccount(account),
          local: account.local,
          upstream: account.upstream ? encodeAccount(account.upstream) : null,
          followed: account.isFollowed,
          followedSlots: account.followedSlots,
          overrides: account.overrides,
          trackedItems: account.trackedItems,
        }
      : null,
    contract: contract ? encodeContract(contract) : null,
    activity: activity ?? null,
  }
}

function encodeAccount({ balance, nonce, codeHash }: Account): z.output<typeof AccountObject> {
  return { balance: balance.toString(), nonce: nonce.toString(), codeHash }
}

export function encodeContract(contract: ContractDescription): z.output<typeof ContractObject> {
  const { known, selectors, explorer, proxy, code } = contract
  return {
    name: known?.name ?? null,
    source: known?.source ?? (selectors ? 'bytecode' : null),
    code: code.origin,
    abi: (known?.abi.items ?? []) as unknown as Record<string, unknown>[],
    selectors: selectors?.functions ?? [],
    explorer: explorer
      ? { status: explorer.status, problem: explorer.status === 'unavailable' ? explorer.problem : null }
      : null,
    proxy: proxy
      ? {
          kind: proxy.kind,
          implementations: proxy.implementations.map(({ address, known: behind }) => ({
            address,
            name: behind?.name ?? null,
            source: behind?.source ?? null,
          })),
        }
      : null,
  }
}
