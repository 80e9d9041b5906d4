import { type Address, zeroAddress } from 'viem'
import type { Entry } from './workspaces.ts'

type Transfer = Pick<Entry<'Transfers'>, 'kind' | 'from' | 'to' | 'tokenId'>

/** A token id and the account that may hold it; `undefined` for an ERC-721, whose contract names the owner. */
export type Holding = { tokenId: bigint; account: Address | undefined }

/** The accounts of transfers and those given first, without duplicates. Minting and burning involve no account. */
export function accountsIn(transfers: readonly Transfer[], first: readonly Address[]): Address[] {
  const found = [...first, ...transfers.flatMap(({ from, to }) => [from, to])]
  const unique = new Set(found.map((account) => account.toLowerCase() as Address))
  unique.delete(zeroAddress)
  return [...unique]
}

/** Where the token ids of these transfers may be: each id of an ERC-721, each account and id of an ERC-1155. */
export function holdingsIn(transfers: readonly Transfer[]): Holding[] {
  const found = new Map<string, Holding>()
  for (const { kind, from, to, tokenId } of transfers) {
    if (tokenId === null) continue
    for (const account of kind === 'erc1155' ? accountsIn([{ kind, from, to, tokenId }], []) : [undefined])
      found.set(`${tokenId} ${account}`, { tokenId: BigInt(tokenId), account })
  }
  return [...found.values()]
}

/** The largest amount first. */
export function largestFirst<Held extends { amount: bigint }>(held: readonly Held[]): Held[] {
  return held.toSorted((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
}
