import { useQuery } from '@tanstack/react-query'
import { type Address, zeroAddress } from 'viem'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { sendersQuery } from '../../../lib/state/impersonation.ts'
import { createTokenReader } from './tokenReader.ts'
import { accountsIn, holdingsIn, largestFirst } from './transferParties.ts'
import type { Entry, Subject } from './workspaces.ts'

/** How much is read at most. Each balance may be a request to the live chain, which the network then keeps. */
export const holderLimits = { transfers: 1000, accounts: 100, ids: 100 } as const

export type Holder = { account: Address; amount: bigint }
export type HeldId = { tokenId: bigint; account: Address; amount: bigint }

export type Holders = {
  /** What the token reports as its total supply; `undefined` if it does not report it. */
  supply: bigint | undefined
  /** Largest balance first. Empty for a token that has no balance of an account, as an ERC-1155. */
  holders: Holder[]
  /** Of an ERC-721 or ERC-1155, those transferred last first. */
  ids: HeldId[]
  /** Whether there are more transfers, accounts or ids than were read. */
  truncated: boolean
  /** How many reads failed for another reason than a revert: those holders may be missing. */
  unread: number
}

/**
 * Who holds a token: the network's own accounts, and those of the token's newest transfers on this network. Balances
 * are read at the latest block. A block of the live chain alone does not read them again.
 */
export function useHolders(subject: Subject) {
  return useQuery({
    queryKey: ['local', 'workspace', subject.id, subject.address, 'holders'],
    queryFn: () => loadHolders(subject),
    placeholderData: (before: Holders | undefined) => before,
  })
}

async function loadHolders(subject: Subject): Promise<Holders> {
  const [{ transfers, hasMore }, { funded, impersonated }] = await Promise.all([
    loadTransfers(subject),
    sendersQuery.queryFn(),
  ])
  const accounts = accountsIn(transfers, [...funded, ...impersonated])
  const holdings = holdingsIn(transfers)
  const token = createTokenReader(subject.address)
  const [supply, holders, ids] = await Promise.all([
    token.supply(),
    Promise.all(
      accounts
        .slice(0, holderLimits.accounts)
        .map(async (account) => ({ account, amount: (await token.balance(account)) ?? 0n })),
    ),
    Promise.all(
      holdings.slice(0, holderLimits.ids).map(async ({ tokenId, account }): Promise<HeldId> => {
        if (account) return { tokenId, account, amount: (await token.balanceOfId(account, tokenId)) ?? 0n }
        const owner = (await token.owner(tokenId)) ?? zeroAddress
        return { tokenId, account: owner, amount: owner === zeroAddress ? 0n : 1n }
      }),
    ),
  ])
  return {
    supply,
    holders: largestFirst(holders.filter(({ amount }) => amount > 0n)),
    ids: ids.filter(({ amount }) => amount > 0n),
    truncated: hasMore || accounts.length > holderLimits.accounts || holdings.length > holderLimits.ids,
    unread: token.unread(),
  }
}

/** The newest transfers of a token. */
async function loadTransfers({ id, address }: Subject): Promise<{ transfers: Entry<'Transfers'>[]; hasMore: boolean }> {
  const transfers: Entry<'Transfers'>[] = []
  let cursor: string | undefined
  do {
    const page = await rpc('dev_getWorkspaceTransfers', id, {
      address,
      as: 'token',
      limit: 200,
      ...(cursor && { cursor }),
    })
    transfers.push(...page.items)
    cursor = page.next ?? undefined
  } while (cursor && transfers.length < holderLimits.transfers)
  return { transfers, hasMore: cursor !== undefined }
}
