import type { Address } from '@understudy/evm'
import { formatUnits } from 'viem'
import type { Move } from './moves.ts'
import type { AssetChange, AssetTotal, BalanceChange, TouchedToken } from './outcome.ts'
import { shownLimit } from './run.ts'

type Tokens = ReadonlyMap<Address, TouchedToken>

/** How many moves are between the two that wrap ether, at most. */
const nearby = 100

/**
 * Marks what wraps and unwraps ether: a token that mints and the nearest move of as much ether to it, or that burns and one from it.
 * Without such a move, nothing was wrapped.
 */
export function withWraps(moves: readonly Move[]): Move[] {
  const marked = new Set<Move>()
  for (const [index, move] of moves.entries()) {
    if (!move.isWrap || move.kind === 'native') continue
    const end = move.type === 'mint' ? 'to' : 'from'
    const isOther = (other: Move) =>
      other.kind === 'native' && other.amount === move.amount && other[end] === move.token && !marked.has(other)
    const ether =
      moves.slice(Math.max(0, index - nearby), index).findLast(isOther) ??
      moves.slice(index + 1, index + 1 + nearby).find(isOther)
    if (ether) marked.add(ether).add(move)
  }
  return moves.map((move) => (move.isWrap === marked.has(move) ? move : { ...move, isWrap: marked.has(move) }))
}

/** Moves with their amounts by the decimals of their tokens, and what each address gained and lost by them. */
export function shownOf(
  moves: readonly Move[],
  tokens: Tokens,
): { assetChanges: AssetChange[]; balanceChanges: BalanceChange[] } {
  const assetChanges = moves.slice(0, shownLimit).map(({ isClaim: _, ...move }): AssetChange => {
    return { ...move, formatted: formattedOf(move, move.amount, tokens) }
  })
  return { assetChanges, balanceChanges: balancesOf(moves, tokens) }
}

const etherDecimals = 18

function formattedOf(
  { kind, token }: Pick<Move, 'kind' | 'token'>,
  amount: bigint,
  tokens: Tokens,
): string | undefined {
  if (kind === 'native') return formatUnits(amount, etherDecimals)
  const decimals = kind === 'erc20' && token !== undefined ? tokens.get(token)?.decimals : undefined
  return decimals === undefined ? undefined : formatUnits(amount, decimals)
}

function balancesOf(moves: readonly Move[], tokens: Tokens): BalanceChange[] {
  type Found = { transfers: Set<number>; assets: Map<string, AssetTotal> }
  const found = new Map<Address, Found>()
  const add = (address: Address | undefined, index: number, move: Move, way: 'in' | 'out') => {
    if (address === undefined) return
    const of: Found = found.get(address) ?? { transfers: new Set(), assets: new Map() }
    found.set(address, of)
    if (index < shownLimit) of.transfers.add(index)
    const { kind, token, tokenId } = move
    const key = `${kind} ${token} ${tokenId}`
    const total = of.assets.get(key) ?? { kind, token, tokenId, in: 0n, out: 0n, net: 0n, formatted: undefined }
    of.assets.set(key, total)
    total[way] += move.amount
  }
  for (const [index, move] of moves.entries()) {
    add(move.from, index, move, 'out')
    add(move.to, index, move, 'in')
  }
  return [...found].map(([address, { transfers, assets }]) => ({
    address,
    transfers: [...transfers],
    assets: [...assets.values()].map((total) => {
      const net = total.in - total.out
      return { ...total, net, formatted: formattedOf(total, net, tokens) }
    }),
  }))
}
