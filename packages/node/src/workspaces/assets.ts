import type { Address } from '@understudy/evm'
import { wrongCursor } from '../activity/page.ts'
import type { TokenMetadata, TokenReads } from '../contracts/tokenMetadata.ts'
import type { Queries } from '../storage/database.ts'
import { loadTokenIds, loadTokensOf, type MovedToken } from '../storage/records/activity/transfers.ts'

/** A token that an address has or had. */
export type Asset = TokenMetadata & {
  token: Address
  kind: MovedToken['kind']
  /** The current balance; `undefined` if the token does not report it. */
  balance: bigint | undefined
  /** For a token with ids: those that were transferred here and that it has now, at most 100. */
  items: { tokenId: bigint; amount: bigint }[]
}

export type AssetQuery = { limit: number; cursor: string | undefined }

const itemLimit = 100

/** The tokens that were transferred from or to an address, in address order, with its current balances. */
export async function loadAssets(
  address: Address,
  { limit, cursor }: AssetQuery,
  { queries, tokens }: { queries: Queries; tokens: TokenReads },
): Promise<{ assets: Asset[]; next: string | undefined }> {
  if (cursor !== undefined && !/^0x[\da-f]{40}$/.test(cursor)) throw wrongCursor()
  const moved = await loadTokensOf(queries, address, { limit: limit + 1, after: cursor as Address | undefined })
  const shown = moved.slice(0, limit)
  const assets = await Promise.all(
    shown.map(async ({ token, kind }): Promise<Asset> => {
      const ids = kind === 'erc20' ? [] : await loadTokenIds(queries, address, token, itemLimit)
      const [metadata, balance, items] = await Promise.all([
        tokens.loadMetadata(token),
        kind === 'erc1155' ? undefined : tokens.loadBalance(token, address),
        Promise.all(ids.map(async (tokenId) => ({ tokenId, amount: await amountOf(token, kind, tokenId) }))),
      ])
      return { ...metadata, token, kind, balance, items: items.filter(({ amount }) => amount > 0n) }
    }),
  )
  return { assets, next: moved.length > limit ? shown.at(-1)?.token : undefined }

  async function amountOf(token: Address, kind: MovedToken['kind'], tokenId: bigint): Promise<bigint> {
    if (kind === 'erc721') return (await tokens.loadOwner(token, tokenId)) === address ? 1n : 0n
    return (await tokens.loadBalanceOf(token, address, tokenId)) ?? 0n
  }
}
